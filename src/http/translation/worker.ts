// The thread that translates callers' SQL; an entry of the build.
import { parentPort } from 'node:worker_threads';
import type { CallersText } from '../../execution/callers-text.ts';
import { READY, replyTo } from './reply.ts';

/** Loads and compiles most of what any text needs, before a text is there whose time counts. */
const FIRST: CallersText = {
  saved: 'with t as (select 1 as a, "b" as b) select a from t',
  sql: 'select b, count(*) as n from t where a > 0 and lower(b) like "b%" group by b order by n desc limit 1',
  savedQueries: new Map(),
  sources: new Map(),
  sourceNames: [],
  options: {},
};

replyTo(FIRST);
parentPort?.on('message', (text: CallersText) => parentPort?.postMessage(replyTo(text)));
parentPort?.postMessage(READY);
