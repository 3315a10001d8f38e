// The formatter: how it lays a query out, and that it never changes anything else.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLAUSES } from '../../../src/sql/lint/clauses.ts';
import { formatQuery } from '../../../src/sql/syntax/formatter/format.ts';
import { tokenize } from '../../../src/sql/syntax/lexer/lexer.ts';
import { parseScript } from '../../../src/sql/syntax/parser/parse-script.ts';
import { formatProblem } from '../fuzz/check.ts';
import { seeded } from '../fuzz/random.ts';
import { textOf } from '../fuzz/run.ts';

describe('formatQuery', () => {
  const long = 'a_rather_long_name_of_a_column';
  test.each([
    ['what fits stays on its line', 'select  a,b  from t where x=1', 'select a, b from t where x = 1\n'],
    ['clauses that were apart stay apart', 'select a\nfrom t where x', 'select a\nfrom t\nwhere x\n'],
    [
      'what does not fit is broken at clauses, then at items and conditions',
      `select ${long} as one, ${long} as two, ${long} as three from t where ${long} = 1 and ${long} between 2 and 3 and ${long} = 4 or x`,
      `select
  ${long} as one,
  ${long} as two,
  ${long} as three
from t
where ${long} = 1
  and ${long} between 2 and 3
  and ${long} = 4
  or x
`,
    ],
    [
      'keywords get the case that most of them have, names keep theirs',
      'SELECT Id, t.end FROM T as t WHERE A and Count(*)',
      'SELECT Id, t.end FROM T AS t WHERE A AND Count(*)\n',
    ],
    [
      'comments stay where they are',
      '-- above\nselect a, -- first\n  b /* two */, -- second\n  -- alone\n  c from t -- last\n-- the end',
      '-- above\nselect\n  a, -- first\n  b /* two */ , -- second\n  -- alone\n  c\nfrom t -- last\n-- the end\n',
    ],
    [
      'brackets, CASE and windows are broken when they do not fit',
      `select case x when 1 then ${long} when 2 then ${long} else ${long} end as c, sum(${long}) over (partition by ${long} order by x) as w from t`,
      `select
  case x
    when 1 then ${long}
    when 2 then ${long}
    else ${long}
  end as c,
  sum(${long}) over (partition by ${long} order by x) as w
from t
`,
    ],
    [
      'signs, differences, dashed names, shifts and types keep what tells them apart',
      'select -1, a - -b, a-b, x>>1, array<struct<a int64>>[], - -1 from my-project.data.t',
      'select -1, a - -b, a - b, x >> 1, array<struct<a int64>>[], - -1 from my-project.data.t\n',
    ],
    [
      'operators between two values have blanks around them',
      'select a<b, (a)>-1, f(-x)-1, [1]-2, a=-1, -a-b, cast(x as array<struct<a int64>>), interval -1 day, x<<2>y from my-proj.t where a-1<b-(c-d) |> where a>1',
      `select
  a < b,
  (a) > -1,
  f(-x) - 1,
  [1] - 2,
  a = -1,
  -a - b,
  cast(x as array<struct<a int64>>),
  interval -1 day,
  x << 2 > y
from my-proj.t
where a - 1 < b - (c - d)
|> where a > 1
`,
    ],
    [
      'statements before the query have lines of their own',
      'declare x, y int64 default 5;SET (x,y) = (1,2);\ncreate or replace temp table t partition by d as select 1 as d;\n\nselect d from t',
      'declare x, y int64 default 5;\nset (x, y) = (1, 2);\ncreate or replace temp table t partition by d as select 1 as d;\n\nselect d from t\n',
    ],
    [
      'pipe syntax has a line for each operator',
      'from t\n|> where a=1 |> aggregate count(*) as n group by b',
      'from t\n|> where a = 1\n|> aggregate count(*) as n group by b\n',
    ],
  ])('%s', (_, text, formatted) => {
    expect(formatQuery(text)).toBe(formatted);
  });

  test('the case of keywords can be chosen', () => {
    expect(formatQuery('select If(a, b, c) From t', 'upper')).toBe('SELECT If(a, b, c) FROM t\n');
    expect(formatQuery('select If(a, b, c) From t', 'keep')).toBe('select If(a, b, c) From t\n');
  });

  test('a text that cannot be parsed is refused', () => {
    expect(() => formatQuery('select from')).toThrow('expected');
  });
});

describe('any query', () => {
  const folder = join(import.meta.dirname, '../../../queries');
  const shipped = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const written = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/'((?:select|with|from)\b[^'\\]*)'/gi)])
    .map(([, text]) => text ?? '');
  // test/sql/fuzz has many more of these.
  const made = Array.from({ length: 300 }, (_, seed) => textOf(seed, shipped));
  const queries = [...shipped, ...CLAUSES.map(({ example }) => example), ...written, ...made].filter(parses);

  test('means the same afterwards, and formatting it again changes nothing', () => {
    expect(queries.length).toBeGreaterThan(300);
    expect(queries.flatMap((text) => formatProblem(text) ?? [])).toEqual([]);
  });

  test('also with comments and line breaks anywhere', () => {
    const random = seeded(7);
    const blanks = ['\n', '\n\n', '  ', ' /* in */ ', ' -- to the end\n', '\n-- alone\n', '\n/* several\n   lines */\n'];
    const scattered = queries.slice(0, 200).map((text) =>
      tokenize(text)
        .tokens.map((token, i, all) => {
          const gap = text.slice(all[i - 1]?.end ?? 0, token.start);
          const more = gap !== '' && random.chance(0.2) ? random.pick(blanks) : '';
          return `${gap}${more}${text.slice(token.start, token.end)}`;
        })
        .join(''),
    );
    expect(scattered.filter(parses).flatMap((text) => formatProblem(text) ?? [])).toEqual([]);
  });
});

function parses(text: string): boolean {
  try {
    return parseScript(text) !== undefined;
  } catch {
    return false;
  }
}
