// Calls of the functions that operators and other syntax stand for.
import type { Span } from '../../source-text.ts';
import { builtIn } from '../functions/index.ts';
import { signaturesOf } from '../functions/signature.ts';
import type { Expr } from '../logical/resolved.ts';
import { matchSignature } from './match-signature.ts';

/** Calls a function of the tables by name with resolved arguments. */
export function callFunction(name: string, args: readonly (Expr | null)[], span: Span, safe = false): Expr {
  const fn = builtIn(name);
  if (fn.kind !== 'function') throw new RangeError(`${name} is not a scalar function`);
  const matched = matchSignature(OPERATOR_TEXT[name] ?? name, signaturesOf(fn.signature), args, span);
  return { kind: 'call', fn, args: matched.args, safe, type: matched.type, span };
}

/** How operators are called in messages. */
const OPERATOR_TEXT: Readonly<Record<string, string>> = {
  $add: 'operator +',
  $subtract: 'operator -',
  $multiply: 'operator *',
  $divide: 'operator /',
  $concat: 'operator ||',
  $equal: 'operator =',
  $not_equal: 'operator <>',
  $less: 'operator <',
  $less_or_equal: 'operator <=',
  $greater: 'operator >',
  $greater_or_equal: 'operator >=',
  $and: 'AND',
  $or: 'OR',
  $not: 'NOT',
  $like: 'LIKE',
  $between: 'BETWEEN',
  $in_list: 'IN',
  $in_array: 'IN UNNEST',
  $negate: 'operator -',
  $plus: 'operator +',
  $bit_not: 'operator ~',
  $bit_and: 'operator &',
  $bit_or: 'operator |',
  $bit_xor: 'operator ^',
  $shift_left: 'operator <<',
  $shift_right: 'operator >>',
  $offset: 'OFFSET',
  $ordinal: 'ORDINAL',
  $safe_offset: 'SAFE_OFFSET',
  $safe_ordinal: 'SAFE_ORDINAL',
  $is_null: 'IS NULL',
  $is_not_null: 'IS NOT NULL',
  $is_distinct: 'IS DISTINCT FROM',
  $is_not_distinct: 'IS NOT DISTINCT FROM',
  $json_subscript: 'a JSON subscript',
};
