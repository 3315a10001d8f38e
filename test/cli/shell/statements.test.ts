// Where statements end.
import { expect, test } from 'vitest';
import { statementsOf } from '../../../src/cli/shell/statements.ts';

test.each<[typed: string, statements: readonly string[], rest: string]>([
  ['select 1;\n', ['select 1'], ''],
  ['select 1\n', [], 'select 1\n'],
  ['select 1; select 2;\nselect 3\n', ['select 1', ' select 2'], '\nselect 3\n'],
  [
    "select ';', \";\", `a;b`, '''x';\n''', r'\\';' -- ;\n, /* ; */ 1 # ;\n;\n",
    ["select ';', \";\", `a;b`, '''x';\n''', r'\\';' -- ;\n, /* ; */ 1 # ;\n"],
    '',
  ],
  ["select 'it''s'; select 2\n", ["select 'it''s'"], ' select 2\n'],
  ["select '''open;\n", [], "select '''open;\n"],
  ['select /* open;\n', [], 'select /* open;\n'],
  ['select `open;\n', [], 'select `open;\n'],
  ['select 5 / 2 - 1;\n', ['select 5 / 2 - 1'], ''],
  ['declare x int64 default 1; set x = 2; select x;\n', ['declare x int64 default 1; set x = 2; select x'], ''],
  ['-- why\ncreate temp function f() as (1);\n', [], '-- why\ncreate temp function f() as (1);\n'],
  ['create temp table t as select 1 as a;;\n', ['create temp table t as select 1 as a;'], ''],
  [';;\n', [], ''],
])('%j', (typed, statements, rest) => {
  expect(statementsOf(typed)).toEqual({ statements, rest });
});
