// NDJSON and JSON with columns of the type JSON. The engine reads them as texts, and so takes the value "7" for 7: where a value is a text, a copy is
// read in which each of these values is a text that holds its JSON.
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { quoteString } from '../../clickhouse/quote.ts';
import { UndecodableError } from '../../files/encoding.ts';
import { type DeclaredColumn, holds } from '../table-schema.ts';
import { Invalid } from './cells.ts';
import type { Ask } from './description.ts';
import { type FileFormat, JSON_FORMATS } from './formats.ts';
import { type Member, membersOf, partsOf } from './json-members.ts';
import { type Line, readLines } from './lines.ts';

/** Values of files that are to be JSON. */
export interface JsonTexts {
  readonly format: FileFormat;
  /** Those that are or hold JSON. */
  readonly columns: readonly DeclaredColumn[];
}

/** Undefined where there are none. */
export function jsonTextsOf(format: FileFormat, schema: readonly DeclaredColumn[]): JsonTexts | undefined {
  const columns = schema.filter(({ type }) => holds(type, 'JSON'));
  return JSON_FORMATS.includes(format) && columns.length > 0 ? { format, columns } : undefined;
}

/** The column of the texts of objects, and the format in which the engine reads them; each line of NDJSON is one. */
export const TEXTS_OF = (isDocument: boolean): readonly [column: string, format: string] =>
  isDocument ? ['json', 'JSONAsString'] : ['line', 'LineAsString'];

/** Whether a value may be a text. `from` is the table function that reads the file. Throws what `ask` throws. */
export async function mayHoldTexts(
  from: (format: string, structure: string) => string,
  { format, columns }: JsonTexts,
  ask: Ask,
): Promise<boolean> {
  if (columns.some(({ name, type }) => type.kind !== 'JSON' || !/^[\w-]+$/.test(name))) return true;
  // A name that is written with escapes could be any.
  const keys = [...columns.map(({ name }) => name), '[^"]*\\\\u[^"]*'];
  const [text, rows] = TEXTS_OF(format === 'json');
  const found = await ask(
    `SELECT 1 FROM ${from(rows, `${text} String`)} WHERE match(${text}, ${quoteString(`(?i)"(?:${keys.join('|')})"\\s*:\\s*"`)}) LIMIT 1`,
  );
  return found.length > 0;
}

/** Writes the copy `to`; of a document each object on a line. Throws UndecodableError, and what `ask` and the file system throw. */
export async function writeJsonTexts(from: string, to: string, { format, columns }: JsonTexts, ask: Ask): Promise<void> {
  const objects = `${to}.objects`;
  const types = typesOf(columns);
  try {
    if (format === 'json') await writeObjects(from, objects, ask);
    await pipeline(
      createReadStream(format === 'json' ? objects : from, { highWaterMark: PIECE_BYTES }),
      async function* (pieces: AsyncIterable<Buffer>) {
        for await (const lines of readLines(pieces, true)) yield lines.map((line) => `${lineAsTexts(line, types)}\n`).join('');
      },
      createWriteStream(to, { mode: 0o600 }),
    );
  } finally {
    await rm(objects, { force: true });
  }
}

const PIECE_BYTES = 1 << 18;

/** The file `path`, which is not compressed, in one of the engine's formats. */
export const plainFile =
  (path: string) =>
  (format: string, structure: string): string =>
    `file(${[path, format, structure, 'none'].map(quoteString).join(', ')})`;

async function writeObjects(from: string, to: string, ask: Ask): Promise<void> {
  await ask(
    `INSERT INTO FUNCTION ${plainFile(to)('TSVRaw', 'json String')} SELECT replaceRegexpAll(json, '[\\\\r\\\\n]+', ' ') FROM ${plainFile(from)('JSONAsString', 'json String')} ` +
      'SETTINGS max_threads = 1, input_format_parallel_parsing = 0, engine_file_truncate_on_insert = 1',
  );
}

/** As it was written where it is no object: the engine will say so. */
function lineAsTexts(line: Line, types: JsonTypes): string {
  if ('problem' in line) throw new UndecodableError(line.number, line.problem);
  if (line.text.trim() === '') return line.text;
  try {
    return objectAsTexts(membersOf(line.text), types);
  } catch (error) {
    if (error instanceof Invalid) return line.text;
    throw error;
  }
}

/** Types of members, by their names in small letters. */
type JsonTypes = ReadonlyMap<string, DeclaredColumn['type']>;

export const typesOf = (columns: readonly { readonly name: string | null; readonly type: DeclaredColumn['type'] }[]): JsonTypes =>
  new Map(columns.map(({ name, type }) => [name?.toLowerCase() ?? '', type]));

/** The object of which these are the members that have a name, where values of the type JSON have become texts that hold them. */
export function objectAsTexts(members: readonly Member[], types: JsonTypes): string {
  const parts = members.flatMap(({ key, raw }) => {
    const type = types.get(key.toLowerCase());
    return key === '' ? [] : [`${JSON.stringify(key)}:${type === undefined ? raw : asText(raw, type)}`];
  });
  return `{${parts.join(',')}}`;
}

function asText(raw: string, type: DeclaredColumn['type']): string {
  if (raw === 'null' || !holds(type, 'JSON')) return raw;
  if (type.kind === 'JSON') return JSON.stringify(raw);
  if (type.kind === 'ARRAY' && raw.startsWith('['))
    return `[${partsOf(raw)
      .map((item) => asText(item.raw, type.element))
      .join(',')}]`;
  return type.kind === 'STRUCT' && raw.startsWith('{') ? objectAsTexts(membersOf(raw), typesOf(type.fields)) : raw;
}
