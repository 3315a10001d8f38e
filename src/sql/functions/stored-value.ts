// Functions that rules use for values in the types in which a table stores them. Users cannot write their names.
import { timeForm } from '../../clickhouse/time-form.ts';
import type { SqlExpression } from '../target/ast.ts';
import { and, call, cast, iff, infix, inList, isNotNull, lit } from '../target/build.ts';
import { define, type Family } from './define.ts';

function hasForm(text: SqlExpression, form: string): SqlExpression {
  const known = timeForm(form);
  if (known === undefined) throw new RangeError(`${form} is no form of a time`);
  const number = (digits: string): SqlExpression => call('toUInt256', lit(digits));
  const value = call('reinterpretAsUInt256', text);
  const bits = (of: string, value_ = value): SqlExpression => call('bitAnd', value_, number(of));
  const isNone = (of: string): SqlExpression => infix('=', bits(of), lit(0));
  return and(
    infix('=', bits(known.mask), number(known.wanted)),
    infix('=', bits(known.mask, infix('+', value, number(known.sum))), number(known.wanted)),
    infix('OR', isNone(known.twenties), isNone(known.fours)),
    infix('!=', bits(known.month), lit(0)),
    infix('!=', bits(known.day), lit(0)),
  );
}

export const storedValue = (): Family => ({
  /** The text as a constant of a ClickHouse type. */
  $as_stored: define('text STRING, type STRING -> ANY', ({ text }, c) => cast(text, String(c.constant(1)))),
  /** The time that a text says in a form that most of a column's have, see timeForm; of any other text what `otherwise` makes. */
  $read_as: define('text STRING, form STRING, otherwise ANY -> ANY', ({ text, otherwise }, c) => {
    const time = call('parseDateTime64BestEffortOrNull', text, lit(6), lit('UTC'));
    return iff(and(hasForm(text, String(c.constant(1))), isNotNull(time)), time, otherwise);
  }),
  /** One of constants that $as_stored makes. */
  $in_stored: define('value ANY, ...items ANY -> BOOL', ({ value, items }) => inList(value, items), { strict: 'first' }),
  /** True where `text` is what a UUID or an address reads as. It may be false where it ought to be NULL. */
  $reads_as: define('value ANY, text STRING, type STRING -> BOOL', ({ value, text }, c) => {
    const stored = call(`to${String(c.constant(2))}OrDefault`, text);
    return infix('AND', infix('=', value, stored), infix('=', call('toString', stored), text));
  }),
  /** The same of an Enum, whose members are `names`. */
  $reads_as_member: define('value ANY, text STRING, ...names STRING -> BOOL', ({ value, text, names: [first = lit(''), ...others] }) => {
    const member = inList(text, [first, ...others]);
    return infix('AND', infix('=', value, iff(member, text, first)), member);
  }),
});
