// Bits of BYTES, as arrays of numbers: ClickHouse's functions take numbers only.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/operators#bitwise_operators
import type { SqlExpression } from '../target/ast.ts';
import { call, ident, iff, infix, isNotNull, lambda, lit, NULL } from '../target/build.ts';
import type { LowerAggregateCall, LowerCall } from './define.ts';

const LENGTHS_DIFFER = 'bitwise operators need BYTES of equal length';

/** The numbers of the bytes; splitByString finds one empty part in an empty text. */
function codes(value: SqlExpression, c: LowerCall): SqlExpression {
  const byte = c.fresh('byte');
  const parts = call('splitByString', lit(''), value);
  return call(
    'arrayMap',
    lambda([byte], call('reinterpretAsUInt8', ident(byte))),
    iff(call('empty', value), call('emptyArrayString'), parts),
  );
}

function bytesOf(numbers: SqlExpression, c: LowerCall): SqlExpression {
  const code = c.fresh('code');
  return call('arrayStringConcat', call('arrayMap', lambda([code], call('char', ident(code))), numbers));
}

const known = (value: SqlExpression): SqlExpression => call('assumeNotNull', value);

/** `left & right` and its kin. */
export function bitwiseBytes(name: 'bitAnd' | 'bitOr' | 'bitXor', left: SqlExpression, right: SqlExpression, c: LowerCall): SqlExpression {
  const differ = infix('!=', call('length', left), call('length', right));
  const [one, other] = [c.fresh('left'), c.fresh('right')];
  // Of lengths that differ nothing is made: an array function would fail in its own words.
  const same = (value: SqlExpression): SqlExpression => codes(iff(call('ifNull', differ, lit(true)), lit(''), known(value)), c);
  const bits = bytesOf(call('arrayMap', lambda([one, other], call(name, ident(one), ident(other))), same(left), same(right)), c);
  return c.failIf(differ, LENGTHS_DIFFER, iff(infix('AND', isNotNull(left), isNotNull(right)), bits, NULL));
}

export function invertedBytes(value: SqlExpression, c: LowerCall): SqlExpression {
  const code = c.fresh('code');
  const bits = bytesOf(call('arrayMap', lambda([code], call('bitNot', ident(code))), codes(known(value), c)), c);
  return iff(isNotNull(value), bits, NULL);
}

/** Zeros come in on both sides; the length stays. */
export function shiftedBytes(direction: 1 | -1, value: SqlExpression, count: SqlExpression, c: LowerCall): SqlExpression {
  const at = c.fresh('at');
  const all = codes(known(value), c);
  const shift = known(count);
  const bits = infix('%', shift, lit(8));
  const from = infix(direction === 1 ? '+' : '-', ident(at), call('intDiv', shift, lit(8)));
  // Outside of the array is 0; a negative position would count from its end.
  const code = (position: SqlExpression): SqlExpression =>
    iff(infix('>', position, lit(0)), call('toUInt32', call('arrayElement', all, position)), call('toUInt32', lit(0)));
  const [main, neighbour] = [code(from), code(infix(direction === 1 ? '+' : '-', from, lit(1)))];
  const rest = infix('-', lit(8), bits);
  const both =
    direction === 1
      ? call('bitOr', call('bitShiftLeft', main, bits), call('bitShiftRight', neighbour, rest))
      : call('bitOr', call('bitShiftRight', main, bits), call('bitShiftLeft', neighbour, rest));
  const shifted = bytesOf(call('arrayMap', lambda([at], call('bitAnd', both, lit(255))), call('arrayEnumerate', all)), c);
  const isKnown = infix('AND', isNotNull(value), isNotNull(count));
  return c.failIf(
    infix('AND', infix('<', count, lit(0)), isNotNull(value)),
    'a shift by a negative number of bits',
    iff(isKnown, shifted, NULL),
  );
}

/** BIT_AND and its kin over BYTES; `padded`: shorter ones are filled with zeros. */
export function aggregatedBytes(
  name: 'groupBitAnd' | 'groupBitOr' | 'groupBitXor',
  value: SqlExpression,
  padded: boolean,
  c: LowerAggregateCall,
): SqlExpression {
  const once = name === 'groupBitXor' ? {} : { distinct: false };
  const all = c.aggregate(`${name}ForEach`, [codes(known(value), c)], { ...once, where: isNotNull(value) });
  const end = (which: 'min' | 'max'): SqlExpression => c.aggregate(which, [call('length', value)], { distinct: false });
  const [code, at] = [c.fresh('code'), c.fresh('at')];
  // Missing bytes count as 0.
  const held = iff(infix('<=', ident(at), end('min')), ident(code), call('toUInt8', lit(0)));
  const numbers = padded && name === 'groupBitAnd' ? call('arrayMap', lambda([code, at], held), all, call('arrayEnumerate', all)) : all;
  const result = iff(infix('=', c.aggregate('count', [value]), lit(0)), NULL, bytesOf(numbers, c));
  return padded ? result : c.failIf(infix('!=', end('min'), end('max')), LENGTHS_DIFFER, result);
}
