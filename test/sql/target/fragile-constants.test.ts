// Shards are sent the values of constants, instead of their texts, only for constants that text may not carry: values have long names in all that shards return.
import { expect, test } from 'vitest';
import { STRING } from '../../../src/sql/base/types.ts';
import { bind } from '../../../src/sql/compile/specialize.ts';
import { translateSpecializable } from '../../../src/sql/index.ts';
import { EVENT_SOURCES } from '../events.ts';

const SETTING = 'optimize_const_name_size';
const translated = (condition: string) =>
  translateSpecializable(`select count(*) as n from all_events where ${condition}`, {
    sources: EVENT_SOURCES,
    parameters: { since: STRING, interval: STRING },
    instant: 'parameter',
  });

test.each([
  ["moment > timestamp '1969-12-31 23:59:59'", true],
  ["moment > timestamp '2024-01-01'", false],
  ['moment > timestamp_sub(current_timestamp(), interval 7 day)', false],
  ['moment > timestamp_sub(current_timestamp(), interval 40000 day)', true],
  ['moment > timestamp_sub(timestamp_sub(current_timestamp(), interval 17000 day), interval 17000 day)', true],
  ['moment > timestamp_sub(timestamp_sub(current_timestamp(), interval 9000 day), interval 200000 hour)', false],
  ['moment > timestamp_sub(timestamp_sub(current_timestamp(), interval 9000 day), interval 220000 hour)', true],
  ["moment > timestamp_sub(least(current_timestamp(), timestamp '2024-01-01'), interval 5000 day)", false],
  ["moment > timestamp_sub(timestamp '1975-01-01', interval 5000 day)", true],
  ['moment > timestamp_sub(timestamp_trunc(current_timestamp(), day), interval 7 day)', false],
  ["moment > timestamp_sub(least(current_timestamp(), timestamp '1971-01-01'), interval 5000 day)", true],
  ["moment > least(current_timestamp(), timestamp '2024-01-01')", false],
  ["moment > least(current_timestamp(), timestamp '1960-01-01')", true],
  ["moment > case @interval when 'day' then timestamp_sub(current_timestamp(), interval 1 day) else current_timestamp() end", false],
  ["moment > case @interval when 'day' then timestamp '1960-01-01' else current_timestamp() end", true],
  ["moment > if(moment > timestamp '1960-01-01', current_timestamp(), null)", true],
  ["id > 5 and cast(id as numeric) > numeric '1.5'", true],
  ['-cast(id as bignumeric) > id', true],
])('%s: %s', (condition, isFragile) => {
  expect(SETTING in translated(condition).settings).toBe(isFragile);
});

test.each([
  [{ since: '' }, false],
  [{}, false],
  [{ since: '1960-01-01' }, true],
])('a time that %o gives', (values, isFragile) => {
  const translation = translated("(nullif(@since, '') is null or moment > timestamp(nullif(@since, '')))");
  expect(SETTING in translation.settings).toBe(true);
  expect(SETTING in bind(translation, values).settings).toBe(isFragile);
});
