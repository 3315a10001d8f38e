// What the text of an assertion is taken for.
import { describe, expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { readExpression } from '../../src/checks/expression.ts';

const kinds: readonly (readonly [string, boolean, readonly string[]])[] = [
  ['total >= 0', false, []],
  ['count(*) > 0', true, ['count(*)']],
  ['max(p99) < 1500 and min(p99) > 0', true, ['max(p99)', 'min(p99)']],
  ['countif(status >= 500) / count(*) < 0.01 or count(*) = 0', true, ['countif(status >= 500)', 'count(*)']],
  ['logical_and(n > 0)', true, ['logical_and(n > 0)']],
  ['count(*) over (partition by id) = 1', false, []],
  ['total = (select max(x) from unnest([1, 2]) as x)', false, []],
  ['n in (select max(x) from unnest([1, 2]) as x)', false, []],
  ['array_length(array_agg(n)) > 3', true, []],
  ['true', false, []],
];

describe('an assertion', () => {
  test.each(kinds)('%s is about all rows or each, and has its measures', (text, aggregate, measures) => {
    const expression = readExpression(text);
    expect([expression.text, expression.aggregate, expression.measures.map(({ name }) => name)]).toEqual([text, aggregate, measures]);
  });

  test('is read without the comments around it, and knows where it begins', () => {
    expect(readExpression('/* rows */ (n > 1) -- all of them')).toEqual({ text: '(n > 1)', offset: 11, aggregate: false, measures: [] });
  });

  test.each([
    '1) from t where (1',
    'n > 1, m > 1',
    'n > 1 as ok',
    'n > 1 from edge_logs',
    'n > 1 limit 1',
    'n > 1 union all select true',
    '*',
    'distinct n > 1',
    'n > 1 |> limit 1',
    '',
  ])('that is no single expression is refused: %s', (text) => {
    expect(() => readExpression(text)).toThrow(QuernError);
  });

  test('with a mistake has the place of the mistake in its own text', () => {
    try {
      readExpression('n > > 1');
      expect.unreachable();
    } catch (error) {
      expect(error instanceof QuernError && [error.code, error.details.span]).toEqual(['syntax', { start: 4, end: 5 }]);
    }
  });
});
