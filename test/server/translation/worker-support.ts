// The thread's file, made of the sources as the build makes it, and pools of such threads.
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { bundle } from '../../../scripts/bundle.mjs';
import type { CallersText } from '../../../src/execution/callers-text.ts';
import { createWaiters } from '../../../src/server/answers/tenant.ts';
import type { Translator } from '../../../src/server/translation/translator.ts';
import { inWorkers } from '../../../src/server/translation/workers.ts';

const entry = new URL('../../../src/server/translation/worker.ts', import.meta.url).pathname;

let made: Promise<string> | undefined;

/** A pool that gives no text up on a busy machine, unless options say so. It ends with the test. */
export async function workers(options: Partial<Parameters<typeof inWorkers>[0]> = {}): Promise<Translator> {
  made ??= bundle(entry);
  const pool = inWorkers({ file: pathToFileURL(await made), timeoutMs: 60_000, spare: () => true, threads: 1, ...options });
  onTestFinished(() => pool.close());
  return pool;
}

export const never = new AbortController().signal;
export const waitersOf = (id: string) => createWaiters({ id });

/** A caller's SQL over a table of three numbers. */
export function textOf(sql: string): CallersText {
  const saved = 'with t as (select n, cast(n as string) as s from unnest([1, 2, 3]) as n) select n from t';
  return { sql, saved, savedQueries: new Map(), sources: new Map(), sourceNames: [], options: {} };
}

/** A text that takes longer than any test may, whatever bounds the translator sets for callers: it is the saved query that is endless. */
export function endless(): CallersText {
  return { ...textOf('select n from t'), saved: `with t as (${'select 1 as n union all '.repeat(400_000)}select 2 as n) select n from t` };
}
