// quern keys show: prints one key, and what is left of its budgets.

import type { Io } from '../../../base/io.ts';
import type { ResultColumn } from '../../../base/result.ts';
import type { Settings } from '../../../config/load.ts';
import { permitRedis } from '../../../connection/project-trust.ts';
import { plainJson } from '../../../output/value.ts';
import { budgetsLeft, isBudgeted } from '../../../server/keys/budgets.ts';
import { findKey } from '../../../server/keys/change-keys.ts';
import { readSpent, type SpentByMinute, spendingFolder } from '../../../server/keys/spending.ts';
import type { Parts } from '../../parts.ts';
import { redisAddress } from '../redis-address.ts';
import { keyColumns, keyRow } from './rows.ts';

const LEFT: readonly ResultColumn[] = [
  { name: 'scan_left', type: { kind: 'INT64' } },
  { name: 'seconds_left', type: { kind: 'INT64' } },
];
const AS_LINES: readonly ResultColumn[] = ['right', 'value'].map((name) => ({ name, type: { kind: 'STRING' } }));

/** Prints, on a terminal, a line for each right that is set; else one row with a column for each. Throws QuernError `usage` when there is no such key. */
export async function showKey({ io, settings, terminal }: Parts, reference: string, flags: { readonly format?: string }): Promise<void> {
  const loaded = await settings();
  const { values } = loaded;
  const key = findKey({ file: values.keys_file }, reference);
  const nowMs = Date.now();
  const spent = isBudgeted(key) ? await spentOf(key.id, nowMs, loaded, io.env) : new Map();
  const budgets = budgetsLeft(key, spent, nowMs);
  const leftOf = (name: 'rows' | 'seconds'): number | null => budgets.find((budget) => budget.name === name)?.left ?? null;
  const columns = [...keyColumns, ...LEFT];
  const row = [...keyRow(key, nowMs), leftOf('rows'), leftOf('seconds')];
  if (flags.format !== undefined || values.format !== undefined || !io.stdout.isTerminal) {
    await terminal.print({ columns, rows: [row], truncated: false }, flags);
    return;
  }
  const set = columns.map(({ name }, at) => [name, row[at] ?? null] as const).filter(([, value]) => value !== null);
  const rows = set.map(([name, value]) => [name, typeof value === 'string' ? value : plainJson(value)]);
  await terminal.print({ columns: AS_LINES, rows, truncated: false }, { whole: ['right'] });
}

/** Reads the key's spending where servers count it. Throws QuernError where they count in a Redis that cannot be reached. */
async function spentOf(key: string, nowMs: number, loaded: Settings, env: Io['env']): Promise<SpentByMinute> {
  const address = redisAddress(loaded.values);
  if (address === undefined) return readSpent(spendingFolder(loaded.values.cache_dir), key, nowMs);
  permitRedis(loaded, env);
  const [{ askRedis }, { readSharedSpending }] = await Promise.all([
    import('../../../server/shared/redis.ts'),
    import('../../../server/shared/shared-spending.ts'),
  ]);
  return askRedis(address, (redis) => readSharedSpending(redis, key, nowMs));
}
