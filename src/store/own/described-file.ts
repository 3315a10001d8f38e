// What is in a file to be loaded, as queries over the file know it. Of CSV, lines that cannot be read say nothing.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { cellsIn, readCsvRecords } from '../../sources/files/csv-records.ts';
import { describeFiles } from '../../sources/files/describe.ts';
import { DELIMITERS } from '../../sources/files/describe-text.ts';
import { type FilesDescription, shownFacts } from '../../sources/files/description.ts';
import { isUndecodable } from '../../sources/files/file-trouble.ts';
import { JSON_FORMATS, TEXT_FORMATS } from '../../sources/files/formats.ts';
import { problemOf } from '../../sources/files/json-members.ts';
import { readLines } from '../../sources/files/lines.ts';
import type { FileOptions } from '../../sources/files/options.ts';
import { SAMPLE_ROWS } from '../../sources/files/text-class.ts';
import { typeOfStored } from '../../sources/loaded/stored-table.ts';
import type { ValueType } from '../../sources/loaded/stored-type.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';
import type { EngineFile } from './engine-file.ts';
import { linesOf } from './read-records.ts';
import { explained, isOfData } from './trouble.ts';

/** A column of a file as a query over the file reads it. */
export interface FoundColumn extends DeclaredColumn {
  /** Its name in the file, where the table has another. */
  readonly fileName?: string;
  /** ClickHouse type text. */
  readonly found: string;
  /** What is known of its values beyond that type. */
  readonly declared?: ValueType | undefined;
  /** Why its values cannot be read. */
  readonly unread?: string | undefined;
  /** STRUCTs in it that may be NULL, which the engine reads as STRUCTs of NULLs. */
  readonly structsOfNulls?: readonly string[];
}

interface Describing {
  readonly engine: EmbeddedEngine;
  readonly flags: FileOptions;
  /** What is said of columns; those of files without a header are called so. */
  readonly schema: readonly DeclaredColumn[];
  /** All rows say what columns hold. */
  readonly byAllRows: boolean;
  /** Takes what must be a file. */
  readonly folder: string;
}

/** A file and what was found of its columns. */
export interface FoundFile {
  readonly file: EngineFile;
  readonly description: FilesDescription;
  readonly found: readonly FoundColumn[];
}

export const isCsv = ({ format }: Pick<EngineFile, 'format'>): boolean => TEXT_FORMATS.includes(format);
export const isJson = ({ format }: Pick<EngineFile, 'format'>): boolean => JSON_FORMATS.includes(format);

/** Throws QuernError `load` where the file cannot be read so. */
export async function describeFile(file: EngineFile, describing: Describing): Promise<FoundFile> {
  const description = await described(file, file.path, describing).catch(async (cause: unknown) => {
    const sample =
      (isCsv(file) || isJson(file)) && isOfData(cause) && !isUndecodable(cause) ? await readableSample(file, describing) : undefined;
    if (sample === undefined) throw explained(file, cause);
    return described(file, sample, describing).catch((other: unknown) => {
      throw explained(file, other);
    });
  });
  const { columns, declared, structsOfNulls = [] } = shownFacts(description);
  const found = columns.map(({ name, type, unread }): FoundColumn => {
    const said = [...describing.schema, ...declared].find((one) => one.name.toLowerCase() === name.toLowerCase())?.type;
    const read = typeOfStored({ name, type }, said);
    const structs = structsOfNulls.filter((path) => path === name || path.startsWith(`${name}.`));
    return { name, found: type, type: 'type' in read ? read.type : { kind: 'STRING' }, declared: said, unread, structsOfNulls: structs };
  });
  return { file, description, found };
}

function described(
  { format, bytes, name }: EngineFile,
  path: string,
  { engine, flags, schema, byAllRows }: Describing,
): Promise<FilesDescription> {
  const { delimiter, header, skipLeadingRows, nullText } = flags;
  const definition = { patterns: [name], format, delimiter, header, skipLeadingRows, nullText, hivePartitions: false, byAllRows };
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
async function readableSample(file: EngineFile, describing: Describing): Promise<string | undefined> {
  const { flags, byAllRows, folder, engine } = describing;
  const skip = flags.header === false ? (flags.skipLeadingRows ?? 0) : Math.max((flags.skipLeadingRows ?? 0) - 1, 0);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `sample-${++samples}`);
  writeFileSync(path, '\n'.repeat(skip));
  let rows = 0;
  const delimiter = isCsv(file) ? (flags.delimiter ?? (await delimiterOf(file, skip, engine))) : undefined;
  for await (const texts of delimiter === undefined ? objectsOf(file, engine) : rowsOf(file, engine, delimiter, skip)) {
    appendFileSync(path, texts.map((text) => `${text}\n`).join(''));
    rows += texts.length;
    if (!byAllRows && rows >= SAMPLE_ROWS) break;
  }
  return rows === 0 ? undefined : path;
}

/** Texts of the records that have as many cells as the first. */
async function* rowsOf(file: EngineFile, engine: EmbeddedEngine, delimiter: string, skip: number): AsyncGenerator<readonly string[]> {
  const form = { delimiter, skip, header: false, cells: undefined };
  for await (const records of readCsvRecords(linesOf(file, engine), form, () => undefined)) yield records.map(({ text }) => text);
}

/** Lines that are objects. */
async function* objectsOf(file: EngineFile, engine: EmbeddedEngine): AsyncGenerator<readonly string[]> {
  for await (const lines of readLines(linesOf(file, engine)))
    yield lines.flatMap((line) => ('problem' in line || problemOf(line.text) !== undefined || hasHalves(line.text) ? [] : [line.text]));
}

/** Whether an escape of an object's text stands for half of a character, which the engine does not read. */
const hasHalves = (text: string): boolean => /\\ud/i.test(text) && /\\ud/i.test(JSON.stringify(JSON.parse(text)));
