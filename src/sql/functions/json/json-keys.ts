// JSON_KEYS: the document is read bracket by bracket and key by key, however deep it nests.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#json_keys
import { fail } from '../../base/fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, cast, element, ident, iff, infix, inList, lambda, lit, tuple } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { strict } from '../strict.ts';

const TOKENS = '"(?:[^"\\\\]|\\\\.)*":?|[{}\\[\\]]';
/** A value that begins: its path, how many keys lead to it, how many arrays without a key between, and whether its keys are passed over. */
const PLACE = 'Tuple(String, Int64, Int64, Bool)';
/** The values that are open, the one that is to come, and the keys with their depths. */
const STATE = `Tuple(Array(${PLACE}), ${PLACE}, Array(Tuple(String, Int64)))`;

const MODES = ['strict', 'lax', 'lax recursive'] as const;
type Mode = (typeof MODES)[number];

function modeOf(c: LowerCall): Mode {
  const arg = c.args[2] ?? null;
  if (arg === null) return 'strict';
  const known = c.constant(2);
  const words = typeof known === 'string' ? known.trim().toLowerCase().split(/\s+/).sort().join(' ') : '';
  return MODES.find((mode) => mode === words) ?? fail('type', arg.span, "the mode must be 'strict', 'lax' or 'lax recursive'");
}

/** Quoted where it would not be read as one key of a path. */
function written(key: SqlExpression): SqlExpression {
  const quoted = call('concat', lit('"'), call('replaceAll', key, lit('"'), lit('\\"')), lit('"'));
  return iff(call('match', key, lit('[^\\p{L}\\p{N}_\\-:\\s]')), quoted, key);
}

function keys(json: SqlExpression, c: LowerCall): SqlExpression {
  const mode = modeOf(c);
  const [state, token, found] = [c.fresh('state'), c.fresh('token'), c.fresh('key')];
  const at = ident(token);
  const [open, coming, listed] = [1, 2, 3].map((i) => element(ident(state), i)) as [SqlExpression, SqlExpression, SqlExpression];
  const outer = call('arrayElement', open, lit(-1));
  const [path, depth, arrays, hidden] = [1, 2, 3, 4].map((i) => element(coming, i)) as [
    SqlExpression,
    SqlExpression,
    SqlExpression,
    SqlExpression,
  ];
  const key = written(call('JSONExtractString', call('substring', at, lit(1), infix('-', call('length', at), lit(1)))));
  const outerDepth = element(outer, 2);
  const keyPath = iff(infix('=', outerDepth, lit(0)), key, call('concat', element(outer, 1), lit('.'), key));
  const keyPlace = tuple(keyPath, infix('+', outerDepth, lit(1)), lit(0), element(outer, 4));
  const keyFound = iff(element(outer, 4), listed, call('arrayPushBack', listed, tuple(keyPath, infix('+', outerDepth, lit(1)))));
  const nested = infix('+', arrays, lit(1));
  const hides = mode === 'lax' ? infix('>', nested, lit(1)) : lit(mode === 'strict');
  const arrayPlace = cast(tuple(path, depth, nested, infix('OR', hidden, hides)), PLACE);
  const popped = call('arrayPopBack', open);
  const next = call(
    'multiIf',
    call('endsWith', at, lit(':')),
    cast(tuple(open, keyPlace, keyFound), STATE),
    infix('=', at, lit('{')),
    cast(tuple(call('arrayPushBack', open, tuple(path, depth, lit(0), hidden)), coming, listed), STATE),
    infix('=', at, lit('[')),
    cast(tuple(call('arrayPushBack', open, arrayPlace), arrayPlace, listed), STATE),
    inList(at, ['}', ']'].map(lit)),
    cast(tuple(popped, call('arrayElement', popped, lit(-1)), listed), STATE),
    ident(state),
  );
  const start = cast(tuple(call('emptyArrayString'), tuple(lit(''), lit(0), lit(0), lit(false)), call('emptyArrayString')), STATE);
  const tokens = call('extractAll', call('ifNull', json, lit('')), lit(TOKENS));
  const all = element(call('arrayFold', lambda([state, token], next), tokens, start), 3);
  const deepest = c.constant(1);
  const entry = c.fresh('entry');
  const kept =
    typeof deepest === 'bigint' ? call('arrayFilter', lambda([entry], infix('<=', element(ident(entry), 2), lit(deepest))), all) : all;
  return call('arraySort', call('arrayDistinct', call('arrayMap', lambda([found], element(ident(found), 1)), kept)));
}

export const jsonKeys = (): Family => ({
  JSON_KEYS: strict('json JSON, [max_depth INT64], [mode => STRING] -> ARRAY<STRING>', ({ json }, c) => {
    const deepest = c.constant(1);
    const arg = c.args[1] ?? null;
    if (arg !== null && (typeof deepest !== 'bigint' || deepest < 1n))
      fail('type', arg.span, 'the depth of JSON_KEYS must be a constant above 0');
    return keys(json, c);
  }),
});
