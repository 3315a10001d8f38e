// Times in nanoseconds around 1970 and at the last one that there is: compared as the microseconds that queries see, in any form.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { INT64, TIMESTAMP } from '../../src/sql/base/types.ts';
import { translate } from '../../src/sql/index.ts';
import type { Source, SourceCatalog } from '../../src/sql/source.ts';
import { type TempFolder, tempFolder } from '../support/temp-store.ts';

const LAST = 9_223_372_036_854_775_807n;
const NANOSECONDS = [
  -2001n,
  -2000n,
  -1999n,
  -1001n,
  -1000n,
  -999n,
  -1n,
  0n,
  1n,
  999n,
  1000n,
  1001n,
  1999n,
  2000n,
  LAST - 1808n,
  LAST - 808n,
  LAST - 807n,
];
const MICROSECONDS = [-3n, -2n, -1n, 0n, 1n, 2n, 3n, LAST / 1000n - 1n, LAST / 1000n];

const TICKS: Source = {
  name: 'ticks',
  database: 'default',
  table: 'ticks',
  columns: [
    { name: 'id', type: INT64, read: { layout: 'column', column: 'id', clickhouseType: 'Int64' } },
    {
      name: 'moment',
      type: TIMESTAMP,
      read: { layout: 'column', column: 'at', clickhouseType: 'DateTime64(9)', castTo: "DateTime64(6, 'UTC')" },
    },
  ],
};
const sources: SourceCatalog = { names: ['ticks'], find: () => TICKS };

let data: TempFolder;
let engine: EmbeddedEngine;
beforeAll(async () => {
  data = tempFolder();
  engine = await openEmbedded({ path: data.path });
  await engine.command('CREATE TABLE default.ticks (id Int64, at DateTime64(9)) ENGINE = MergeTree ORDER BY at');
  const rows = NANOSECONDS.map((nanoseconds, i) => `(${i}, fromUnixTimestamp64Nano(toInt64(${nanoseconds})))`);
  await engine.command(`INSERT INTO default.ticks VALUES ${rows.join(', ')}`);
});
afterAll(async () => {
  await engine.close();
  data.remove();
});

const CONDITIONS: Readonly<Record<string, (seen: bigint, value: bigint) => boolean>> = {
  'moment < $': (seen, value) => seen < value,
  'moment <= $': (seen, value) => seen <= value,
  'moment > $': (seen, value) => seen > value,
  'moment >= $': (seen, value) => seen >= value,
  'moment = $': (seen, value) => seen === value,
  'moment != $': (seen, value) => seen !== value,
  '$ < moment': (seen, value) => value < seen,
  '$ >= moment': (seen, value) => value >= seen,
  'not moment >= $': (seen, value) => seen < value,
  'not (moment = $ or moment < $)': (seen, value) => seen > value,
  'moment between $ and $': (seen, value) => seen === value,
  'moment not between $ and $': (seen, value) => seen !== value,
};

test.each(Object.entries(CONDITIONS))('%s', async (condition, holds) => {
  for (const micros of MICROSECONDS) {
    // What fits a microsecond: the last nanoseconds are cut to one that is still there. BigInt division cuts towards 0, as ClickHouse's cast does.
    const expected = NANOSECONDS.flatMap((nanoseconds, i) => (holds(nanoseconds / 1000n, micros) ? [i] : []));
    // A constant when the query is written, and one when it runs.
    for (const value of [`timestamp_micros(${micros})`, `timestamp_micros(${micros} + cast(@zero as int64))`]) {
      const { parameters, ...translation } = translate(`select id from ticks where ${condition.replaceAll('$', value)} order by id`, {
        sources,
        parameters: { zero: INT64 },
      });
      const bindings = parameters.map(({ name, type }) => ({ name, type, value: 0n }));
      const { rows } = await engine.execute({ ...translation, bindings });
      expect({ value, ids: rows.flat() }).toEqual({ value, ids: expected });
    }
  }
});

test.each([
  ['timestamp_sub(current_timestamp(), interval 1 hour)', true],
  ["timestamp_trunc(current_timestamp(), day, 'Europe/Paris')", true],
  ['case @zero when 0 then current_timestamp() when 1 then timestamp_sub(current_timestamp(), interval 90 day) end', true],
  ['timestamp_sub(current_timestamp(), interval 36500 day)', false],
  ['timestamp_micros(unix_micros(current_timestamp()) * 2)', false],
  ['timestamp_sub(current_timestamp(), interval cast(@zero as int64) hour)', false],
])('%s, which is %s to be of our age', async (value, isNear) => {
  const nanoseconds = (condition: string) =>
    translate(`select id from ticks where ${condition} order by id`, { sources, parameters: { zero: INT64 }, instant: 'parameter' });
  for (const operator of ['<', '<=', '>', '>=']) {
    const translation = nanoseconds(`moment ${operator} ${value}`);
    expect([operator, /807/.test(translation.sql)]).toEqual([operator, !isNear]);
    const bindings = translation.parameters.map(({ name, type }) => ({
      name,
      type,
      value: name === 'zero' ? 0 : '2026-01-02 03:04:05.678901',
    }));
    const { rows } = await engine.execute({ ...translation, bindings });
    const before = NANOSECONDS.flatMap((of, i) =>
      of < (value.includes('36500') ? -1_000_000_000_000_000_000n : 1_800_000_000_000_000_000n) ? [i] : [],
    );
    const after = NANOSECONDS.flatMap((_, i) => (before.includes(i) ? [] : [i]));
    const all = value.includes('* 2')
      ? [NANOSECONDS.slice(0, 14).map((_, i) => i), NANOSECONDS.slice(14).map((_, i) => i + 14)]
      : [before, after];
    expect([operator, rows.flat()]).toEqual([operator, all[operator.startsWith('<') ? 0 : 1]]);
  }
});

test.each([
  ['1 hour', true],
  ['36500 day', false],
])('the first time of a series that begins %s ago, which is %s to be of our age', (ago, isNear) => {
  const series = (unit: string) =>
    `generate_timestamp_array(timestamp_trunc(timestamp_sub(current_timestamp(), interval ${ago}), ${unit}), timestamp_trunc(current_timestamp(), ${unit}), interval 1 ${unit})`;
  const { sql } = translate(
    `with chart as (select case @zero when 0 then ${series('hour')} else ${series('minute')} end as starts)
     select id from ticks cross join chart where moment >= chart.starts[offset(0)]`,
    { sources, parameters: { zero: INT64 }, instant: 'parameter' },
  );
  expect(/807/.test(sql)).toBe(!isNear);
});
