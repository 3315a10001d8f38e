// Writes ClickHouse statements, a clause per line, so that differences read well.
import type { CteText, From, NamedConstant, Select, Statement } from './ast.ts';
import { deeper, nested, printExpr, printList, printOrder } from './print.ts';
import { quoteIdentifier, quoteString } from './quote.ts';

const LINE = 120;

export function printStatement(statement: Statement, indent = ''): string {
  const ctes = printWith(statement.kind === 'select' ? statement.constants : [], statement.with, statement.recursive, indent);
  if (statement.kind === 'select') return [...ctes, ...printSelect(statement, indent)].join('\n');
  const inputs = statement.inputs.map((input) => `${indent}${nested(printStatement(input, deeper(indent)), indent)}`);
  return [...ctes, inputs.join(`\n${indent}${statement.operator}\n`)].join('\n');
}

function printWith(constants: readonly NamedConstant[], ctes: readonly CteText[], recursive: boolean, indent: string): readonly string[] {
  if (ctes.length + constants.length === 0) return [];
  const inner = deeper(indent);
  const named = constants.map((c) => `${inner}${printExpr(c.value, inner)} AS ${quoteIdentifier(c.name)}`);
  const texts = ctes.map((c) => `${inner}${quoteIdentifier(c.name)} AS ${nested(printStatement(c.statement, deeper(inner)), inner)}`);
  return [`${indent}WITH${recursive ? ' RECURSIVE' : ''}`, [...named, ...texts].join(',\n')];
}

function printSelect(select: Select, indent: string): readonly string[] {
  const inner = deeper(indent);
  const lines = [
    clause(
      `SELECT${select.distinct ? ' DISTINCT' : ''}`,
      select.items.map((i) => `${printExpr(i.value, inner)} AS ${quoteIdentifier(i.alias)}`),
      indent,
    ),
  ];
  if (select.from !== null) lines.push(`${indent}FROM ${printFrom(select.from, indent)}`);
  if (select.where !== null) lines.push(`${indent}WHERE ${printExpr(select.where, inner)}`);
  if (select.groupingSets !== null) {
    const sets = select.groupingSets.map((s) => `(${printList(s, inner)})`);
    lines.push(clause('GROUP BY GROUPING SETS (', sets, indent, ')'));
  } else if (select.groupBy !== null && select.groupBy.length > 0) {
    lines.push(
      clause(
        'GROUP BY',
        select.groupBy.map((g) => printExpr(g, inner)),
        indent,
      ),
    );
  }
  if (select.having !== null) lines.push(`${indent}HAVING ${printExpr(select.having, inner)}`);
  if (select.qualify !== null) lines.push(`${indent}QUALIFY ${printExpr(select.qualify, inner)}`);
  if (select.orderBy.length > 0)
    lines.push(
      clause(
        'ORDER BY',
        select.orderBy.map((o) => printOrder(o, inner)),
        indent,
      ),
    );
  if (select.limit !== null) lines.push(`${indent}LIMIT ${printExpr(select.limit, inner)}`);
  if (select.offset !== null) lines.push(`${indent}OFFSET ${printExpr(select.offset, inner)}`);
  return lines;
}

/** On one line where it fits, else an item per line. */
function clause(word: string, items: readonly string[], indent: string, end = ''): string {
  const line = `${indent}${word} ${items.join(', ')}${end}`;
  if (line.length <= LINE && !line.includes('\n')) return line;
  const inner = deeper(indent);
  return `${indent}${word}\n${items.map((i) => `${inner}${i}`).join(',\n')}${end === '' ? '' : `\n${indent}${end}`}`;
}

function printFrom(from: From, indent: string): string {
  const inner = deeper(indent);
  switch (from.kind) {
    case 'table': {
      const name = from.name.map(quoteIdentifier).join('.');
      const table = from.cluster === undefined ? name : `cluster(${quoteString(from.cluster)}, ${name})`;
      return `${table} AS ${quoteIdentifier(from.alias)}`;
    }
    case 'select':
      return `${nested(printStatement(from.statement, inner), indent)} AS ${quoteIdentifier(from.alias)}`;
    case 'join': {
      const on = from.on === null ? '' : ` ON ${printExpr(from.on, inner)}`;
      const word = from.type === 'INNER' ? 'INNER JOIN' : from.type === 'CROSS' ? 'CROSS JOIN' : `${from.type} JOIN`;
      return `${printFrom(from.left, indent)}\n${indent}${word} ${printFrom(from.right, indent)}${on}`;
    }
    case 'array_join': {
      const arrays = from.arrays.map((a) => `${printExpr(a.value, inner)} AS ${quoteIdentifier(a.alias)}`);
      return `${printFrom(from.input, indent)}\n${indent}ARRAY JOIN ${arrays.join(', ')}`;
    }
  }
}
