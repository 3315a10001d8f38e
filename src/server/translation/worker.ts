// The thread that translates callers' SQL; an entry of the build.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { CallersText } from '../../execution/callers-text.ts';
import { ownThread } from './processor-time.ts';
import { type Ready, replyTo } from './reply.ts';

/** Code that runs again and again is compiled better. */
const ROUNDS = 5;

/** Measured with `npm run bench -- hostile`: cached answers' p99 next to 50 hostile texts is 6 ms with it, and 10 ms without. */
const NICENESS = 10;

/** Loads and compiles most of what any text needs, before a text is there whose time counts. */
const FIRST: CallersText = {
  saved: `with t as (
      select id, at, m.path, h.agent from unnest([struct('a' as id, timestamp '2026-01-02' as at, [struct('/x' as path, [struct('b' as agent)] as headers)] as ms)]) as e
      cross join unnest(e.ms) as m left join unnest(m.headers) as h on true where id = 'a' and (at is null or at > timestamp '2026-01-01')
    ), u as (select id, path from t union all select agent, path from t where starts_with(path, '/'))
    select id from u`,
  sql: `with v as (select timestamp_trunc(t.at, hour) as hour, t.path, count(*) as n, countif(regexp_contains(t.path, '^/x')) as x
      from t left join u on t.id = u.id where t.agent like 'b%' and t.path in ('/x', '/y') group by 1, 2)
    select hour, path, coalesce(n, 0) + 1 as n, case when x > 0 then cast(x as string) else 'none' end as x,
      row_number() over (partition by path order by n desc) as k
    from v where hour < current_timestamp() order by n desc limit 10`,
  savedQueries: new Map(),
  sources: new Map(),
  sourceNames: [],
  options: {},
};

// Answers go first: on Linux a priority is a thread's, elsewhere it would be the whole server's.
if (process.platform === 'linux') setPriority(NICENESS);
for (let i = 0; i < ROUNDS; i++) replyTo(FIRST);
parentPort?.on('message', (text: CallersText) => parentPort?.postMessage(replyTo(text)));
const ready: Ready = { ready: ownThread() };
parentPort?.postMessage(ready);
