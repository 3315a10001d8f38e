// Elements of a stored array of structs, whose fields are read as arrays of the table: for
// `(SELECT value.int_value FROM UNNEST(event_params) WHERE key = 'a')` ClickHouse reads two leaves instead of all, and copies no element.
// https://clickhouse.com/docs/sql-reference/data-types/tuple#reading-tuple-elements

import { bareType, type ClickHouseType, readType } from '../../clickhouse/type.ts';
import type { Fresh } from '../layouts/layout.ts';
import type { CastTo, From, Func, Select, SqlExpression } from '../target/ast.ts';
import { call, ident, lambda } from '../target/build.ts';
import { nameOf } from '../target/checks.ts';
import { rewrite } from '../target/rewrite.ts';

/** Returns `arrayFilter(row -> condition, rows)`. A condition that is NULL drops the element, as FALSE does. */
export function filterRows(row: string, condition: SqlExpression, rows: SqlExpression): SqlExpression {
  const stored = storedRows(rows);
  return stored === undefined || inFields(condition, { row, element: stored.element }, (name) => name) === undefined
    ? call('arrayFilter', lambda([row], condition), rows)
    : { ...stored.cast, operand: call('arrayFilter', lambda([row], condition), stored.cast.operand) };
}

/** Returns `arrayMap(row -> body, rows)`, or the array as it is where the body is the element itself. */
export function mapRows(row: string, body: SqlExpression, rows: SqlExpression, fresh: Fresh): SqlExpression {
  if (nameOf(body) === row) return rows;
  const stored = storedRows(rows);
  const read = stored === undefined ? undefined : inFields(body, { row, element: stored.element }, fresh);
  if (stored === undefined || read === undefined) return call('arrayMap', lambda([row], body), rows);
  const { cast, element } = stored;
  const [only, ...others] = read.fields;
  const filter = filterOf(cast.operand);
  const all = filter === undefined ? columnsOf(cast.operand, read.fields) : undefined;
  if (all !== undefined) return overColumns('arrayMap', read, all);
  if (only !== undefined && others.length === 0 && filter !== undefined) {
    const condition = inFields(filter.condition, { row: filter.row, element, first: only }, fresh);
    const columns = columnsOf(filter.array, condition?.fields ?? []);
    if (condition !== undefined && columns !== undefined) {
      return overColumns('arrayMap', read, [overColumns('arrayFilter', condition, columns)]);
    }
  }
  return call('arrayMap', lambda([row], body), cast.operand);
}

/** Returns the test whether there is an element. */
export const hasRows = (rows: SqlExpression, fresh: Fresh): SqlExpression =>
  overFiltered('arrayExists', rows, fresh) ?? call('notEmpty', storedRows(rows)?.cast.operand ?? rows);

/** Returns the number of elements. */
export const countRows = (rows: SqlExpression, fresh: Fresh): SqlExpression =>
  overFiltered('arrayCount', rows, fresh) ?? call('length', storedRows(rows)?.cast.operand ?? rows);

/** Returns what the function says of the elements that a filter lets through, without these elements. */
function overFiltered(name: string, rows: SqlExpression, fresh: Fresh): SqlExpression | undefined {
  const stored = storedRows(rows);
  const filter = stored === undefined ? undefined : filterOf(stored.cast.operand);
  if (stored === undefined || filter === undefined) return undefined;
  const condition = inFields(filter.condition, { row: filter.row, element: stored.element }, fresh);
  const columns = condition === undefined ? undefined : columnsOf(filter.array, condition.fields);
  return condition === undefined || columns === undefined ? undefined : overColumns(name, condition, columns);
}

/**
 * Returns the SELECT with arrays of ARRAY JOIN as the table stores them, where it reads single values of their elements alone; of one ARRAY JOIN, only the
 * arrays of these. Where one stands on another, ClickHouse would lose columns of several.
 */
export function withStoredElements(select: Select, fresh: Fresh): Select {
  if (select.from?.kind !== 'array_join') return select;
  let made = select;
  const isOnly = select.from.input.kind !== 'array_join';
  const stored = (from: From): From => {
    if (from.kind !== 'array_join') return from;
    const arrays = from.arrays.flatMap(({ alias, value }) => {
      const rows = storedRows(value);
      const read = rows && inFields(made, { row: alias, element: rows.element }, fresh);
      if (rows === undefined || read === undefined) return { alias, value };
      const columns = isOnly || read.fields.length === 1 ? columnsOf(rows.cast.operand, read.fields) : undefined;
      if (columns === undefined) return { alias, value: rows.cast.operand };
      made = read.body;
      return columns.map((column, at) => ({ alias: read.fields[at]?.name ?? alias, value: column }));
    });
    return { ...from, input: stored(from.input), arrays };
  };
  const from = stored(select.from);
  return { ...made, from };
}

/** A field of the elements, and the name of its value in lambdas. */
interface Field {
  readonly path: readonly string[];
  readonly name: string;
}

/** An expression over an element, written with the names of the fields that it reads. */
interface InFields<T = SqlExpression> {
  readonly body: T;
  readonly fields: readonly Field[];
}

function overColumns(name: string, { body, fields }: InFields, columns: readonly SqlExpression[]): SqlExpression {
  const [field] = fields;
  const [column] = columns;
  if (name === 'arrayMap' && field !== undefined && column !== undefined && nameOf(body) === field.name) return column;
  const parameters = fields.map((one) => one.name);
  return call(name, lambda(parameters, body), ...columns);
}

interface StoredRows {
  readonly cast: CastTo;
  readonly element: ClickHouseType;
}

function storedRows(rows: SqlExpression): StoredRows | undefined {
  if (rows.kind !== 'cast' || rows.full?.includes('Tuple(') !== true) return undefined;
  return { cast: rows, element: readType(rows.full) };
}

interface Filter {
  readonly row: string;
  readonly condition: SqlExpression;
  readonly array: SqlExpression;
}

function filterOf(rows: SqlExpression): Filter | undefined {
  if (rows.kind !== 'func' || rows.name !== 'arrayFilter') return undefined;
  const [by, array] = rows.args;
  const [row] = by?.kind === 'lambda' ? by.parameters : [];
  return by?.kind === 'lambda' && row !== undefined && array !== undefined ? { row, condition: by.body, array } : undefined;
}

interface ElementNamed {
  readonly row: string;
  readonly element: ClickHouseType;
  readonly first?: Field;
}

/** Returns the expression over fields, `first` the first of them; undefined where it needs the element, or a struct in it, as a whole. */
function inFields<T extends object>(body: T, { row, element, first }: ElementNamed, fresh: Fresh): InFields<T> | undefined {
  const fields = new Map(first === undefined ? [] : [[first.path.join('.'), first]]);
  let whole = false;
  const written = rewrite(body, (node) => {
    const path = pathOf(node, row);
    if (path === undefined) return undefined;
    const names = namesOf(path, element);
    if (names === undefined) {
      whole = true;
      return undefined;
    }
    const key = names.join('.');
    const field = fields.get(key) ?? { path: names, name: fresh(names.at(-1) ?? '') };
    fields.set(key, field);
    return ident(field.name);
  });
  return whole ? undefined : { body: written, fields: [...fields.values()] };
}

/** Returns the positions of the field that the node reads of the element, none if it is the element; undefined if it is something else. */
function pathOf(node: object, row: string): readonly number[] | undefined {
  if (nameOf(node) === row) return [];
  const { kind, name, args } = node as Partial<Func>; // of another kind it has another `kind`
  if (kind !== 'func' || name !== 'tupleElement') return undefined;
  const [of, at] = args ?? [];
  const before = of === undefined ? undefined : pathOf(of, row);
  return before === undefined || at?.kind !== 'lit' ? undefined : [...before, Number(at.value)];
}

/** Names that subcolumns of ClickHouse's own have. https://clickhouse.com/docs/sql-reference/data-types/array#array-size */
const OWN = /^(?:size\d+|null|keys|values)$/;

/** Returns the names on the way to a single value; undefined where there is none. */
function namesOf(path: readonly number[], element: ClickHouseType): readonly string[] | undefined {
  const names: string[] = [];
  let at = element;
  for (const position of path) {
    const tuple = bareType(at);
    const field = tuple.name === 'Tuple' ? tuple.args[position - 1] : undefined;
    if (field?.name == null || OWN.test(field.name)) return undefined;
    names.push(field.name);
    at = field.type;
  }
  return /Tuple\(|Nested\(/.test(at.text) ? undefined : names;
}

/** Returns the arrays of the fields; undefined where the table has none. */
function columnsOf(array: SqlExpression, fields: readonly Field[]): readonly SqlExpression[] | undefined {
  const columns = fields.flatMap(({ path }) => columnOf(array, path) ?? []);
  return columns.length === 0 || columns.length < fields.length ? undefined : columns;
}

function columnOf(array: SqlExpression, path: readonly string[]): SqlExpression | undefined {
  if (array.kind === 'ident') return ident(...array.parts, ...path);
  if (array.kind !== 'func' || array.name !== 'arrayZip') return undefined;
  const [name, ...inside] = path;
  const of = array.args.find((arg) => arg.kind === 'ident' && arg.parts.at(-1) === name);
  return of?.kind === 'ident' ? ident(...of.parts, ...inside) : undefined;
}
