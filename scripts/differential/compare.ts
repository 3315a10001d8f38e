// Whether two results are the same: by value and type, rows in order only where the query fixes it.
import type { Row, Value } from '../../src/base/result.ts';
import { type Type, typeName } from '../../src/sql/base/types.ts';
import type { Outcome } from './outcome.ts';

/** Other functions of the C library and another order of addition: a few units in the last place. */
const FLOAT_TOLERANCE = 2e-14;

export interface Comparison {
  readonly ordered: boolean;
  /** For statistics, whose last digits hang on how they are computed. */
  readonly tolerance?: number;
  /** Texts and decimals that are made of such floats: numbers in them are compared as numbers. */
  readonly textsOfFloats?: boolean;
}

type Rows = Extract<Outcome, { kind: 'rows' }>;

/** Why they differ; undefined when they are the same. */
export function difference(
  expected: Rows,
  got: Rows,
  { ordered, tolerance = FLOAT_TOLERANCE, textsOfFloats = false }: Comparison,
): string | undefined {
  if (expected.types.length !== got.types.length) return `${got.types.length} columns, not ${expected.types.length}`;
  const unlike = expected.types.findIndex((type, at) => !sameShape(type, got.types[at]));
  if (unlike !== -1)
    return `column ${unlike + 1} is ${typeName(got.types[unlike] as Type)}, not ${typeName(expected.types[unlike] as Type)}`;
  if (expected.rows.length !== got.rows.length) return `${got.rows.length} rows, not ${expected.rows.length}`;
  const same = (a: Row, b: Row | undefined): boolean =>
    b !== undefined && expected.types.every((type, at) => sameValue(type, a[at] ?? null, b[at] ?? null, tolerance, textsOfFloats));
  if (ordered) {
    const at = expected.rows.findIndex((row, i) => !same(row, got.rows[i]));
    return at === -1 ? undefined : `row ${at + 1}: ${shownRow(got.rows[at])}, not ${shownRow(expected.rows[at])}`;
  }
  const left = [...got.rows];
  for (const row of expected.rows) {
    const at = left.findIndex((candidate) => same(row, candidate));
    if (at === -1) return `no row ${shownRow(row)}; left over: ${shownRow(left[0])}`;
    left.splice(at, 1);
  }
  return undefined;
}

/** Records and fields that nobody declared have types of their own with us. */
function sameShape(expected: Type, got: Type | undefined): boolean {
  if (got === undefined) return false;
  if (got.kind === 'DYNAMIC') return expected.kind === 'STRING';
  if (expected.kind === 'ARRAY') return got.kind === 'ARRAY' && sameShape(expected.element, got.element);
  if (expected.kind === 'STRUCT' || expected.kind === 'RECORD') {
    if (got.kind === 'RECORD') return true;
    return (
      got.kind === 'STRUCT' &&
      got.fields.length === expected.fields.length &&
      expected.fields.every((f, at) => sameShape(f.type, got.fields[at]?.type))
    );
  }
  return expected.kind === got.kind;
}

export function sameValue(type: Type, a: Value, b: Value, tolerance = FLOAT_TOLERANCE, textsOfFloats = false): boolean {
  if (type.kind === 'ARRAY') {
    // BigQuery writes a NULL array of a result as an empty one.
    const [left, right] = [(a ?? []) as readonly Value[], (b ?? []) as readonly Value[]];
    return (
      left.length === right.length && left.every((item, at) => sameValue(type.element, item, right[at] ?? null, tolerance, textsOfFloats))
    );
  }
  if (a === null || b === null) return a === b;
  switch (type.kind) {
    case 'INT64':
      return BigInt(a as number) === BigInt(b as number);
    case 'FLOAT64':
      return sameFloat(Number(a), Number(b), tolerance);
    case 'NUMERIC':
    case 'BIGNUMERIC':
      if (textsOfFloats && sameFloat(Number(a), Number(b), tolerance)) return true;
      return plainDecimal(String(a)) === plainDecimal(String(b));
    case 'STRUCT': {
      const [left, right] = [a as readonly Value[], b as readonly Value[]];
      return type.fields.every((field, at) => sameValue(field.type, left[at] ?? null, right[at] ?? null, tolerance, textsOfFloats));
    }
    case 'JSON':
      return a === b || sameJson(JSON.parse(String(a)), JSON.parse(String(b)), tolerance);
    case 'STRING':
      return a === b || (textsOfFloats && sameFloat(Number(a), Number(b), tolerance) && a !== '' && b !== '');
    default:
      return a === b;
  }
}

function sameFloat(a: number, b: number, tolerance: number): boolean {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  if (a === b) return true;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false;
  return Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));
}

/** Without zeros at the end, and one zero without a sign. */
function plainDecimal(text: string): string {
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return short === '-0' ? '0' : short;
}

function sameJson(a: unknown, b: unknown, tolerance: number): boolean {
  if (typeof a === 'number' && typeof b === 'number') return sameFloat(a, b, tolerance);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  if (Array.isArray(a) !== Array.isArray(b) || left.length !== right.length) return false;
  return left.every(([key, value]) => Object.hasOwn(b, key) && sameJson(value, (b as Record<string, unknown>)[key], tolerance));
}

export const shownRow = (row: Row | undefined): string => (row === undefined ? 'none' : `(${row.map(shown).join(', ')})`);

/** A value for people: NaN and -0 as they are, texts in quotes. */
export function shown(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  return typeof value === 'object'
    ? JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v))
    : typeof value === 'string'
      ? JSON.stringify(value)
      : String(value);
}
