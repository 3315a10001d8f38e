// A check at run time is a node of the ClickHouse tree: passes look at its kind, and only printing knows how ClickHouse takes it.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { SqlExpression } from '../../../src/sql/target/ast.ts';
import { call, failIf, failing, ident, infix, isNull, lit, select } from '../../../src/sql/target/build.ts';
import { printExpr, printStatement } from '../../../src/sql/target/print.ts';
import { specialize } from '../../../src/sql/target/specialize.ts';

const SQL = new URL('../../../src/sql/', import.meta.url);
const isSmall = (value: SqlExpression): SqlExpression => infix('<', value, lit(1));
const parameter: SqlExpression = { kind: 'param', name: 'p', type: 'Nullable(Int64)' };

test.each([
  ['of a row', failIf(isSmall(ident('x')), 'small', ident('x')), "if(throwIf(ifNull(x < 1, false), 'small') = 0, x, NULL)"],
  ['of a condition that is never NULL', failIf(isNull(ident('x')), 'none', lit(2)), "if(throwIf(x IS NULL, 'none') = 0, 2, NULL)"],
  ['of constants', failIf(isSmall(parameter), 'small', lit(2)), "if(toUInt8(if({p:Nullable(Int64)} < 1, 'small', '0')) = 0, 2, NULL)"],
  [
    'of an aggregate',
    failIf(isSmall(call('min', lit(3))), 'small', lit(2)),
    "if(throwIf(ifNull(min(3) < 1, false), 'small') = 0, 2, NULL)",
  ],
  ['for its number', infix('+', failing(isSmall(ident('x')), 'small'), lit(1)), "throwIf(x < 1, 'small') + 1"],
])('a check %s', (_, check, written) => {
  expect(printExpr(check, '')).toBe(written);
});

test.each([
  [5n, 'SELECT 2 AS v'],
  [null, 'SELECT 2 AS v'],
  [0n, "SELECT if(toUInt8(if({p:Nullable(Int64)} < 1, 'small', '0')) = 0, 2, NULL) AS v"],
])('a check that passes for the argument %s leaves its value', (value, written) => {
  const statement = select([{ alias: 'v', value: failIf(isSmall(parameter), 'small', lit(2)) }], null);
  expect(printStatement(specialize(statement, new Map([['p', value]])).statement)).toBe(written);
});

test('only printing writes throwIf', () => {
  const files = readdirSync(SQL, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  expect(files.filter((file) => readFileSync(new URL(file, SQL), 'utf8').includes("'throwIf'"))).toEqual(['target/print.ts']);
});
