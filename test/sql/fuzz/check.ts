// What must hold of every text: it is translated, or refused with a QuernError that points into it; what is read prints as text that reads the same; and
// the formatter keeps what it means.
import { QuernError } from '../../../src/base/errors.ts';
import { arrayOf, INT64, recordOf, STRING, TIMESTAMP } from '../../../src/sql/base/types.ts';
import { type TranslateOptions, type Translation, translate } from '../../../src/sql/index.ts';
import type { SourceCatalog } from '../../../src/sql/source.ts';
import { formatQuery } from '../../../src/sql/syntax/formatter/format.ts';
import { parseScript } from '../../../src/sql/syntax/parser/parse-script.ts';
import { printScript } from '../../support/bigquery-text/print-script.ts';
import { processorTime } from '../../support/processor-time.ts';

/** Milliseconds that no text of the fuzz, which are at most some KB, may take. */
const TOO_LONG = 3000;

const SOURCES: SourceCatalog = {
  names: ['logs'],
  find: () => ({
    name: 'logs',
    table: 'logs',
    columns: [
      { name: 'id', type: STRING, read: { layout: 'column', column: 'id', clickhouseType: 'String' } },
      { name: 'timestamp', type: TIMESTAMP, read: { layout: 'column', column: 'timestamp', clickhouseType: "DateTime64(6, 'UTC')" } },
      { name: 'project', type: STRING, read: { layout: 'column', column: 'project', clickhouseType: 'String' } },
      { name: 'event_message', type: STRING, read: { layout: 'column', column: 'event_message', clickhouseType: 'String' } },
      {
        name: 'metadata',
        type: arrayOf(recordOf([{ name: 'status', type: INT64 }])),
        read: { layout: 'json', column: 'metadata', typedPaths: { status: 'Nullable(Int64)' } },
      },
    ],
  }),
};
const PARAMETERS = Object.fromEntries(
  ['project', 'function_id', 'interval', 'project_tier', 'iso_timestamp_start', 'iso_timestamp_end'].map((name) => [name, STRING]),
);

/** What the texts of the fuzz may read. */
export const FUZZ_OPTIONS: TranslateOptions = { sources: SOURCES, parameters: PARAMETERS };

export interface Checked {
  /** What is wrong with the translator, or null. */
  readonly problem: string | null;
  /** The translation of a text that is not refused. */
  readonly translation: Translation | null;
}

export function check(text: string): Checked {
  const start = processorTime();
  let translation: Translation | null = null;
  let problem: string | null = null;
  try {
    translation = translate(text, FUZZ_OPTIONS);
  } catch (error) {
    problem = refusalProblem(error, text);
  }
  const took = processorTime() - start;
  if (problem === null && took > TOO_LONG) problem = `took ${Math.round(took)} ms`;
  return { problem: problem ?? roundTripProblem(text) ?? formatProblem(text), translation };
}

function refusalProblem(error: unknown, text: string): string | null {
  if (!(error instanceof QuernError)) return `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  if (error.code === 'internal') return `internal: ${error.message}`;
  const { span } = error.details;
  if (span === undefined) return `no place: ${error.message}`;
  return span.start < 0 || span.end < span.start || span.end > text.length
    ? `place ${span.start}–${span.end} outside of the text: ${error.message}`
    : null;
}

function roundTripProblem(text: string): string | null {
  let printed: string;
  let tree: string;
  try {
    const script = parseScript(text);
    tree = shape(script);
    printed = printScript(script);
  } catch (error) {
    return error instanceof QuernError ? null : `reading threw ${String(error)}`;
  }
  try {
    return shape(parseScript(printed)) === tree ? null : `prints as text that reads differently: ${printed}`;
  } catch (error) {
    return `prints as text that can’t be read: ${String(error)}\n${printed}`;
  }
}

/** Whatever can be read is formatted, formatting it again changes nothing, and formatQuery itself throws when the meaning would change. */
export function formatProblem(text: string): string | null {
  try {
    const once = formatQuery(text);
    const twice = formatQuery(once);
    return once === twice ? null : `is formatted otherwise the second time:\n${once}\n${twice}`;
  } catch (error) {
    const isRefusal = error instanceof QuernError && error.code !== 'internal';
    return isRefusal ? null : `formatting threw ${String(error)}`;
  }
}

const shape = (tree: unknown): string =>
  JSON.stringify(tree, (key, value: unknown) => (key === 'span' ? undefined : typeof value === 'bigint' ? `${value}n` : value));
