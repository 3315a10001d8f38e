// Whole statements: a relation with its columns, set operations, and the query with its WITH clause.

import { groupValue, holdsFloat } from '../functions/aggregate/group-value.ts';
import { ref } from '../logical/build.ts';
import type { Column, CteDefinition, Rel, SetOperation } from '../logical/nodes.ts';
import type { Select, SelectItem, SetText, Statement } from '../target/ast.ts';
import { ident, lit, select } from '../target/build.ts';
import { type Block, EMPTY_BLOCK, finish, type Shown, withShown, wrap } from './block.ts';
import { sharingConditions } from './common-subexpressions.ts';
import { type Environment, type Lowering, lowerRel, nameIn } from './lowering.ts';
import { lowerDistinctRecursion } from './recursive.ts';

interface StatementColumn {
  readonly column: Column;
  readonly alias: string;
}

/** Returns a statement that shows `columns` in this order under these names. */
export function lowerStatement(rel: Rel, columns: readonly StatementColumn[], outer: Environment | null, l: Lowering): Statement {
  if (rel.kind === 'set_operation' && sameColumns(rel.columns, columns)) {
    return setText(
      rel,
      columns.map((c) => c.alias),
      outer,
      l,
    );
  }
  const needed = new Set(columns.map((c) => c.column.id));
  let block = lowerRel(rel, needed, outer, l);
  if (block.distinct !== null && !sameColumns(block.distinct, columns)) block = wrap(block, needed, l);
  return finishWith(block, columns, outer, l);
}

function sameColumns(a: readonly Column[], b: readonly StatementColumn[]): boolean {
  return a.length === b.length && a.every((c, i) => c.id === b[i]?.column.id);
}

function finishWith(block: Block, columns: readonly StatementColumn[], outer: Environment | null, l: Lowering): Select {
  const items = columns.map(({ column, alias }): SelectItem => {
    // A column of a query around this one may be selected as it is.
    const value = block.shown.get(column.id)?.value ?? nameIn(outer, column.id);
    if (value === undefined) throw new RangeError(`column ${column.name} (${column.id}) is not shown`);
    return { value, alias };
  });
  return finish(block, items.length === 0 ? [{ value: lit(1), alias: 'one' }] : items, l);
}

const OPERATORS = {
  UNION: ['UNION DISTINCT', 'UNION ALL'],
  INTERSECT: ['INTERSECT DISTINCT', 'INTERSECT ALL'],
  EXCEPT: ['EXCEPT DISTINCT', 'EXCEPT ALL'],
} as const;

function setText(rel: SetOperation, aliases: readonly string[], outer: Environment | null, l: Lowering): SetText {
  const inputs = rel.inputs.map((input) => {
    const columns = input.columns.map((column, i) => ({ column, alias: aliases[i] ?? l.nameOf(column) }));
    // Equal rows of an input count once in any case.
    const rows = !rel.all && input.rel.kind === 'distinct' ? input.rel.input : input.rel;
    const statement = lowerStatement(rows, columns, outer, l);
    return rel.operator === 'UNION' && rel.all ? statement : withGroupValues(statement, input.columns, l);
  });
  return { kind: 'set', with: [], recursive: false, operator: OPERATORS[rel.operator][rel.all ? 1 : 0], inputs };
}

/** Gives floats one bit pattern for each value, since the rows of the statement are compared with others. */
function withGroupValues(statement: Statement, columns: readonly Column[], l: Lowering): Statement {
  if (!columns.some(({ type }) => holdsFloat(type))) return statement;
  if (statement.kind === 'set') return { ...statement, inputs: statement.inputs.map((input) => withGroupValues(input, columns, l)) };
  const items = statement.items.map((item, i) => {
    const column = columns[i];
    if (column === undefined || item.value.kind === 'lit') return item;
    const finite = l.isFinite(ref(column, { span: { start: 0, end: 0 } }));
    return { ...item, value: groupValue(item.value, column.type, finite, l.fresh) };
  });
  return { ...statement, items };
}

/** Returns a set operation as a block to select from. */
export function lowerSetOperation(rel: SetOperation, needed: ReadonlySet<number>, outer: Environment | null, l: Lowering): Block {
  const alias = l.tableOf(rel.columns);
  // Only UNION ALL may drop columns: the others compare whole rows.
  const wanted = rel.columns.map((c, i) => ({ c, i })).filter(({ c }) => !(rel.operator === 'UNION' && rel.all) || needed.has(c.id));
  const used = wanted.length === 0 ? rel.columns.map((c, i) => ({ c, i })) : wanted;
  const pruned: SetOperation = {
    ...rel,
    columns: used.map(({ c }) => c),
    inputs: rel.inputs.map((input) => ({ ...input, columns: used.map(({ i, c }) => input.columns[i] ?? c) })),
  };
  const statement = setText(
    pruned,
    pruned.columns.map((c) => l.nameOf(c)),
    outer,
    l,
  );
  const shown = pruned.columns.map((column): Shown => ({ column, value: ident(alias, l.nameOf(column)) }));
  return withShown({ ...EMPTY_BLOCK, from: { kind: 'select', statement, alias } }, shown);
}

function lowerCte(name: string, { rel, recursive }: CteDefinition, columns: readonly StatementColumn[], l: Lowering): Statement {
  const statement = lowerStatement(rel, columns, null, l);
  const [base, step] = statement.kind === 'set' ? statement.inputs : [];
  if (!recursive || rel.kind !== 'set_operation' || rel.all || base === undefined || step === undefined) return statement;
  return lowerDistinctRecursion(
    name,
    columns.map(({ alias, column: { type } }) => ({ alias, type })),
    { base, step },
    l,
  );
}

/** Returns the query with its CTEs in front, in the order in which they depend on each other. */
export function lowerQuery(rel: Rel, columns: readonly StatementColumn[], l: Lowering): Statement {
  const ctes = [...l.ctes.values()].map(({ definition, name }) => {
    const shown = definition.columns.map((column) => ({ column, alias: l.nameOf(column) }));
    const distinct = [...new Map(shown.map((s) => [s.column.id, s])).values()];
    return { name, statement: lowerCte(name, definition, distinct, l) };
  });
  const recursive = [...l.ctes.values()].some((c) => c.definition.recursive);
  const statement = lowerStatement(rel, columns, null, l);
  const constants = [...l.constants.values()];
  if (statement.kind === 'select') {
    const named = sharingConditions([...constants, ...statement.constants], l.fresh);
    return { ...statement, constants: named, with: ctes, recursive };
  }
  if (ctes.length + constants.length === 0) return statement;
  // WITH stands before a SELECT, not before a parenthesised set operation.
  const alias = l.fresh('q');
  const items = columns.map((c) => ({ value: ident(alias, c.alias), alias: c.alias }));
  return select(items, { kind: 'select', statement, alias }, { constants, with: ctes, recursive });
}
