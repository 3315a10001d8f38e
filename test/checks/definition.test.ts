import { describe, expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { renderError } from '../../src/output/error.ts';
import { parseSavedQuery } from '../../src/queries/header/header.ts';

const query = (checks: string) =>
  parseSavedQuery({ name: 'q.sql', text: `/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aab10\n${checks}\n---*/\nselect 1 as n` }, 'q');

const read = (checks: string) =>
  query(checks).checks?.map(({ params, assertions }) => ({
    params,
    assertions: assertions.map(({ place: _, thresholdPlace: __, ...assertion }) => assertion),
  }));

function refusal(checks: string): string {
  try {
    query(checks);
  } catch (error) {
    if (error instanceof QuernError) return renderError(error, { colour: false, verbose: false });
    throw error;
  }
  return 'nothing is wrong';
}

describe('checks in a header', () => {
  test('are expressions and built-in rules; those that need arguments are in groups', () => {
    const plain = { severity: 'error', tags: [], where: [] };
    expect(
      read(`checks:
  - count(*) > 0
  - { assert: n  >= 0, name: never negative, description: since it counts, severity: warn, tags: [slow], warn_if: '>= 3' }
  - params: { project: demo, code: 007, long: 12345678901234567890, list: [a, 1], nothing: null }
    severity: warn
    tags: nightly
    assertions:
      - { not_null: [a, b], tags: [slow] }
      - unique: id`),
    ).toEqual([
      {
        params: {},
        assertions: [
          { name: 'count(*) > 0', ...plain, rule: { kind: 'assert', text: 'count(*) > 0' } },
          {
            name: 'never negative',
            description: 'since it counts',
            severity: 'warn',
            tags: ['slow'],
            where: [],
            rule: { kind: 'assert', text: 'n  >= 0' },
            warnIf: { operator: '>=', rows: 3 },
          },
        ],
      },
      {
        params: { project: 'demo', code: '007', long: '12345678901234567890', list: ['a', 1], nothing: null },
        assertions: [
          {
            name: 'not_null: a, b',
            severity: 'warn',
            tags: ['nightly', 'slow'],
            where: [],
            rule: { kind: 'not_null', columns: ['a', 'b'] },
          },
          { name: 'unique: id', severity: 'warn', tags: ['nightly'], where: [], rule: { kind: 'unique', columns: ['id'] } },
        ],
      },
    ]);
  });

  test('know the kinds freshness, row_count and accepted_values', () => {
    const rules = read(`checks:
  - freshness: { column: timestamp, within: 1h }
  - row_count: { min: 1, max: 50 }
  - accepted_values: { state: [open, 'it''s', 3, true] }`)?.flatMap(({ assertions }) => assertions.map(({ name, rule }) => [name, rule]));
    expect(rules).toEqual([
      ['freshness: timestamp within 1h', { kind: 'freshness', column: 'timestamp', within: '1h', withinSeconds: 3600 }],
      ['row_count: at least 1, at most 50', { kind: 'row_count', min: 1, max: 50 }],
      ["accepted_values: state in open, it's, 3, true", { kind: 'accepted_values', column: 'state', values: ['open', "it's", 3, true] }],
    ]);
  });

  test('that are wrong are told of all at once, each with its line and what to do', () => {
    expect(
      refusal(`checks:
  - 7
  - { asert: n > 0 }
  - { not_null: id, unique: id }
  - { freshness: { column: at, within: 3600 } }
  - { row_count: { min: 9, max: 3 } }
  - { accepted_values: { state: [1.5] } }
  - { assert: n > 0, warn_if: '> 3' }
  - { assert: n > 0, severity: warn, error_if: '> 3' }
  - { assert: n > 0, error_if: many }
  - { assert: n > 0, severity: fatal, tags: [a b] }
  - params: [1]
  - params: { x: [[1]] }
    assertions: []`),
    ).toMatchInlineSnapshot(`
      "error[config]: the header of q.sql has 16 problems
        --> q.sql:4:5
         |
       4 |   - 7
         |     ^
         = line 4    checks[0]                   7 is not an assertion (write an expression such as count(*) > 0, or one of: assert, not_null, unique, accepted_values, relationships, freshness, row_count, change)
         = line 5    checks[1]                   has no condition (write an expression such as count(*) > 0, or one of: assert, not_null, unique, accepted_values, relationships, freshness, row_count, change)
         = line 5    checks[1].asert             is not a field of an assertion (did you mean assert?)
         = line 6    checks[2].unique            is a second rule in addition to not_null (make it a separate assertion)
         = line 7    checks[3].freshness.within  3600 is not a duration (for example 30m, 1h or 2d)
         = line 8    checks[4].row_count         has a min of 9 above its max of 3
         = line 9    checks[5].accepted_values   1.5 cannot be compared exactly (write an expression instead, with \`assert\`)
         = line 10   checks[6].warn_if           has no effect: any row is already an error (add error_if: '> 100', or severity: warn)
         = line 11   checks[7].error_if          has no effect: the severity is warn (remove one of the two)
         = line 12   checks[8].error_if          "many" is not a condition on the number of rows (write it like '> 10', or '> 1%')
         = line 13   checks[9].severity          "fatal" is not one of: error, warn
         = line 13   checks[9].tags              ["a b"] is not a list of tags (write it as [nightly, slow])
         = line 14   checks[10]                  has no assertions (add \`assertions:\` with a list)
         = line 14   checks[10].params           must map names of parameters to arguments (write them as { project: demo })
         = line 15   checks[11].params           must have a value, a list of values or the fields of a STRUCT for x (write them as { project: demo })
         = line 16   checks[11].assertions       is empty
      "
    `);
  });

  test('must be a list', () => {
    expect(refusal('checks: count(*) > 0')).toMatchInlineSnapshot(`
      "error[config]: checks must be a list
        --> q.sql:3:9
         |
       3 | checks: count(*) > 0
         |         ^^^^^^^^^^^^
      "
    `);
  });
});
