// quern keys show: one key, and what its callers may still cost.
import { plainJson } from '../../output/value.ts';
import type { ResultColumn } from '../../result.ts';
import { budgetsLeft } from '../../server/keys/budgets.ts';
import { findKey } from '../../server/keys/change-keys.ts';
import { readSpent, spendingFolder } from '../../server/keys/spending.ts';
import type { Parts } from '../parts.ts';
import { keyColumns, keyRow } from './key-rows.ts';

const LEFT: readonly ResultColumn[] = [
  { name: 'scan_left', type: { kind: 'INT64' } },
  { name: 'seconds_left', type: { kind: 'INT64' } },
];
const AS_LINES: readonly ResultColumn[] = ['right', 'value'].map((name) => ({ name, type: { kind: 'STRING' } }));

/** On a terminal a line for each right that is set; else one row with a column for each. Throws QuernError `usage` when there is no such key. */
export async function showKey({ io, settings, terminal }: Parts, reference: string, flags: { readonly format?: string }): Promise<void> {
  const { values } = await settings();
  const key = findKey({ file: values.keys_file }, reference);
  const nowMs = Date.now();
  const budgets = budgetsLeft(key, readSpent(spendingFolder(values.cache_dir), key.id, nowMs), nowMs);
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
