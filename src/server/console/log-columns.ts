// Which results are logs: rows with a time and a message, and neither of them only a label of numbers.
import type { Column } from './rows.ts';

/** Positions of columns. */
export interface LogColumns {
  readonly time: number;
  readonly message: number;
}

const MESSAGES = ['event_message', 'message', 'msg', 'body', 'line', 'log', 'text'];

export function logColumns(columns: readonly Column[]): LogColumns | undefined {
  const time = columns.findIndex(({ kind }) => kind === 'time');
  const names = columns.map(({ name, kind }) => (kind === 'text' ? name.toLowerCase() : ''));
  const message = MESSAGES.map((name) => names.indexOf(name)).find((at) => at !== -1);
  return time === -1 || message === undefined ? undefined : { time, message };
}
