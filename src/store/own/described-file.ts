// What is in a file to be loaded, as queries over the file know it. Of CSV, lines that cannot be read say nothing.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QuernError } from '../../base/errors.ts';
import type { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { type AddBad, cellsIn, NOT_CLOSED, type TextRecord } from '../../sources/files/csv-records.ts';
import { describeFiles } from '../../sources/files/describe.ts';
import { DELIMITERS } from '../../sources/files/describe-text.ts';
import { type FilesDescription, shownFacts } from '../../sources/files/description.ts';
import { lineNotClosed, lineNotUtf8 } from '../../sources/files/failing-row.ts';
import { isUndecodable } from '../../sources/files/file-trouble.ts';
import { JSON_FORMATS, TEXT_FORMATS } from '../../sources/files/formats.ts';
import { problemOf } from '../../sources/files/json-members.ts';
import type { FileOptions } from '../../sources/files/options.ts';
import { PLAIN_CELLS, readRecords } from '../../sources/files/records.ts';
import { SAMPLE_ROWS } from '../../sources/files/text-class.ts';
import { isOfData } from '../../sources/files/unreadable-records.ts';
import { typeOfStored } from '../../sources/loaded/stored-table.ts';
import type { ValueType } from '../../sources/loaded/stored-type.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';
import { linesOf } from '../input.ts';
import type { EngineFile } from './engine-file.ts';
import { explained } from './trouble.ts';

/** A column of a file as a query over the file reads it. */
export interface FoundColumn extends DeclaredColumn {
  /** Its name in the file, where the table has another. */
  readonly fileName?: string;
  /** ClickHouse type text. */
  readonly found: string;
  /** What is known of its values beyond that type. */
  readonly declared?: ValueType | undefined;
  /** STRUCTs in it that may be NULL, which the engine reads as STRUCTs of NULLs. */
  readonly structsOfNulls?: readonly string[];
}

interface Describing {
  readonly engine: EmbeddedEngine;
  readonly flags: FileOptions;
  /** What is said of columns; those of files without a header are called so. */
  readonly schema: readonly DeclaredColumn[];
  /** Columns that no table can have are left out. */
  readonly ignoreUnknown: boolean;
  /** Takes what must be a file. */
  readonly folder: string;
}

/** A file and what was found of its columns. */
export interface FoundFile {
  readonly file: EngineFile;
  readonly description: FilesDescription;
  readonly found: readonly FoundColumn[];
  /** Columns that queries cannot read, and why, where nobody has said what they are. */
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly name: string;
  readonly why: string;
}

export const isCsv = ({ format }: Pick<EngineFile, 'format'>): boolean => TEXT_FORMATS.includes(format);
export const isJson = ({ format }: Pick<EngineFile, 'format'>): boolean => JSON_FORMATS.includes(format);

/** Throws QuernError `load` where the file cannot be read so. */
export async function describeFile(file: EngineFile, describing: Describing): Promise<FoundFile> {
  const description = await described(file, file.path, describing).catch(async (cause: unknown) => {
    if (isCsv(file) && cause instanceof QuernError && cause.code === 'limit') await refuseOpenQuote(file, describing);
    const bad: string[] = [];
    const isOfLines = (isCsv(file) || isJson(file)) && isOfData(cause) && !isUndecodable(cause);
    const sample = isOfLines ? await readableSample(file, describing, (line, why) => void bad.push(`${line}: ${why}`)) : undefined;
    if (sample === undefined && bad[0] !== undefined)
      throw new QuernError('load', `${file.name}:${bad[0]}`, { hint: 'nothing was loaded; fix that line of the file', cause });
    if (sample === undefined) throw explained(file, cause);
    return described(file, sample, describing).catch((other: unknown) => {
      throw explained(file, other);
    });
  });
  const { columns, declared, structsOfNulls = [] } = shownFacts(description);
  const line = columns.some(({ name }) => name.includes('\ufffd')) ? await lineNotUtf8(linesOf(file, describing.engine)) : undefined;
  if (line !== undefined)
    throw new QuernError('load', `${file.name}:${line}: not UTF-8`, { hint: 'nothing was loaded; name the encoding with --encoding' });
  const isNamed = (one: DeclaredColumn, name: string): boolean => one.name.toLowerCase() === name.toLowerCase();
  const leftOut: LeftOut[] = [];
  const found = columns.flatMap(({ name, type, unread }): readonly FoundColumn[] => {
    const wanted = describing.schema.find((one) => isNamed(one, name))?.type;
    const said = wanted ?? declared.find((one) => isNamed(one, name))?.type;
    const read = unread === undefined ? typeOfStored({ name, type }, said) : { unread };
    if ('unread' in read && wanted === undefined) {
      if (!describing.ignoreUnknown)
        throw new QuernError('load', `the column ${name} of ${file.name} cannot be loaded: ${read.unread}`, {
          hint: 'nothing was loaded; leave the column out with --ignore-unknown-fields',
        });
      leftOut.push({ name, why: read.unread });
      return [];
    }
    const structs = structsOfNulls.filter((path) => path === name || path.startsWith(`${name}.`));
    const shown: ValueType = 'type' in read ? read.type : { kind: 'STRING' };
    return [{ name, found: type, type: shown, declared: said, structsOfNulls: structs }];
  });
  return { file, description, found, leftOut };
}

/** Throws QuernError `load` where a quote is never closed: the engine takes what follows it for one cell, for which there was no memory. */
async function refuseOpenQuote(file: EngineFile, { flags, engine }: Describing): Promise<void> {
  const skip = linesAbove(flags);
  const delimiter = flags.delimiter ?? (await delimiterOf(file, skip, engine));
  const line = await lineNotClosed(linesOf(file, engine), { delimiter, skip });
  if (line !== undefined)
    throw new QuernError('load', `${file.name}:${line}: ${NOT_CLOSED}`, { hint: 'nothing was loaded; fix that line of the file' });
}

/** How many lines stand above the header, or above the rows where there is none. */
const linesAbove = ({ header, skipLeadingRows = 0 }: FileOptions): number =>
  header === false ? skipLeadingRows : Math.max(skipLeadingRows - 1, 0);

function described({ format, bytes, name }: EngineFile, path: string, { engine, flags, schema }: Describing): Promise<FilesDescription> {
  const { delimiter, header, skipLeadingRows, nullText } = flags;
  const lines = { delimiter, header, skipLeadingRows, nullText };
  const definition = { patterns: [name], format, ...lines, hivePartitions: false, byUser: true } as const;
  return describeFiles(definition, schema, [{ path, bytes, modifiedMs: 0 }], [], (sql) => engine.rows(sql));
}

/** The columns, by the names of `others` where nobody has named them. */
export function calledAs(found: readonly FoundColumn[], others: readonly { readonly name: string }[]): readonly FoundColumn[] {
  const isUnnamed = found.every(({ name }, i) => new RegExp(`^[a-z0-9]+_field_${i}$`).test(name));
  if (!isUnnamed || found.length !== others.length) return found;
  return found.map((column, i) => ({ ...column, name: others[i]?.name ?? '', fileName: column.name }));
}

/** What divides the values of the line behind those that are skipped. */
async function delimiterOf({ format, from }: EngineFile, skip: number, engine: EmbeddedEngine): Promise<string> {
  if (format === 'tsv') return '\t';
  const one = 'max_threads = 1, input_format_parallel_parsing = 0';
  const [[line = ''] = []] = await engine.rows(
    `SELECT line FROM ${from('LineAsString', 'line String')} LIMIT 1 OFFSET ${skip} SETTINGS ${one}`,
  );
  return DELIMITERS.find((delimiter) => (cellsIn(String(line), delimiter) ?? 0) > 1) ?? ',';
}

let samples = 0;

/** A file of the records that can be read, behind as many lines as the file has above them; undefined where there is none. */
async function readableSample(file: EngineFile, describing: Describing, bad: AddBad): Promise<string | undefined> {
  const { flags, folder, engine } = describing;
  const skip = linesAbove(flags);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `sample-${++samples}`);
  writeFileSync(path, '\n'.repeat(skip));
  let rows = 0;
  const delimiter = isCsv(file) ? (flags.delimiter ?? (await delimiterOf(file, skip, engine))) : ',';
  const form = { ...PLAIN_CELLS, format: file.format, delimiter, skip };
  for await (const records of readRecords(linesOf(file, engine), form, isCsv(file) ? () => undefined : bad)) {
    const sample = isCsv(file) ? records : records.filter((record) => isObject(record, bad));
    appendFileSync(path, sample.map(({ text }) => `${text}\n`).join(''));
    rows += sample.length;
    if (rows >= SAMPLE_ROWS) break;
  }
  return rows === 0 ? undefined : path;
}

/** Returns whether the record is an object that the engine can read; what is none is reported to `bad`. */
function isObject({ line, text }: TextRecord, bad: AddBad): boolean {
  const problem = problemOf(text);
  if (problem !== undefined) bad(line, problem, text);
  return problem === undefined && !hasHalves(text);
}

/** Whether an escape of an object's text stands for half of a character, which the engine does not read. */
const hasHalves = (text: string): boolean => /\\ud/i.test(text) && /\\ud/i.test(JSON.stringify(JSON.parse(text)));
