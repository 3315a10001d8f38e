// Every construct of the grammar, made as large as a caller may make it: translated or refused, at once, and the same on every stack.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import type { CallersText } from '../../../src/execution/callers-text.ts';
import type { Reply } from '../../../src/server/translation/reply.ts';
import { withSteps } from '../../../src/sql/base/budget.ts';
import { countedCode } from '../../support/counted-work.ts';
import { LONGEST, OPTIONS, SAVED, SHAPES } from './index.ts';
import { outcome } from './outcome.ts';

/** Blocks of code that a caller's text may take: 50 to 250 ms on a machine that does nothing else. Most texts take a tenth. */
const MOST_BLOCKS = 10_000_000;

describe('a text of 32 KB is translated or refused at once:', async () => {
  const code = await countedCode(join(import.meta.dirname, 'outcome.ts'));
  afterAll(() => code.close());

  test.each(Object.entries(SHAPES))('%s', async (_, shape) => {
    const sql = shape(LONGEST);
    expect(sql.length).toBeLessThanOrEqual(LONGEST + 100);
    const { result, blocks } = await code.call<string>('outcome', sql);
    expect(result).not.toMatch(/^internal|^no place|to be translated here/);
    expect(blocks).toBeLessThan(MOST_BLOCKS);
  });
});

/** What a translating thread of the build, with a stack of that many megabytes, makes of each text. */
async function onStack(stackSizeMb: number, texts: readonly string[]): Promise<readonly string[]> {
  const worker = new Worker(new URL('../../../dist/translation-worker.js', import.meta.url), { resourceLimits: { stackSizeMb } });
  const { sources, savedQuery: _, ...options } = OPTIONS;
  const logs = sources?.find('edge_logs');
  const scope = {
    saved: SAVED,
    savedQueries: new Map(),
    sources: new Map(logs === undefined ? [] : [['edge_logs', logs]]),
    sourceNames: [],
    options,
  };
  const outcomes: string[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      worker.on('error', reject);
      worker.on('message', (reply: { readonly ready?: unknown } | Reply) => {
        if ('translation' in reply) outcomes.push('translated');
        else if ('error' in reply) outcomes.push(`${reply.error.code}: ${reply.error.message}`);
        else if ('fault' in reply) outcomes.push(`fault: ${reply.fault.message}`);
        const sql = texts[outcomes.length];
        if (sql === undefined) resolve();
        else worker.postMessage({ ...scope, sql } satisfies CallersText);
      });
    });
  } finally {
    await worker.terminate();
  }
  return outcomes;
}

test('what is translated and what is refused does not hang on the stack', async () => {
  const texts = [1500, 6000].flatMap((size) => Object.values(SHAPES).map((shape) => shape(size)));
  const [small, large] = [await onStack(0.9, texts), await onStack(4, texts)];
  expect(small).toEqual(large);
  expect(small.filter((text) => /to be translated here|fault/.test(text))).toEqual([]);
}, 600_000);

describe('what people write is far from the bounds:', () => {
  const list = (count: number, item: (i: number) => string, by = ', ') => Array.from({ length: count }, (_, i) => item(i)).join(by);
  const statuses = 'from logs t cross join unnest(metadata) as m cross join unnest(m.response) as response';
  /** A third of the steps that a caller has. */
  const STEPS = 50_000;

  test.each([
    [
      'the queries of Studio',
      `select cf.country, count(t.id) as count, approx_quantiles(response.origin_time, 100)[offset(95)] as p95, countif(response.status_code >= 500) as e
       from logs t cross join unnest(metadata) as m cross join unnest(m.response) as response cross join unnest(m.request) as request
       cross join unnest(request.cf) as cf where (request.path like '%rest/v1%' or request.path like '%auth/v1%') and response.status_code >= 400
       group by 1 order by count desc limit 10`,
    ],
    [
      '30 WITH tables of groups',
      `with c0 as (select timestamp_trunc(t.timestamp, hour) as hour, response.status_code as status, count(*) as n ${statuses} group by 1, 2),
       ${list(29, (i) => `c${i + 1} as (select hour, status, count(*) as n from c${i} where status > ${i} group by 1, 2)`)}
       select a.hour, a.n, b.n as m from c29 a join c10 b on a.hour = b.hour and a.status = b.status order by 1 limit 100`,
    ],
    ['a list of 800 values', `select id from logs where id in (${list(800, (i) => `'7a0e9c52-1f0b-4e53-8a67-3f5d3f0b${1000 + i}'`)})`],
    ['300 patterns', `select id from logs where ${list(300, (i) => `event_message like '%abc${i}%'`, ' or ')}`],
    ['200 aggregates', `select ${list(200, (i) => `countif(response.status_code = ${i}) as s${i}`)} ${statuses}`],
    [
      '60 joins',
      `select count(*) as c from numbers as a0 ${list(60, (i) => `left join numbers as a${i + 1} on a${i + 1}.n = a${i}.n`, ' ')}`,
    ],
    [
      '60 pipe operators',
      `from numbers ${list(30, (i) => `|> extend n + ${i} as x${i} |> where x${i} > ${i}`, ' ')} |> aggregate count(*) as c`,
    ],
  ])('%s', (_, sql) => {
    expect(withSteps(STEPS, () => outcome(sql))).toBe('translated');
  });
});
