// Rewrites expressions that test whether an array is NULL, and finds the test of each array expression.
import { fail } from '../../base/fail.ts';
import { BOOL, STRING, structOf, type Type } from '../../base/types.ts';
import { bool, ref } from '../../logical/build.ts';
import type { Case, Column, Expr, FunctionCall, Rel, Subquery } from '../../logical/nodes.ts';
import { mapChildren } from '../../logical/walk.ts';
import { nullArrayParameter } from '../../translation.ts';
import { call } from '../build.ts';
import { anyOf, choice, holdsArray, isArray, type Nulls, type NullTest, not, testOf } from './nulls.ts';

export interface Rewriting {
  newColumn(name: string, type: Type): Column;
  /** Rewrites a relation inside an expression that is evaluated where `nulls` is known, and returns the tests of its own columns. */
  readonly relation: (rel: Rel, outer: Nulls) => { readonly rel: Rel; readonly nulls: Nulls };
  /** The tests of arrays in fields of STRUCTs, which are right unless a NULL array was put into one. */
  readonly fieldTests: Set<Expr>;
  /** The STRUCTs that are written whole, with all arrays in them. */
  readonly wholeStructs: Expr[];
  /** The expressions where a NULL array was put into a STRUCT. */
  readonly intoStruct: Expr[];
  /** The arrays of SAFE. calls that can fail, and those made of them: [] may stand for NULL there. */
  readonly mayHaveFailed: WeakSet<Expr>;
  /** The tests of array expressions that have been rewritten. */
  readonly tests: WeakMap<Expr, Expr | 'untold'>;
}

/** Returns the test of a rewritten array expression. */
export const nullTest = (expr: Expr, { tests }: Rewriting): NullTest => tests.get(expr);

/** Returns the test where the difference must be known. */
export function knownNullTest(expr: Expr, r: Rewriting): Expr | undefined {
  const test = nullTest(expr, r);
  return test === 'untold'
    ? fail(
        'unsupported',
        expr.span,
        'quern can’t tell whether this array is NULL: where it is stored, NULL and [] are the same',
        'test ARRAY_LENGTH(array) = 0',
      )
    : test;
}

function tell(expr: Expr, test: NullTest, { tests }: Rewriting): Expr {
  if (test !== undefined) tests.set(expr, test);
  return expr;
}

/** Rewrites the parts of `expr` that depend on NULL arrays, and remembers its own test. */
export function rewritten(expr: Expr, nulls: Nulls, r: Rewriting): Expr {
  if (expr.kind === 'subquery') return rewrittenSubquery(expr, nulls, r);
  const e = mapChildren(expr, { expr: (part) => rewritten(part, nulls, r), rel: (rel) => r.relation(rel, nulls).rel });
  switch (e.kind) {
    case 'call':
      return rewrittenCall(e, r);
    case 'struct':
      for (const field of e.fields) if (isArray(field.type) && nullTest(field, r) !== undefined) r.intoStruct.push(field);
      return e;
    case 'literal':
      return isArray(e.type) && e.value === null ? tell(e, bool(true, e), r) : e;
    case 'parameter':
      return isArray(e.type) ? tell(e, { ...e, name: nullArrayParameter(e.name), type: BOOL }, r) : e;
    case 'column':
      return isArray(e.type) ? tell(e, testOf(e.column.id, nulls), r) : e;
    case 'case':
      return isArray(e.type) ? tell(e, caseTest(e, r), r) : e;
    case 'cast':
      return isArray(e.type) ? tell(e, isArray(e.operand.type) ? nullTest(e.operand, r) : 'untold', r) : e;
    case 'field': {
      if (!isArray(e.type)) return e;
      const test = call('$is_null', [e.of], e);
      r.fieldTests.add(test);
      return tell(e, test, r);
    }
    case 'record_field':
      return isArray(e.type) ? tell(e, 'untold', r) : e;
    default:
      return e;
  }
}

function caseTest({ whens, otherwise, span, type }: Case, r: Rewriting): NullTest {
  const branches = [...whens.map((w) => w.then), otherwise].map((b) =>
    b === null ? bool(true, { span }) : (nullTest(b, r) ?? bool(false, b)),
  );
  if (branches.includes('untold')) return 'untold';
  const tests = branches as readonly Expr[]; // none is 'untold'
  if (tests.every((t) => t.kind === 'literal' && t.value === false)) return undefined;
  if (type.kind !== 'ARRAY') return undefined;
  return {
    kind: 'case',
    whens: whens.map(({ when }, i) => ({ when, then: tests[i] ?? when })),
    otherwise: tests.at(-1) ?? null,
    type: BOOL,
    span,
  };
}

/** Rewrites a subquery whose value is an array: over no rows it is NULL, so the array comes in a STRUCT. */
function rewrittenSubquery(expr: Subquery, outer: Nulls, r: Rewriting): Expr {
  const needle = expr.needle === null ? null : rewritten(expr.needle, outer, r);
  const { rel, nulls } = r.relation(expr.input, outer);
  if (expr.mode !== 'scalar' || !isArray(expr.type)) return { ...expr, needle, input: rel };
  const value = ref(expr.column, expr);
  const wrapped = inStruct(tell(value, testOf(expr.column.id, nulls), r), r);
  const column = r.newColumn(expr.column.name, wrapped.type);
  const input: Rel = { kind: 'project', input: rel, items: [{ column, value: wrapped }] };
  return outOfStruct({ ...expr, needle, input, column, type: wrapped.type }, expr.type, r);
}

/** Puts a rewritten array in a STRUCT, which is NULL where the array is. */
export function inStruct(expr: Expr, r: Rewriting): Expr {
  const type = structOf([{ name: null, type: expr.type }]);
  const whole: Expr = { kind: 'struct', fields: [expr], type, span: expr.span };
  const test = knownNullTest(expr, r);
  return test === undefined ? whole : choice(test, null, whole);
}

export function outOfStruct(of: Expr, type: Type, r: Rewriting): Expr {
  return tell({ kind: 'field', of, index: 0, type, span: of.span }, call('$is_null', [of], of), r);
}

function rewrittenCall(e: FunctionCall, r: Rewriting): Expr {
  const { name } = e.fn;
  const [first, second] = e.args;
  if (e.fn.writesAny) return written(e, r);
  const arrays = e.args.filter((a) => a !== null && isArray(a.type)) as readonly Expr[]; // null is no array
  if (arrays.length === 0) return isArray(e.type) ? tell(e, madeTest(e, r), r) : e;
  if (e.fn.firstPresent) return firstTold(arrays, r);
  switch (name) {
    case '$is_null':
    case '$is_not_null': {
      const test = arrays[0] === undefined ? undefined : knownNullTest(arrays[0], r);
      const isNull = test ?? bool(false, e);
      return name === '$is_null' ? isNull : not(isNull);
    }
    case 'NULLIF':
      return first == null || second == null ? e : nullIf(e, first, second, r);
    case '$is_distinct':
    case '$is_not_distinct':
      return first == null || second == null ? e : distinct(e, first, second, r);
    default:
      return guarded(e, arrays, r);
  }
}

/** Returns the first array that is not NULL. */
function firstTold(arrays: readonly Expr[], r: Rewriting): Expr {
  const [first, ...more] = arrays;
  if (first === undefined) throw new RangeError('COALESCE has an argument');
  const test = more.length === 0 ? undefined : knownNullTest(first, r);
  if (test === undefined) return first;
  const rest = firstTold(more, r);
  const restTest = nullTest(rest, r);
  const chosen = choice(test, rest, first);
  return tell(chosen, restTest === undefined || restTest === 'untold' ? restTest : call('$and', [test, restTest], test), r);
}

function nullIf(e: FunctionCall, value: Expr, match: Expr, r: Rewriting): Expr {
  const same = guarded(call('$equal', [value, match], e), [value, match], r);
  const isSame = call('$is_true', [same], e);
  return tell(choice(isSame, null, value), anyOf([nullTest(value, r), isSame]), r);
}

/** Rewrites IS DISTINCT FROM: NULL is distinct from every array, and not from NULL. */
function distinct(e: FunctionCall, left: Expr, right: Expr, r: Rewriting): Expr {
  const [one, other] = [knownNullTest(left, r), knownNullTest(right, r)];
  const differ = e.fn.name === '$is_distinct';
  const some = anyOf([one, other]);
  if (some === undefined || some === 'untold') return e;
  const both = one === undefined || other === undefined ? bool(false, e) : call('$and', [one, other], e);
  return choice(both, bool(!differ, e), choice(some, bool(differ, e), e));
}

/** Returns the call, which is NULL where one of its arrays is. */
function guarded(e: FunctionCall, arrays: readonly Expr[], r: Rewriting): Expr {
  const failed = arrays.find((a) => r.mayHaveFailed.has(a));
  if (failed !== undefined && !isArray(e.type) && !e.fn.emptyLikeNull)
    return fail(
      'unsupported',
      failed.span,
      'quern can’t tell whether this array is NULL: a SAFE. function that fails gives [] here',
      'write the function without SAFE.',
    );
  const test = anyOf(arrays.map((a) => nullTest(a, r)));
  const made = isArray(e.type) ? madeTest(e, r) : undefined;
  if (test === undefined || test === 'untold' || e.fn.emptyLikeNull) return tell(e, made, r);
  if (e.fn.strict !== 'any' && e.fn.elementFrom === undefined)
    return fail(
      'unsupported',
      e.span,
      `${e.fn.operator ?? e.fn.name} of an array that may be NULL is not supported`,
      'write IFNULL(array, []) for the array',
    );
  return tell(choice(test, null, e), made, r);
}

/** Rewrites a call that writes values as text: that of NULL is the same for all types. */
function written(e: FunctionCall, r: Rewriting): Expr {
  for (const arg of e.args) if (arg !== null && holdsArray(arg.type) && !isArray(arg.type)) r.wholeStructs.push(arg);
  const [nullable, another] = e.args.flatMap((arg) => {
    const test = arg === null || !isArray(arg.type) ? undefined : nullTest(arg, r);
    return arg === null || test === undefined || test === 'untold' ? [] : [{ arg, test }];
  });
  if (nullable === undefined) return e;
  // Two of them would make four calls.
  if (another !== undefined)
    return fail('unsupported', another.arg.span, `${e.fn.name} of two arrays that may be NULL is not supported`, 'write IFNULL(array, [])');
  const { arg, test } = nullable;
  const missing: Expr = { kind: 'literal', value: null, type: STRING, span: arg.span };
  return choice(test, { ...e, args: e.args.map((a) => (a === arg ? missing : a)) }, e);
}

/** Returns the test of an array that a function makes. */
function madeTest(e: FunctionCall, r: Rewriting): NullTest {
  const mayFail = e.safe && !e.fn.neverFails && !e.fn.series;
  if (mayFail || e.args.some((a) => a !== null && r.mayHaveFailed.has(a))) r.mayHaveFailed.add(e);
  if (mayFail || e.fn.strict !== 'any') return 'untold';
  const argumentTest = (a: Expr): NullTest => (isArray(a.type) ? nullTest(a, r) : scalarTest(a));
  const tests = e.args.map((a) => (a === null ? undefined : argumentTest(a)));
  const ofArguments = anyOf(e.safe && e.fn.series ? [...tests, ...noSeries(e)] : tests);
  const [json, path] = e.args;
  if (!e.fn.readsJsonArray || json == null) return ofArguments;
  const reader: Expr = { kind: 'literal', value: e.fn.name, type: STRING, span: e.span };
  return call('$no_json_array', [json, path ?? null, reader], e);
}

/** Tests that there is no series between bounds that are not NULL: its step is 0, or a FLOAT64 is no number. */
function noSeries({ args, type }: FunctionCall): readonly NullTest[] {
  const [start, stop, given] = args;
  const step = given?.kind === 'call' && given.fn.name === '$interval' ? given.args[0] : given;
  if (step == null || start == null || stop == null) return [];
  const isStuck =
    step.kind === 'literal'
      ? []
      : [call('$equal', [step, { kind: 'literal', value: step.type.kind === 'FLOAT64' ? 0 : 0n, type: step.type, span: step.span }], step)];
  if (type.kind !== 'ARRAY' || type.element.kind !== 'FLOAT64') return isStuck;
  const numbers = [start, stop, step].filter((bound) => bound.kind !== 'literal');
  return [...isStuck, ...numbers.map((bound) => call('IS_NAN', [bound], bound)), call('IS_INF', [step], step)];
}

function scalarTest(arg: Expr): NullTest {
  switch (arg.kind) {
    case 'literal':
      return arg.value === null ? bool(true, arg) : undefined;
    case 'instant':
    case 'date_part':
    case 'lambda':
      return undefined;
    default:
      return call('$is_null', [arg], arg);
  }
}
