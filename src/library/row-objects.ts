// Rows as objects, by the names under which every format shows the columns.
import { columnNames, structFieldNames } from '../base/column-names.ts';
import type { ResultColumn, Row, Value } from '../base/result.ts';
import type { QuernRow } from './answers.ts';

type Type = ResultColumn['type'];

/** Makes an object of a row; built once for a result. */
export function rowObject(columns: readonly ResultColumn[]): (row: Row) => QuernRow {
  const names = columnNames(columns);
  const shapes = columns.map(({ type }) => shapeOf(type));
  return (row) => objectOf(names, shapes, row);
}

function objectOf(names: readonly string[], shapes: readonly ((value: Value) => Value)[], values: readonly Value[]): QuernRow {
  return Object.fromEntries(names.map((name, at) => [name, shapes[at]?.(values[at] ?? null) ?? null]));
}

/** A STRUCT is an array by position until somebody wants its names. */
function shapeOf(type: Type): (value: Value) => Value {
  if (type.kind === 'ARRAY') {
    const element = shapeOf(type.element);
    return element === same ? same : (value) => (Array.isArray(value) ? (value as readonly Value[]).map(element) : value);
  }
  if (type.kind !== 'STRUCT') return same;
  const names = structFieldNames(type.fields);
  const shapes = type.fields.map((field) => shapeOf(field.type));
  return (value) => (Array.isArray(value) ? objectOf(names, shapes, value) : value);
}

const same = (value: Value): Value => value;
