import { expect, test } from 'vitest';
import { columnsIn, withoutTable } from '../../scripts/differential/rows.ts';
import { shrink } from '../../scripts/differential/shrink.ts';
import { atom, compound, leaf, listOf, type Node, operand, optional, textOf } from '../../scripts/differential/tree.ts';
import { BOOL, INT64, STRING } from '../../src/sql/base/types.ts';

const one = (text: string) => atom(INT64, text);
const query: Node = {
  parts: [
    'SELECT ',
    listOf([
      { parts: [atom(INT64, 'ABS(', compound(INT64, operand(one('i')), ' + ', operand(atom(INT64, 'BAD(', one('j'), ')'))), ')')] },
      one('k'),
      one('id'),
    ]),
    ' FROM ',
    leaf('t1'),
    optional(' WHERE ', compound(BOOL, operand(one('k')), ' > 1')),
  ],
};

test('what a difference does not need is left out', async () => {
  const small = await shrink(query, async (next) => textOf(next).includes('BAD('));
  expect(textOf(small)).toBe('SELECT BAD(1) FROM t1');
});

test('what it needs stays, and no more questions are asked than allowed', async () => {
  let asked = 0;
  const same = await shrink(
    query,
    async () => {
      asked++;
      return false;
    },
    5,
  );
  expect([textOf(same), asked]).toEqual([textOf(query), 5]);
});

test('a node that stands in both texts of a query changes in both', async () => {
  const key = atom(STRING, 'UPPER(', atom(STRING, 'TRIM(', atom(STRING, 's'), ')'), ')');
  const both: Node = { parts: ['ROLLUP(', key, ')'], reference: ['(', key, ') UNION ALL ()'] };
  const small = await shrink(both, async (next) => textOf(next).includes('TRIM'));
  expect([textOf(small), textOf(small, 'reference')]).toEqual(["ROLLUP(TRIM('a'))", "(TRIM('a')) UNION ALL ()"]);
});

test('a table becomes the literals of the row that shows the difference', async () => {
  const columns = [
    { name: 'id', type: INT64 },
    { name: 's', type: STRING },
    { name: 'u', type: STRING },
  ];
  const table = {
    name: 't1',
    columns,
    rows: [
      [1n, 'a', 'x'],
      [2n, "b'", 'x'],
    ],
  };
  const over: Node = { parts: ['SELECT ', leaf("UPPER(s) || 'u'"), leaf(' FROM t1'), leaf(' ORDER BY id')] };
  expect(columnsIn(textOf(over), table)).toEqual(['id', 's']);
  const small = await withoutTable(over, table, async (next) => textOf(next).includes("b\\'"));
  expect(textOf(small)).toBe("SELECT UPPER(s) || 'u' FROM (SELECT 2 AS id, 'b\\'' AS s) ORDER BY id");
});
