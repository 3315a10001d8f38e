// What is added to a quern.yaml: all else in it stays as it was.
import { expect, test } from 'vitest';
import { withEntries } from '../../src/config/add-entries.ts';

const rule = { names: { 'p.*.*': '{2}.{3}' } };
const added = '  "p.*.*": "{2}.{3}"\n';

test.each([
  ['', `names:\n${added}`],
  ['queries: queries', `queries: queries\n\nnames:\n${added}`],
  ['names:\n', `names:\n${added}`],
  ['names:', `names:\n${added}`],
  ['names: # none yet\n\n# more\nformat: csv\n', `names: # none yet\n${added}\n# more\nformat: csv\n`],
  [`names:\n  a.*: "{2}" # one\n\n# end`, `names:\n  a.*: "{2}" # one\n${added}\n# end`],
  [`names:\n  a.*: "{2}"`, `names:\n  a.*: "{2}"\n${added}`],
  [`names:\n  "p.*.*": other.{3}\n`, `names:\n  "p.*.*": other.{3}\n`],
])('%j', (text, after) => {
  expect(withEntries(text, rule)).toBe(after);
});

test('sources of several lines', () => {
  const before = 'sources:\n  orders:\n    table: shop.orders\n    # its aliases\n    aliases: [a,\n      b]\n\nformat: csv\n';
  expect(withEntries(before, { sources: { carts: { table: 'carts' } } })).toBe(
    before.replace('b]\n', 'b]\n  "carts":\n    table: carts\n'),
  );
});

test('a section in one line has no room', () => {
  expect(() => withEntries('names: { a.*: "{2}" }\n', rule)).toThrow(
    'names: in quern.yaml is written in a form to which nothing can be added',
  );
});
