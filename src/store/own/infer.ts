// What the columns of a file are, by the engine's own inference, as BigQuery's types.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteIdentifier, quoteString } from '../../clickhouse/quote.ts';
import { bareType, type ClickHouseType, readType } from '../../clickhouse/type.ts';
import type { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { QuernError } from '../../errors.ts';
import { describeTyped } from '../../sources/files/describe-typed.ts';
import { isUndecodable } from '../../sources/files/file-trouble.ts';
import { FORMATS, JSON_FORMATS, TEXT_FORMATS } from '../../sources/files/formats.ts';
import { checkColumns, checkLines, mayHaveLongLines } from '../../sources/files/sensible.ts';
import { SAMPLE_ROWS, textClass, typeOfClasses } from '../../sources/files/text-class.ts';
import { typeOfStored } from '../../sources/loaded/stored-table.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';
import { type EnginePath, enginePath } from '../engine-path.ts';
import { unreadable } from '../input.ts';
import { readLines } from '../lines.ts';
import type { EngineFile } from './engine-file.ts';
import { csvSettings, settingsText, type TextForm } from './insert-settings.ts';
import { membersOf, problemOf } from './json-record.ts';
import { linesOf, readRecords } from './read-records.ts';
import type { ValueType } from './stored-type.ts';
import { type GivenNames, headOf, nameless, type TextHead } from './text-head.ts';

/** A column of a file as the engine finds it. */
export interface FoundColumn extends DeclaredColumn {
  /** Its name in the file, where the table has another. */
  readonly fileName?: string;
  /** ClickHouse type text. */
  readonly found: string;
  /** What the file says of its values beyond that type. */
  readonly declared?: ValueType | undefined;
  /** Why its values cannot be read. */
  readonly unread?: string | undefined;
  /** STRUCTs in it that may be NULL, which the engine reads as STRUCTs of NULLs. */
  readonly structsOfNulls?: readonly string[];
}

interface InferWishes {
  readonly engine: EmbeddedEngine;
  /** Of CSV and TSV. */
  readonly form: TextForm;
  /** Of the columns of files without a header. */
  readonly names: GivenNames | undefined;
  /** By all rows of the file. */
  readonly whole: boolean;
  /** Takes what must be a file. */
  readonly folder: string;
}

/** Throws QuernError `load` where the file cannot be read so. */
export async function inferColumns(file: EngineFile, wishes: InferWishes): Promise<readonly FoundColumn[]> {
  const { engine, form, names } = wishes;
  const isText = TEXT_FORMATS.includes(file.format);
  if (!isText && !isJson(file)) return typedColumns(file, engine).catch((cause: unknown) => refuse(file, cause));
  if ((isText || file.format === 'ndjson') && mayHaveLongLines(file.bytes, file.head === ''))
    await checkLines('load', file.name, file.from('LineAsString', 'line String'), (sql) => engine.rows(sql)).catch((cause: unknown) =>
      refuse(file, cause),
    );
  const head = isText ? await headOf(file, engine, form, names).catch((cause: unknown) => refuse(file, cause)) : undefined;
  const nameOf = ({ kind }: ValueType, i: number): string => head?.names?.[i] ?? nameless(kind, i);
  /** Of JSON: what is now a record and now a text. */
  const mixed = new Set<string>();
  let sample: EnginePath | undefined;
  try {
    for (;;) {
      try {
        const described = await describe(sample, file, wishes);
        if (head !== undefined && head.cells !== described.length) throw cellsBelow(file, head.cells, described.length);
        const texts = await typesOfTexts(described, sample, file, wishes);
        const columns = described.map(({ name, found }, i): FoundColumn => {
          const type = texts[i] ?? inferredType(readType(found), isText);
          return { name: isText ? nameOf(type, i) : name, found, type };
        });
        return [...columns, ...[...mixed].map((name): FoundColumn => ({ name, found: 'Nullable(String)', type: { kind: 'JSON' } }))];
      } catch (cause) {
        if (isJson(file) && cause instanceof QuernError && cause.code === 'load') throw cause;
        const column = /Automatically defined type .*? for column '((?:[^'\\]|\\.)*)' in row/s.exec(textOf(cause))?.[1];
        const isNew = column !== undefined && !mixed.has(column);
        if (isJson(file) && isNew) mixed.add(column);
        else if (sample !== undefined) throw explained(file, cause);
        sample?.release();
        sample = await readableSample(file, head, mixed, wishes).catch((failure: unknown) => refuse(file, failure));
        if (sample === undefined) return Array.from({ length: head?.cells ?? 0 }, (_, i) => ({ ...TEXT, name: nameOf(TEXT.type, i) }));
      }
    }
  } finally {
    sample?.release();
  }
}

/** Of a file that says itself what is in it, as queries over it know it. */
async function typedColumns(file: EngineFile, engine: EmbeddedEngine): Promise<readonly FoundColumn[]> {
  const from = (format: string): string => file.from(format);
  const files = { all: from, first: from, several: false, label: file.name };
  const { columns, declared, structsOfNulls = [] } = await describeTyped(file.format, [], files, (sql) => engine.rows(sql));
  return columns.map(({ name, type, unread }) => {
    const said = declared.find((one) => one.name === name)?.type;
    const read = typeOfStored({ name, type }, said);
    const structs = structsOfNulls.filter((path) => path === name || path.startsWith(`${name}.`));
    return { name, found: type, type: 'type' in read ? read.type : TEXT.type, declared: said, unread, structsOfNulls: structs };
  });
}

/** Lines that cannot be read say nothing of the types. */
const AS_TEXTS = {
  input_format_csv_trim_whitespaces: 0, // as where they are read
  input_format_json_read_numbers_as_strings: 1,
  input_format_json_read_bools_as_strings: 1,
  input_format_allow_errors_ratio: 1,
};

const TEXT = { found: 'Nullable(String)', type: { kind: 'STRING' } } as const;

/**
 * The types of columns whose values are texts, by the very rules by which a query over the file gives them types: 00501 and digits beyond INT64 are texts,
 * and 10:00:00 is a TIME. Undefined for columns of which the file itself says what they are.
 */
async function typesOfTexts(
  described: readonly { readonly name: string; readonly found: string }[],
  sample: EnginePath | undefined,
  file: EngineFile,
  { engine, form, whole }: InferWishes,
): Promise<readonly (ValueType | undefined)[]> {
  const isText = TEXT_FORMATS.includes(file.format);
  const isWanted = ({ found }: { readonly found: string }): boolean => isText || (isJson(file) && found === TEXT.found);
  const columns = described.map(({ name }, i) => (isText ? `c${i}` : name));
  const wanted = columns.filter((_, i) => described[i] !== undefined && isWanted(described[i]));
  if (wanted.length === 0) return [];
  const structure = wanted.map((name) => `${quoteIdentifier(name)} ${TEXT.found}`).join(', ');
  const as = FORMATS[file.format].engine;
  const rows = whole ? '' : ` LIMIT ${SAMPLE_ROWS}`;
  const settings = settingsText({
    ...AS_TEXTS,
    ...(isText ? csvSettings(sample === undefined ? form : { ...form, skip: 0 }) : {}),
    ...(whole ? {} : { max_threads: 1, input_format_parallel_parsing: 0, max_block_size: SAMPLE_ROWS }),
  });
  const read =
    sample === undefined ? file.from(as, structure) : `file(${quoteString(sample.path)}, ${quoteString(as)}, ${quoteString(structure)})`;
  const classes = wanted.map((name) => `groupUniqArray(${textClass(name)})`).join(', ');
  const [row = []] = await engine.rows(`SELECT ${classes} FROM (SELECT * FROM ${read}${rows}) SETTINGS ${settings}`);
  const found = new Map(wanted.map((name, i) => [name, typeOfClasses(row[i] as readonly string[])]));
  // A text of JSON that is a number there is a text because somebody has put it between quotes.
  const stays = ({ kind }: ReturnType<typeof typeOfClasses>): boolean => !isText && kind !== 'DATE' && kind !== 'TIMESTAMP';
  return columns.map((name) => {
    const type = found.get(name);
    return type === undefined || stays(type) ? undefined : (type as ValueType); // the types of texts are scalars
  });
}

async function describe(
  sample: EnginePath | undefined,
  { name: label, format, from }: EngineFile,
  { engine, form, whole }: InferWishes,
): Promise<readonly { readonly name: string; readonly found: string }[]> {
  const settings = {
    input_format_max_rows_to_read_for_schema_inference: whole ? 1_000_000_000 : SAMPLE_ROWS,
    ...(whole ? { input_format_max_bytes_to_read_for_schema_inference: 1_000_000_000_000 } : {}),
    schema_inference_make_columns_nullable: 1,
    // Texts that look like dates and times are looked at by typesOfTexts.
    input_format_try_infer_dates: 0,
    input_format_try_infer_datetimes: 0,
    ...(TEXT_FORMATS.includes(format) ? csvSettings(sample === undefined ? form : { ...form, skip: 0 }) : {}),
  };
  const as = FORMATS[format].engine;
  const read = sample === undefined ? from(as) : `file(${quoteString(sample.path)}, ${quoteString(as)})`;
  const rows = await engine.rows(`DESCRIBE TABLE ${read} SETTINGS ${settingsText(settings)}`);
  checkColumns(
    'load',
    label,
    rows.map(([name]) => ({ name: String(name) })),
  );
  return rows.map(([name, found]) => ({ name: String(name), found: String(found) }));
}

/** Records of the file that can be read, in a file of their own; undefined where there is none. */
async function readableSample(
  file: EngineFile,
  head: TextHead | undefined,
  without: ReadonlySet<string>,
  { engine, form, whole, folder }: InferWishes,
): Promise<EnginePath | undefined> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `sample-${++samples}`);
  writeFileSync(path, '');
  let rows = 0;
  for await (const records of head === undefined ? objectsOf(file, engine) : recordsOf(file, engine, form, head)) {
    // The engine finds no type for an integer beyond its own.
    const texts = head === undefined ? records.map((text) => withoutFields(text, without).replace(LONG, inRange)) : records;
    appendFileSync(path, texts.map((text) => `${text}\n`).join(''));
    rows += records.length;
    if (!whole && rows >= SAMPLE_ROWS) break;
  }
  return rows === 0 ? undefined : enginePath(path);
}

/** Texts of the records of a CSV file that have all cells. */
async function* recordsOf(
  file: EngineFile,
  engine: EmbeddedEngine,
  form: TextForm,
  { cells }: TextHead,
): AsyncGenerator<readonly string[]> {
  const reading = { format: file.format, form, columns: [], cells, ignoreUnknown: true };
  for await (const records of readRecords(linesOf(file, engine), reading, () => undefined)) yield records.map(({ text }) => text);
}

/** Lines that are objects. */
async function* objectsOf(file: EngineFile, engine: EmbeddedEngine): AsyncGenerator<readonly string[]> {
  for await (const lines of readLines(linesOf(file, engine)))
    yield lines.flatMap((line) => ('problem' in line || problemOf(line.text) !== undefined ? [] : [line.text]));
}

function withoutFields(text: string, names: ReadonlySet<string>): string {
  if (names.size === 0) return text;
  const kept = membersOf(text).filter(({ key }) => !names.has(key));
  return `{${kept.map(({ key, raw }) => `${JSON.stringify(key)}:${raw}`).join(',')}}`;
}

let samples = 0;

const LONG = /(?<=[:,[]\s*)-?\d{19,}(?=\s*[,}\]])/g;
/** Stands for digits that a BIGNUMERIC holds by the largest integer that the engine knows, and for others by an array of arrays, which is JSON: neither loses a digit. */
function inRange(digits: string): string {
  const value = BigInt(digits);
  if (value >= -(2n ** 63n) && value < 2n ** 64n) return digits;
  return value > 0n && value < 10n ** 38n ? String(2n ** 64n - 1n) : '[[0]]';
}

const cellsBelow = (file: EngineFile, above: number, below: number): QuernError =>
  new QuernError('load', `${file.name} has ${above} columns in its header, but ${below} below it`, {
    hint: 'nothing was loaded; is the delimiter right? See --delimiter',
  });

const textOf = (cause: unknown): string => (cause instanceof Error ? `${cause.message} ${String(cause.cause)}` : String(cause));

function refuse(file: EngineFile, cause: unknown): never {
  throw explained(file, cause);
}

export function explained(file: EngineFile, cause: unknown): QuernError {
  if (cause instanceof QuernError && ['interrupted', 'load', 'usage'].includes(cause.code)) return cause;
  if (cause instanceof QuernError && cause.code === 'config') return new QuernError('load', cause.message, cause.details);
  if (isUndecodable(cause)) return unreadable(file.name, cause);
  const text = textOf(cause);
  if (/ENOSPC|No space left|NOT_ENOUGH_SPACE/i.test(text) && cause instanceof QuernError) return cause;
  const reason = /DB::Exception: (.*?)(?:: \(in file|: While executing|\. \(|$)/s.exec(text)?.[1] ?? text.split('\n', 1)[0] ?? '';
  return new QuernError('load', `${file.name} cannot be read as ${FORMATS[file.format].label}: ${reason.slice(0, 300)}`, {
    hint: 'nothing was loaded; is the format right? See --format',
    cause,
  });
}

export const isJson = ({ format }: EngineFile): boolean => JSON_FORMATS.includes(format);

/** Records with more fields than this are kept as JSON: their keys are values, as names of users are. */
const MOST_FIELDS = 200;

/** `simple`: values are texts, whatever brackets are in them. */
function inferredType(stored: ClickHouseType, simple: boolean): ValueType {
  const { name, args } = bareType(stored);
  const scalar = SCALARS[name];
  if (scalar !== undefined) return { kind: scalar };
  if (/^U?Int(8|16|32)$/.test(name) || name === 'Int64') return { kind: 'INT64' };
  if (/^U?Int/.test(name)) return { kind: 'BIGNUMERIC' };
  if (simple) return { kind: 'STRING' };
  if (name === 'Array' && args[0] !== undefined) {
    const element = inferredType(args[0].type, false);
    return element.kind === 'ARRAY' || element.kind === 'JSON' ? { kind: 'JSON' } : { kind: 'ARRAY', element };
  }
  if (name === 'Tuple') {
    const fields = args.map((arg) => ({ name: arg.name, type: inferredType(arg.type, false) }));
    const names = new Set(fields.map((field) => field.name?.toLowerCase()));
    const isRecord = names.size === fields.length && !fields.some((field) => field.name === null || field.type.kind === 'JSON');
    if (isRecord && leaves({ kind: 'STRUCT', fields }) <= MOST_FIELDS) return { kind: 'STRUCT', fields };
  }
  return { kind: 'JSON' };
}

function leaves(type: ValueType): number {
  if (type.kind === 'ARRAY') return leaves(type.element);
  return type.kind === 'STRUCT' ? type.fields.reduce((sum, field) => sum + leaves(field.type), 0) : 1;
}

const SCALARS = {
  String: 'STRING',
  Nothing: 'STRING',
  Bool: 'BOOL',
  Float32: 'FLOAT64',
  Float64: 'FLOAT64',
  Date: 'DATE',
  Date32: 'DATE',
  DateTime: 'TIMESTAMP',
  DateTime64: 'TIMESTAMP',
} as const satisfies Readonly<Record<string, string>> as Readonly<Record<string, 'STRING' | 'BOOL' | 'FLOAT64' | 'DATE' | 'TIMESTAMP'>>;
