// Requests answers in formats whose own bytes show whether they are whole. Neither the end of a connection shows it nor HTTP's framing: a
// proxy that has been cut off may end what it passes on in good order.
import { randomUUID } from 'node:crypto';
import { QuernError } from '../../base/errors.ts';
import type { StreamFormat } from '../engine.ts';
import { parseJson } from '../lossless-json.ts';
import { linesOf, ROWS_FORMAT } from '../read-rows.ts';
import type { Settings } from '../session-settings.ts';
import type { ServerReply } from './client.ts';
import { reportedRows } from './reply.ts';

/** Tells from the bytes of one answer whether it is whole. */
export interface AnswerEnd {
  /** Returns the bytes of the result, among the new ones and those retained before. */
  take(bytes: Buffer): readonly Buffer[];
  /** True if all bytes so far make a whole answer. */
  isReached(): boolean;
}

export interface AnswerForm {
  /** Settings that are left out where the login may not set them. */
  readonly settings: Settings;
  /** Parameters of the URL that are not settings, or that every login may set. */
  urlParameters(sent: Settings): Settings;
  endOf(reply: ServerReply, sent: Settings): AnswerEnd;
  /** Converts the bytes to the wanted format. */
  bytes(chunks: AsyncIterable<Buffer>, sent: Settings): AsyncIterable<Buffer>;
}

interface Marked {
  readonly format: 'CustomSeparated' | 'CustomSeparatedWithNamesAndTypes';
  readonly rule: 'JSON' | 'Raw';
  readonly around: readonly [string, string, string];
}

const JSON_ROW = { rule: 'JSON', around: ['[', ', ', ']\n'] } as const;
/** Formats that print the same bytes and can write a text behind the last row. */
const MARKED: Readonly<Record<Exclude<WantedFormat, Footed>, Marked>> = {
  [ROWS_FORMAT]: { format: 'CustomSeparatedWithNamesAndTypes', ...JSON_ROW },
  JSONCompactEachRow: { format: 'CustomSeparated', ...JSON_ROW },
  TSVRaw: { format: 'CustomSeparated', rule: 'Raw', around: ['', '\t', '\n'] },
};
/** Formats that end with the length of a footer and these bytes. */
const MAGIC = { Parquet: 'PAR1', Arrow: 'ARROW1' } as const;
type Footed = keyof typeof MAGIC;
type WantedFormat = StreamFormat | typeof ROWS_FORMAT;

const LINE_END = 10;
const LENGTH_BYTES = 4;
const PIECE_LENGTH = 64 * 1024;

/** With `waits`, the server sends nothing until the query has ended, well or not. */
export function answerForm(wanted: WantedFormat, waits: boolean): AnswerForm {
  const waiting: Settings = waits ? { wait_end_of_query: 1 } : {};
  if (wanted === 'Parquet' || wanted === 'Arrow') {
    return {
      settings: {},
      urlParameters: () => ({ ...waiting, default_format: wanted }),
      endOf: () => endsWithFooter(MAGIC[wanted]),
      bytes: (chunks) => chunks,
    };
  }
  const { format, rule, around } = MARKED[wanted];
  // JSON contains no such byte. A text may, and even a constant mark, whose answer would then seem whole when it is cut there.
  const mark = rule === 'JSON' ? '\x04whole\n' : `\x04${randomUUID()}\n`;
  const settings: Settings = {
    format_custom_escaping_rule: rule,
    format_custom_row_before_delimiter: around[0],
    format_custom_field_delimiter: around[1],
    format_custom_row_after_delimiter: around[2],
    format_custom_row_between_delimiter: '',
    format_custom_result_before_delimiter: '',
    format_custom_result_after_delimiter: mark,
  };
  const isMarked = (sent: Settings): boolean => Object.keys(settings).every((name) => name in sent);
  const unmarked = wanted === 'TSVRaw' ? 'JSONCompactEachRow' : wanted;
  return {
    settings,
    urlParameters: (sent): Settings =>
      isMarked(sent) ? { ...waiting, default_format: format } : { wait_end_of_query: 1, default_format: unmarked },
    endOf: (reply, sent) =>
      isMarked(sent) ? endsWithMark(Buffer.from(mark)) : endsAfterLines(requiredRows(reply) + (wanted === ROWS_FORMAT ? HEAD_LINES : 0)),
    bytes: (chunks, sent) => (wanted === 'TSVRaw' && !isMarked(sent) ? textOf(chunks) : chunks),
  };
}

/** Returns how many bytes at the end of `bytes` are, or could be, the beginning of `mark`. */
export function beginningOf(mark: Buffer, bytes: Buffer): number {
  const start = Math.max(0, bytes.length - mark.length);
  const first = mark[0] ?? 0;
  for (let at = bytes.indexOf(first, start); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (bytes.subarray(at).equals(mark.subarray(0, bytes.length - at))) return bytes.length - at;
  }
  return 0;
}

function endsWithMark(mark: Buffer): AnswerEnd {
  let retained: Buffer = Buffer.alloc(0);
  return {
    take(chunk) {
      const bytes = Buffer.concat([retained, chunk]);
      const end = bytes.length - beginningOf(mark, bytes);
      retained = bytes.subarray(end);
      return end === 0 ? [] : [bytes.subarray(0, end)];
    },
    isReached: () => retained.equals(mark),
  };
}

function endsWithFooter(magic: string): AnswerEnd {
  const tailBytes = LENGTH_BYTES + magic.length;
  let tail: Buffer = Buffer.alloc(0);
  let bytes = 0;
  return {
    take(chunk) {
      bytes += chunk.length;
      tail = Buffer.concat([tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes);
      return [chunk];
    },
    isReached() {
      if (tail.length < tailBytes || tail.toString('latin1', LENGTH_BYTES) !== magic) return false;
      const footer = tail.readInt32LE();
      return footer > 0 && footer <= bytes - tailBytes - magic.length;
    },
  };
}

/** The two lines of names and of types. */
const HEAD_LINES = 2;

/** For the answer to a small query, whose only row would not be a whole line if it were cut. */
export const endsWithOneRow = (): AnswerEnd => endsAfterLines(HEAD_LINES + 1);

function endsAfterLines(lines: number): AnswerEnd {
  let seen = 0;
  let last: number | undefined;
  return {
    take(chunk) {
      for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) seen++;
      last = chunk.at(-1) ?? last;
      return [chunk];
    },
    isReached: () => seen === lines && last === LINE_END,
  };
}

function requiredRows(reply: ServerReply): number {
  const rows = reportedRows(reply);
  if (rows !== undefined) return rows;
  throw new QuernError('config', 'ClickHouse does not say how many rows its answer has, so that one that is cut off would not be known', {
    hint: 'let the login change settings (readonly = 2), so that ClickHouse marks the end of its answers, or use a newer version of it',
  });
}

/** Prints rows of texts as TSVRaw does. */
async function* textOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let text = '';
  for await (const line of linesOf(chunks)) {
    text += `${(parseJson(line) as unknown[]).join('\t')}\n`; // each line of this format is an array
    if (text.length < PIECE_LENGTH) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}
