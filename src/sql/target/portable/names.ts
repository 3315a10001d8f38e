// Short names: a table that is read alone needs no name of its own, its columns no qualifier, and a key that is shown is called as the column that shows it.
// ClickHouse takes a name for an alias of the SELECT or for a column of the table, as `prefer_column_name_to_alias` says: a name that both have is written
// with its table, which means the column in any case.
import type { From, Select, SqlExpression, Statement } from '../ast.ts';
import { asIdent, isColumn } from '../bare-columns.ts';
import { isStatement } from '../checks.ts';
import { eachNode } from '../helpers.ts';
import { rebuilt } from '../rewrite.ts';
import { SameMap } from '../same.ts';

/** Returns the columns that a table has, by its name; undefined for a table that is not known. */
export type ColumnsOf = (table: string) => ReadonlySet<string> | undefined;

export const withShortNames = (statement: Statement, columnsOf: ColumnsOf): Statement =>
  rebuilt(statement, (node) => (isStatement(node) && node.kind === 'select' ? shortened(node, columnsOf) : node));

function shortened(select: Select, columnsOf: ColumnsOf): Select {
  const { kind, from, with: ctes, ...clauses } = select;
  if (from === null || (from.kind !== 'table' && from.kind !== 'select') || holdsStatement(clauses)) return select;
  // A query around this one may have given the table's name to another.
  if (from.kind === 'table' && reads(clauses, from.name.at(-1) ?? '') && from.alias !== from.name.at(-1)) return select;
  const known = columnsShown(from, ctes, columnsOf);
  const own = withColumns(clauses, from, new Set(clauses.items.filter((item) => !isColumn(item, from.alias)).map(({ alias }) => alias)));
  const { clauses: named, isQualified } = own;
  const called = known === undefined ? named : { ...named, ...keysByName(named, known) };
  return { kind, ...called, from: from.kind === 'table' || !isQualified ? { ...from, alias: '' } : from, with: ctes };
}

type Clauses = Omit<Select, 'kind' | 'from' | 'with'>;

/** A query inside of an expression may read the table of this one by its name. */
function holdsStatement(clauses: Clauses): boolean {
  let found = false;
  eachNode(clauses, (node) => {
    found ||= isStatement(node);
  });
  return found;
}

/** True if something is read of a table that is called so. */
function reads(clauses: Clauses, table: string): boolean {
  let found = false;
  eachNode(clauses, (node) => {
    const parts = asIdent(node)?.parts ?? [];
    found ||= parts.length > 1 && parts[0] === table;
  });
  return found;
}

function columnsShown(
  from: Extract<From, { kind: 'table' | 'select' }>,
  ctes: Select['with'],
  columnsOf: ColumnsOf,
): ReadonlySet<string> | undefined {
  if (from.kind === 'select') return namesOf(from.statement);
  const name = from.name.at(-1) ?? '';
  const cte = from.name.length === 1 ? ctes.find((one) => one.name === name) : undefined;
  return cte === undefined ? columnsOf(from.name.join('.')) : namesOf(cte.statement);
}

function namesOf(statement: Statement): ReadonlySet<string> {
  const [first] = statement.kind === 'set' ? statement.inputs : [];
  if (statement.kind === 'set') return first === undefined ? new Set() : namesOf(first);
  return new Set(statement.items.map(({ alias }) => alias));
}

/** Writes the columns of the table by their names; those that an alias of the SELECT has too, with the name of the table. */
function withColumns(clauses: Clauses, from: Extract<From, { kind: 'table' | 'select' }>, aliases: ReadonlySet<string>) {
  const table = from.kind === 'table' ? (from.name.at(-1) ?? '') : from.alias;
  let isQualified = false;
  const written = rebuilt(clauses, (node) => {
    const name = asIdent(node);
    const [first, column = ''] = name?.parts ?? [];
    if (name === undefined || name.parts.length < 2 || first !== from.alias || name.subobjectAt !== undefined) return node;
    const qualified = aliases.has(column);
    isQualified ||= qualified;
    return { ...name, parts: qualified ? [table, ...name.parts.slice(1)] : name.parts.slice(1) };
  });
  return { clauses: written, isQualified };
}

/** GROUP BY and ORDER BY by the aliases of the SELECT that no column of the table has. */
function keysByName(clauses: Clauses, columns: ReadonlySet<string>): Partial<Clauses> {
  const names = new SameMap<string>();
  for (const { value, alias } of clauses.items)
    if (!columns.has(alias) && isComputed(value) && names.get(value) === undefined) names.set(value, alias);
  const byName = (key: SqlExpression): SqlExpression => {
    const alias = isComputed(key) ? names.get(key) : undefined;
    return alias === undefined ? key : { kind: 'ident', parts: [alias] };
  };
  return {
    ...(clauses.groupingSets === null ? { groupBy: clauses.groupBy?.map(byName) ?? null } : {}),
    orderBy: clauses.orderBy.map((item) => ({ ...item, value: byName(item.value) })),
  };
}

const isComputed = (value: SqlExpression): boolean => value.kind !== 'ident' && value.kind !== 'lit';
