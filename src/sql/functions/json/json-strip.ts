// JSON_STRIP_NULLS by regular expressions over the text, which need not know how deep it nests: strings are passed over whole.
import type { SqlExpression } from '../../target/ast.ts';
import { call, ident, iff, infix, inList, lambda, lit } from '../../target/build.ts';
import type { LowerCall } from '../define.ts';

const TEXT = '"(?:[^"\\\\]|\\\\.)*"';

/** `text` without what `pattern` matches outside of strings, nor the commas that it leaves before an end. */
function without(text: SqlExpression, pattern: string): SqlExpression {
  const cut = call('replaceRegexpAll', text, lit(`${pattern},?|(${TEXT})`), lit('\\1'));
  return call('replaceRegexpAll', cut, lit(`,([}\\]])|(${TEXT})`), lit('\\1\\2'));
}

interface Choice {
  /** Elements of arrays go too. */
  readonly arrays: boolean;
  /** Objects (and arrays) that hold nothing afterwards go too. */
  readonly empty: boolean;
}

export function withoutNulls(json: SqlExpression, { arrays, empty }: Choice, c: LowerCall): SqlExpression {
  const stripped = without(json, arrays ? `(?:${TEXT}:)?null` : `${TEXT}:null`);
  const result = empty ? withoutEmpty(stripped, arrays, c) : stripped;
  return iff(infix('=', json, lit('null')), json, result);
}

/** Removes empty values level by level, as often as there are levels. */
function withoutEmpty(json: SqlExpression, arrays: boolean, c: LowerCall): SqlExpression {
  const [text, level, bracket] = [c.fresh('text'), c.fresh('level'), c.fresh('bracket')];
  const brackets = call('extractAll', call('replaceRegexpAll', json, lit(TEXT), lit('')), lit('[{}\\[\\]]'));
  const steps = call('arrayMap', lambda([bracket], iff(inList(ident(bracket), ['{', '['].map(lit)), lit(1), lit(-1))), brackets);
  const depth = call('arrayMax', call('arrayPushBack', call('arrayCumSum', steps), lit(0)));
  const levels = call('range', call('toUInt64', depth));
  const cut = call(
    'arrayFold',
    lambda([text, level], without(ident(text), arrays ? `(?:${TEXT}:)?(?:\\{\\}|\\[\\])` : `${TEXT}:\\{\\}`)),
    levels,
    json,
  );
  const name = c.fresh('document');
  const whole = iff(inList(ident(name), (arrays ? ['', '{}', '[]'] : ['', '{}']).map(lit)), lit('null'), ident(name));
  return call('arrayElement', call('arrayMap', lambda([name], whole), call('array', cut)), lit(1));
}
