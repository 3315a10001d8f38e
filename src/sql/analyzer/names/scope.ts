// The meanings of names at a place in the query: range variables of FROM, their columns, and the scopes around.

import { didYouMean, nearest } from '../../../base/errors.ts';
import type { Span } from '../../../base/source-text.ts';
import { spend } from '../../base/budget.ts';
import { fail } from '../../base/fail.ts';
import { STRING, structOf, type Type, typeName } from '../../base/types.ts';
import { scalarBuiltIn } from '../../functions/index.ts';
import type { Column, Expr } from '../../logical/nodes.ts';
import type { UnreadColumn } from '../../source.ts';
import { columnHint } from './column-hint.ts';

export interface ScopeColumn {
  readonly name: string;
  readonly column: Column;
}

/** One name in FROM. A value table (UNNEST) has a `value`: the name alone is that value, its fields are visible as columns. */
export interface RangeVariable {
  readonly name: string | null;
  readonly columns: readonly ScopeColumn[];
  readonly value: Column | null;
  /** The names of `columns` that only qualified access may use (the second copy of a USING column). */
  readonly hidden?: ReadonlySet<string>;
  /** The names that `*` does not show. */
  readonly pseudo?: ReadonlySet<string>;
  /** The columns of its table that queries cannot read. */
  readonly unread?: readonly UnreadColumn[];
}

/** The meaning of a name of DECLARE. */
export interface Variable {
  readonly type: Type;
  /** Returns the value for a place that reads it. */
  readonly value: () => Expr;
}

export interface Scope {
  readonly tables: readonly RangeVariable[];
  /** Names that mean an expression: USING columns, function arguments, lambda parameters. */
  readonly names: ReadonlyMap<string, Expr>;
  readonly parent: Scope | null;
  /** The variables of the whole text, in its outermost scope: columns hide them. */
  readonly variables?: ReadonlyMap<string, Variable>;
  /** True if the names are aliases of a SELECT list: the arguments of aggregates do not see them. */
  readonly aliases?: boolean;
  /** The hint why columns of the scopes around can't be used here, e.g. inside a temporary function. */
  readonly closed?: string;
}

export const EMPTY_SCOPE: Scope = { tables: [], names: new Map(), parent: null };

export const columnRef = (column: Column, span: Span): Expr => ({ kind: 'column', column, type: column.type, span });

/** Returns the field `name` of a value, or undefined if the type has none of that name. */
function fieldOf(of: Expr, name: string, span: Span): Expr | undefined {
  const type = of.type;
  if (type.kind === 'STRUCT') {
    const wanted = name.toLowerCase();
    const matches = type.fields.flatMap((f, index) => (f.name?.toLowerCase() === wanted ? [index] : []));
    const index = matches[0];
    if (index === undefined) return undefined;
    if (matches.length > 1)
      return fail('unknown-column', span, `${name} is ambiguous: the struct has ${matches.length} fields of that name`);
    return { kind: 'field', of, index, type: type.fields[index]?.type ?? type, span };
  }
  if (type.kind === 'RECORD') {
    const declared = type.fields.find((f) => f.name?.toLowerCase() === name.toLowerCase());
    return { kind: 'record_field', of, name: declared?.name ?? name, type: declared?.type ?? { kind: 'DYNAMIC' }, span };
  }
  if (type.kind === 'JSON') {
    const key: Expr = { kind: 'literal', value: name, type: STRING, span };
    return { kind: 'call', fn: scalarBuiltIn('$json_subscript'), args: [of, key], safe: false, type, span };
  }
  if (type.kind === 'DYNAMIC') return { kind: 'record_field', of, name, type: { kind: 'DYNAMIC' }, span };
  return undefined;
}

/** True if an unqualified name may mean a field of this value table. Undeclared fields need the qualified form. */
export function declaresField(type: Type, name: string): boolean {
  if (type.kind !== 'STRUCT' && type.kind !== 'RECORD') return false;
  return type.fields.some((f) => f.name?.toLowerCase() === name);
}

/** Returns the range variable's whole row: its value, or a struct of its columns. */
function rowOf(table: RangeVariable, span: Span): Expr {
  spend(table.columns.length);
  if (table.value !== null) return columnRef(table.value, span);
  const shown = table.columns.filter((c) => !table.pseudo?.has(c.name.toLowerCase()));
  const fields = shown.map((c) => columnRef(c.column, span));
  return { kind: 'struct', fields, type: structOf(shown.map((c) => ({ name: c.name, type: c.column.type }))), span };
}

interface Found {
  readonly expr: Expr;
  /** The range variable that the name is, so that the next part may be one of its columns. */
  readonly table?: RangeVariable;
}

function columnsNamed({ columns }: RangeVariable, wanted: string): readonly ScopeColumn[] {
  spend(columns.length >> 1);
  return columns.filter((c) => c.name.toLowerCase() === wanted);
}

function lookUpHere(scope: Scope, name: string, span: Span): Found | undefined {
  const wanted = name.toLowerCase();
  spend(scope.tables.length);
  const named = scope.names.get(wanted);
  if (named !== undefined) return { expr: { ...named, span } };
  const table = scope.tables.find((t) => t.name?.toLowerCase() === wanted);
  if (table !== undefined) return { expr: rowOf(table, span), table };
  const columns = scope.tables.flatMap((t) => (t.hidden?.has(wanted) ? [] : columnsNamed(t, wanted)));
  if (columns.length > 1) {
    const owners = scope.tables
      .filter((t) => !t.hidden?.has(wanted) && t.columns.some((c) => c.name.toLowerCase() === wanted))
      .map((t) => t.name ?? 'a subquery');
    if (owners.length === 1) return fail('unknown-column', span, `${name} is ambiguous: ${columns.length} columns have that name`);
    const named = owners.find((o) => o !== 'a subquery');
    return fail(
      'unknown-column',
      span,
      `${name} is ambiguous: it is a column of ${owners.join(' and ')}`,
      named === undefined ? 'give the tables aliases' : `write ${named}.${name}`,
    );
  }
  const column = columns[0];
  if (column !== undefined) return { expr: columnRef(column.column, span) };
  const values = scope.tables.filter((t) => t.value !== null && !t.hidden?.has(wanted) && declaresField(t.value.type, wanted));
  if (values.length > 1) {
    const owners = values.map((t) => t.name ?? 'an unnested array');
    return fail('unknown-column', span, `${name} is ambiguous: it is a field of ${owners.join(' and ')}`, `write ${owners[0]}.${name}`);
  }
  const value = values[0]?.value;
  const found = value ? fieldOf(columnRef(value, span), name, span) : scope.variables?.get(wanted)?.value();
  return found === undefined ? undefined : { expr: { ...found, span } };
}

/** Returns the scope without its columns. */
export function withoutColumns(scope: Scope): Scope {
  for (let at: Scope | null = scope; at !== null; at = at.parent)
    if (at.variables !== undefined) return { ...EMPTY_SCOPE, variables: at.variables };
  return EMPTY_SCOPE;
}

function lookUp(scope: Scope, name: string, span: Span): { readonly found?: Found; readonly closed: string | undefined } {
  let closed: string | undefined;
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const found = lookUpHere(at, name, span);
    closed ??= at.closed;
    if (found !== undefined) return { found, closed };
    if (at.closed !== undefined) break;
  }
  return { closed };
}

/** Splits a whole path in one pair of backticks, `` `my-proj.shop.orders.id` ``: it begins with the name of a table, or is its last name. */
function pathInOneName(scope: Scope, { name, span }: PathPart): readonly PathPart[] | undefined {
  const names = name.split('.');
  if (names.length < 2) return undefined;
  const from = names.findIndex((part, i) => {
    const { found } = lookUp(scope, part, span);
    return found !== undefined && (found.table !== undefined || i === names.length - 1);
  });
  return from < 0 ? undefined : names.slice(from).map((part) => ({ name: part, span }));
}

interface PathPart {
  readonly name: string;
  readonly span: Span;
}

/** Resolves `parts` from the innermost scope out: a range variable, column or field, then fields of it. */
export function resolvePath(scope: Scope, parts: readonly PathPart[]): Expr {
  const [first, ...rest] = parts;
  if (first === undefined) throw new RangeError('a path has at least one part');
  const { found, closed } = lookUp(scope, first.name, first.span);
  if (found === undefined) {
    const inOne = pathInOneName(scope, first);
    return inOne === undefined ? unknownName(scope, first.name, first.span, closed) : resolvePath(scope, [...inOne, ...rest]);
  }
  let expr = found.expr;
  const table = found.table;
  for (const [i, part] of rest.entries()) {
    const span = { start: first.span.start, end: part.span.end };
    if (i === 0 && table !== undefined && table.value === null) {
      const columns = table.columns.filter((c) => c.name.toLowerCase() === part.name.toLowerCase());
      if (columns.length > 1)
        fail('unknown-column', span, `${part.name} is ambiguous: ${first.name} has ${columns.length} columns of that name`);
      const column = columns[0];
      if (column === undefined) {
        const near = nearest(
          part.name,
          table.columns.flatMap((c) => (c.name === '' ? [] : [c.name])),
        );
        return fail(
          'unknown-column',
          part.span,
          `${first.name} has no column ${part.name}`,
          columnHint([table], part.name) ?? (near === undefined ? undefined : `did you mean ${first.name}.${near}?`),
        );
      }
      expr = columnRef(column.column, span);
      continue;
    }
    expr = accessField(expr, part.name, span);
  }
  return expr;
}

/** Reads `of.name`, or says what the value has instead. */
export function accessField(of: Expr, name: string, span: Span): Expr {
  const field = fieldOf(of, name, span);
  if (field !== undefined) return field;
  const type = of.type;
  if (type.kind === 'ARRAY')
    return fail(
      'type',
      span,
      `${name} can't be read from an array (${typeName(type)})`,
      'unnest the array first, or take one element: arr[OFFSET(0)]',
    );
  if (type.kind !== 'STRUCT') return fail('type', span, `${name} can't be read from a value of type ${typeName(type)}`);
  const names = type.fields.flatMap((f) => (f.name === null ? [] : [f.name]));
  return fail('unknown-column', span, `there is no field ${name}`, didYouMean(name, names) ?? `the fields are ${names.join(', ')}`);
}

function unknownName(scope: Scope, name: string, span: Span, closed: string | undefined): never {
  const names: string[] = [];
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    names.push(...at.names.keys(), ...(at.variables?.keys() ?? []));
    for (const table of at.tables) {
      if (table.name !== null) names.push(table.name);
      names.push(...table.columns.flatMap((c) => (c.name === '' ? [] : [c.name])));
      const type = table.value?.type;
      if (type?.kind === 'STRUCT' || type?.kind === 'RECORD') names.push(...type.fields.flatMap((f) => (f.name === null ? [] : [f.name])));
    }
  }
  const records = scope.tables.filter((t) => t.value?.type.kind === 'RECORD').flatMap((t) => (t.name === null ? [] : [t.name]));
  const qualified =
    records[0] === undefined ? undefined : `a field that the source does not declare needs its record's name: ${records.at(-1)}.${name}`;
  return fail(
    'unknown-column',
    span,
    `there is no column or table ${name} here`,
    closed ??
      columnHint(scope.tables, name) ??
      spacedName(name, names) ??
      namedAfterPlaces(scope.tables) ??
      didYouMean(name, names) ??
      qualified ??
      known(names),
  );
}

/** Returns the hint for the first word of a name with spaces, or for a name that is nearly one. */
function spacedName(name: string, names: readonly string[]): string | undefined {
  const found = names.find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()} `)) ?? nearest(name, names);
  return found === undefined || /^\w+$/.test(found) ? undefined : `did you mean \`${found}\`? such a name is written in backticks`;
}

/** Returns the hint for tables whose columns have the names that files without a header get. */
function namedAfterPlaces(tables: readonly RangeVariable[]): string | undefined {
  const columns = tables.flatMap((table) => table.columns.filter((c) => !table.pseudo?.has(c.name.toLowerCase())));
  if (columns.length === 0 || !columns.every((c) => /^[a-z0-9]+_field_\d+$/.test(c.name))) return undefined;
  const all = columns.slice(0, MOST_NAMES).map((c) => c.name);
  return `the columns are ${all.join(', ')}; if the first line of the file is its header, say so with --header, or header: true in quern.yaml`;
}

/** The number of names that fit a line. */
const MOST_NAMES = 8;

function known(names: readonly string[]): string | undefined {
  const distinct = [...new Set(names.map((name) => (/^\w+$/.test(name) ? name.toLowerCase() : `\`${name.toLowerCase()}\``)))];
  return distinct.length === 0 || distinct.length > MOST_NAMES ? undefined : `the names you can use here are ${distinct.join(', ')}`;
}

/** Returns the columns that `*` shows: every visible column once, value tables as their fields. */
export function starColumns(tables: readonly RangeVariable[], span: Span): readonly { readonly name: string; readonly value: Expr }[] {
  return tables.flatMap((t) => starOf(t, span, t.hidden));
}

/** Returns the columns of `t.*`; `hidden` names are left out. */
export function starOf(
  table: RangeVariable,
  span: Span,
  hidden?: ReadonlySet<string>,
): readonly { readonly name: string; readonly value: Expr }[] {
  spend(table.columns.length);
  const shown = table.columns
    .filter((c) => !hidden?.has(c.name.toLowerCase()) && !table.pseudo?.has(c.name.toLowerCase()))
    .map((c) => ({ name: c.name, value: columnRef(c.column, span) }));
  if (table.value === null) return shown;
  const fields = fieldsOrSelf(table.name, columnRef(table.value, span), span).filter((f) => !hidden?.has(f.name.toLowerCase()));
  return [...fields, ...shown];
}

/** Returns a struct's fields as columns; any other value is one column. */
export function fieldsOrSelf(name: string | null, value: Expr, span: Span): readonly { readonly name: string; readonly value: Expr }[] {
  if (value.type.kind === 'STRUCT') {
    return value.type.fields.map((f, index) => ({ name: f.name ?? '', value: { kind: 'field', of: value, index, type: f.type, span } }));
  }
  return [{ name: name ?? '', value }];
}
