// The `names:` section of quern.yaml: what can be a rule, and every problem of those that cannot.
import { expect, test } from 'vitest';
import { partOf } from '../../src/fields/value-at.ts';
import { readYaml } from '../../src/fields/yaml.ts';
import { readNameRules } from '../../src/sources/names.ts';
import { failure } from '../support/told.ts';

const rulesOf = (text: string) =>
  readNameRules(partOf(readYaml(text, { name: 'quern.yaml', text }, 'quern.yaml'), 'names') ?? { value: null });

test('rules are read in their order', () => {
  expect(rulesOf('names:\n  "b-proj.*.*": "{2}.{3}"\n  a.b: t\n')).toEqual([
    { text: 'b-proj.*.*', pattern: ['b-proj', '*', '*'], target: ['{2}', '{3}'] },
    { text: 'a.b', pattern: ['a', 'b'], target: ['t'] },
  ]);
  expect(rulesOf('names:\n')).toEqual([]);
  expect(rulesOf('sources:\n')).toEqual([]);
});

test.each([
  ['names: [a.b]\n', { message: 'names must be a mapping of names', at: '1:8', hint: 'write names: { "my-proj.*.*": "{2}.{3}" }' }],
  ['names:\n  a.b c: t\n', { message: 'names.a.b c is not a name with * for its parts', at: '2:3', hint: 'write "my-proj.*.*"' }],
  ['names:\n  a.b: 7\n', { message: 'names.a.b must be the name of a table', at: '2:8', hint: 'write "{2}.{3}"' }],
  ['names:\n  a.b: system.one\n', { message: "names.a.b would open the database system, which is the engine's own", at: '2:8' }],
  [
    'names:\n  a: t\n  a.b: x.y.z\n  a.*: "{3}"\n',
    {
      message: 'the section names has 3 problems',
      at: '2:3',
      problems: [
        'line 2 | names.a | has no dot (names without a dot belong to sources and WITH tables: use `aliases` of a source)',
        'line 3 | names.a.b | "x.y.z" is not database.table (write "{2}.{3}")',
        'line 4 | names.a.* | has no part {3} (a.* has 2 parts, the first is {1})',
      ],
    },
  ],
])('%j is refused', (text, expected) => {
  expect(failure(() => rulesOf(text))).toEqual({ code: 'config', ...expected });
});
