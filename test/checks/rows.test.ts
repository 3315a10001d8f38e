// Which rows an assertion looks at, how many may break it, and keys that another query must have.
import { describe, expect, test } from 'vitest';
import { AS_OF, checkHome, header } from './check-home.ts';

const home = checkHome();
const { check, write } = home;
const run = async (name: string, assertions: string, group = '') => {
  write(`${name}.yaml`, `checks:\n  - query: numbers\n${group}    assertions:\n${assertions}`);
  return check([`${name}.yaml`, ...AS_OF]);
};

describe('where', () => {
  // n is 4, 3, 2, 1; word is NULL for 3.
  test('an assertion looks at the rows of which the condition is true', async () => {
    const { report, exitCode } = await run(
      'where',
      `      - count(*) = 4
      - { assert: count(*) = 2, where: n > 2 }
      - { assert: max(n) = 2, where: result.n < @top - 1 }
      - { not_null: word, where: n != 3 }
      - { not_null: word, where: n > 2 }
      - { assert: count(*) = 3, where: word = 'w' }
      - { unique: h, where: 'n in (1, 2)' }
      - { assert: count(*) > 0, where: n > 100 }
      - { row_count: { min: 1 }, where: n = 1 }
`,
    );
    expect([exitCode, report]).toEqual([
      1,
      `numbers
  ok    count(*) = 4
  ok    count(*) = 2
  ok    max(n) = 2
  ok    not_null: word
  FAIL  not_null: word
        fails for 1 of 2 rows
        where.yaml:8
        ┌───┬───┬──────┐
        │ n │ h │ word │
        ├───┼───┼──────┤
        │ 3 │ 1 │ NULL │
        └───┴───┴──────┘
  ok    count(*) = 3
  ok    unique: h
  FAIL  count(*) > 0
        count(*) is 0
        where.yaml:11
  ok    row_count: at least 1

9 assertions: 7 ok, 2 failed
`,
    ]);
  });

  test('that of a group holds for all of it, and together with their own', async () => {
    const { report } = await run(
      'group',
      `      - count(*) = 3
      - { assert: count(*) = 2, where: n < 4 }
      - n > 2
`,
      '    where: n > 1\n',
    );
    expect(report).toContain('FAIL  n > 2\n        fails for 1 of 3 rows\n');
    expect(report).toContain('3 assertions: 2 ok, 1 failed');
  });

  test('others that were not looked at are told all the same', async () => {
    const { report } = await run('limit', `      - { assert: count(*) = 1, where: n = 9 }\n`, '    params: { top: 9 }\n');
    expect(report).toContain('the query returns at most 6 rows (max_rows)');
  });

  test.each([
    ['not a condition', 'n +', /where-1\.yaml:4:\d+/],
    ['no BOOL', 'n + 1', /the condition is of type INT64, so it is neither true nor false/],
    ['an unknown column', 'm > 1', /m\b/],
    ['about all rows', 'count(*) > 1', /this is about all rows together, but `where` is about each row/],
  ])('%s is refused, with its place', async (_, where, message) => {
    const { report, stderr, exitCode } = await run('where-1', `      - { assert: n > 0, where: '${where}' }\n`);
    expect([report, exitCode]).toEqual(['', 2]);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/--> where-1\.yaml:4:\d+/);
  });
});

describe('thresholds in percent', () => {
  test.each([
    ["error_if: '> 25%'", 'fails for 1 of 4 rows', 'WARN'],
    ["error_if: '>= 25 %'", 'fails for 1 of 4 rows', 'FAIL'],
    ["error_if: '> 24.9%'", 'fails for 1 of 4 rows', 'FAIL'],
    ["error_if: '> 50%', warn_if: '> 25%'", 'fails for 1 of 4 rows, which is allowed', 'ok  '],
    ["error_if: '> 50%', where: n = 3", 'fails for the only row', 'FAIL'],
    ["error_if: '> 0%', where: n = 9", '', 'ok  '],
  ])('%s', async (fields, reason, mark) => {
    const { report } = await run('percent', `      - { not_null: word, ${fields} }\n`);
    expect(report).toContain(`  ${mark}  not_null: word\n`);
    expect(report).toContain(reason);
  });

  test.each(["'> 101%'", "'> -1%'", "'5%'", "'> 1.5'"])('%s is refused', async (threshold) => {
    const { stderr, exitCode } = await run('percent', `      - { not_null: word, error_if: ${threshold} }\n`);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/is not a condition on the number of rows\n[\s\S]*write it like '> 10', or '> 1%'/),
    ]);
  });
});

describe('relationships', () => {
  const known = (sql: string, fields = '') => write('mine/known.sql', `${header('40', `max_rows: 1\n${fields}`)}${sql}`);

  test('values that no key is are shown; NULL is none, and keys that are NULL hide nothing', async () => {
    known('select id, name from unnest([struct(1 as id, "w" as name), (2, "x"), (null, "y"), (4, null)])');
    const { report } = await run(
      'relationships',
      `      - relationships: { column: n, to: known, key: id }
      - { relationships: { column: n, to: known, key: id }, where: n != 3 }
      - relationships: { column: word, to: known, key: name }
      - relationships: { column: [n, word], to: known, key: [id, name] }
`,
    );
    expect(report).toBe(`numbers
  FAIL  relationships: n in known (id)
        fails for 1 of 4 rows
        relationships.yaml:4
        ┌───┬───┬──────┐
        │ n │ h │ word │
        ├───┼───┼──────┤
        │ 3 │ 1 │ NULL │
        └───┴───┴──────┘
  ok    relationships: n in known (id)
  ok    relationships: word in known (name)
  FAIL  relationships: n, word in known (id, name)
        fails for 2 of 4 rows
        relationships.yaml:7
        ┌───┬───┬──────┐
        │ n │ h │ word │
        ├───┼───┼──────┤
        │ 4 │ 2 │ w    │
        │ 2 │ 1 │ w    │
        └───┴───┴──────┘

4 assertions: 2 ok, 2 failed
`);
  });

  test('parameters of the other query are the check’s too', async () => {
    known('select id from unnest(generate_array(1, @last)) as id', 'params:\n  last: { type: integer, required: true }\n');
    const assertions = `      - relationships: { column: n, to: known, key: id }\n      - n > 0\n`;
    expect((await run('of-other', assertions, '    params: { last: 3 }\n')).report).toContain(
      'FAIL  relationships: n in known (id)\n        fails for 1 of 4',
    );
    expect((await run('of-other', assertions, '    params: { last: 4 }\n')).exitCode).toBe(0);
    const { stderr, exitCode } = await run('of-other', assertions);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/missing +--last|last/)]);
  });

  test('a source is as good as a query', async () => {
    write('n.csv', 'id\n1\n2\n3\n');
    await home.run(['load', 'ids', 'n.csv']);
    const { report } = await run('sources', `      - relationships: { column: n, to: ids, key: id }\n`);
    expect(report).toContain('fails for 1 of 4 rows');
  });

  test.each([
    ['{ column: n, to: nosuch }', /there is no source, saved query or WITH table named nosuch/],
    ['{ column: n, to: known, key: n }', /\bn\b/],
    ['{ column: n }', /has no to/],
    ['{ column: n, to: known, key: [a, b] }', /key has 2 columns, but column has 1/],
    ['{ column: m, to: known, key: id }', /\bm\b/],
  ])('%s is refused', async (rule, message) => {
    known('select 1 as id');
    const { stderr, exitCode } = await run('wrong', `      - relationships: ${rule}\n`);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(stderr).toContain('--> wrong.yaml:4:');
  });
});
