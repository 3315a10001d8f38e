// A line of the net: which text it is of, and what the text becomes.
import { createHash } from 'node:crypto';
import { QuernError } from '../../src/base/errors.ts';
import { type Type, typeName } from '../../src/sql/base/types.ts';
import { translateSpecializable } from '../../src/sql/index.ts';
import type { SpecializableTranslation, TranslateOptions } from '../../src/sql/translation.ts';

export interface Line {
  /** Where the text is from, and a hash of it: other texts may come and go around it. */
  readonly id: string;
  /** A hash of what an engine is given, or the code and the place of the error. */
  readonly outcome: string;
  readonly text: string;
  /** What the hash is of, or the error in words. */
  readonly whole: string;
}

/** What an engine is given for a text. */
export interface Translated {
  readonly sql: string;
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  /** Absent where only an engine knows them. */
  readonly columns?: readonly { readonly name: string; readonly type: Type }[] | undefined;
  readonly settings: Readonly<Record<string, string | number>>;
  /** The same for given arguments, or in buckets of time. */
  readonly more?: readonly string[];
}

export interface Asked {
  /** The file, the group, the seed: without white space. */
  readonly from: string;
  readonly text: string;
  /** What distinguishes it from the same text with other parameters, or in another sandbox. */
  readonly beside?: string;
}

export const hash = (text: string, length: number): string => createHash('sha256').update(text).digest('hex').slice(0, length);

export async function lineOf({ from, text, beside = '' }: Asked, translated: () => Translated | Promise<Translated>): Promise<Line> {
  const id = `${from}/${hash(`${text}\0${beside}`, 10)}`;
  try {
    const whole = written(await translated());
    return { id, text, outcome: hash(whole, 12), whole };
  } catch (error) {
    return { id, text, ...failed(error) };
  }
}

function written({ sql, parameters, columns = [], settings, more = [] }: Translated): string {
  const sorted = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    sql,
    `parameters: ${parameters.map(({ name, type }) => `${name} ${type}`).join(', ')}`,
    `columns: ${columns.map(({ name, type }) => `${name} ${typeName(type)}`).join(', ')}`,
    `settings: ${sorted.map(([name, value]) => `${name} = ${value}`).join(', ')}`,
    ...more,
  ].join('\n\n');
}

/** The words of an error may change, what it is and where may not. */
function failed(error: unknown): Pick<Line, 'outcome' | 'whole'> {
  if (!(error instanceof QuernError)) return { outcome: 'crash', whole: error instanceof Error ? (error.stack ?? '') : String(error) };
  const { code, message, details } = error;
  const outcome = details.span === undefined ? code : `${code}@${details.span.start}-${details.span.end}`;
  return { outcome, whole: `${outcome}\n${message}${details.hint === undefined ? '' : `\n${details.hint}`}` };
}

/** The line of a text that the translator alone is asked, with the buckets of time that its rows belong to. */
export const translatedLine = (asked: Asked, options: TranslateOptions): Promise<Line> =>
  lineOf(asked, () => withBuckets(translateSpecializable(asked.text, options, { buckets: true })));

/** What comes of a query in buckets of time stands beside the query. */
export function withBuckets(translation: Omit<Translated, 'more'> & Pick<SpecializableTranslation, 'buckets'>): Translated {
  const { buckets } = translation;
  if (buckets === undefined || 'why' in buckets) return translation;
  return { ...translation, more: [`rows: ${buckets.rows.sql}`, `window: ${buckets.window.sql}`] };
}
