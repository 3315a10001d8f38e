// How serious a row of a log is, by the fields in which logs say so.
import { type Cell, isFields, isList, isNumber } from './exact-json.ts';
import type { Column } from './rows.ts';

export type Severity = 'error' | 'warn' | 'info' | 'debug' | 'none';
export const SEVERITIES: readonly Severity[] = ['error', 'warn', 'info', 'debug', 'none'];

export interface Level {
  readonly severity: Severity;
  /** As the log has it. */
  readonly text: string;
}

const WORDS: readonly (readonly [RegExp, Severity])[] = [
  [/^(err(or)?|fatal|crit(ical)?|panic|alert|emerg(ency)?)$/i, 'error'],
  [/^warn(ing)?$/i, 'warn'],
  [/^(info|information|notice|log|statement|hint|detail)$/i, 'info'],
  [/^(debug\d?|trace|verbose)$/i, 'debug'],
];
/** Names of fields, the surest first. */
const NAMES = ['level', 'severity', 'severity_text', 'error_severity', 'log_level', 'status_code', 'status'];

export function levelOf(columns: readonly Column[], row: readonly Cell[]): Level {
  const found = new Map<string, Level>();
  const look = (name: string, cell: Cell, depth: number): void => {
    if (isFields(cell)) {
      if (depth < 6) for (const [inner, value] of cell.fields) look(inner, value, depth + 1);
    } else if (isList(cell)) {
      if (cell[0] !== undefined) look(name, cell[0], depth);
    } else {
      const key = name.toLowerCase();
      if (!NAMES.includes(key) || found.has(key)) return;
      const level = read(cell);
      if (level !== undefined) found.set(key, level);
    }
  };
  for (const [i, { name }] of columns.entries()) look(name, row[i] ?? null, 0);
  return NAMES.map((name) => found.get(name)).find((level) => level !== undefined) ?? { severity: 'none', text: '' };
}

/** Of a word such as `warning`, or of the status of a reply over HTTP. */
function read(cell: Cell): Level | undefined {
  const text = typeof cell === 'string' ? cell.trim() : numberText(cell);
  const severity = WORDS.find(([pattern]) => pattern.test(text))?.[1];
  if (severity !== undefined) return { severity, text: text.toLowerCase() };
  if (!/^[1-5]\d\d$/.test(text)) return undefined;
  const trouble = text >= '500' ? 'error' : 'warn';
  return { severity: text >= '400' ? trouble : 'info', text };
}

const numberText = (cell: Cell): string => (cell !== null && typeof cell === 'object' && isNumber(cell) ? cell.number : '');
