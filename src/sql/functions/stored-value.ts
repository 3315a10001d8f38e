// What rules say of values in the types that a table holds them in, where queries see others. Names that users cannot write.
import { call, cast, iff, infix, inList, lit } from '../target/build.ts';
import { define, type Family } from './define.ts';

export const storedValue = (): Family => ({
  /** The text as a constant of a ClickHouse type. */
  $as_stored: define('text STRING, type STRING -> ANY', ({ text }, c) => cast(text, String(c.constant(1)))),
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
