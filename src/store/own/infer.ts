// What the columns of a file are, by the engine's own inference, as BigQuery's types.
import { FORMATS, JSON_FORMATS, TEXT_FORMATS } from '../../catalog/files/formats.ts';
import type { DeclaredColumn } from '../../catalog/table-schema.ts';
import { bareType, type ClickHouseType, readType } from '../../clickhouse/type.ts';
import type { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { QuernError } from '../../errors.ts';
import { readCells } from '../csv.ts';
import type { EngineFile } from './engine-file.ts';
import type { ValueType } from './stored-type.ts';

/** A column of a file as the engine finds it. */
export interface FoundColumn extends DeclaredColumn {
  /** Its name in the file, where the table has another. */
  readonly fileName?: string;
  /** ClickHouse type text. */
  readonly found: string;
}

/** More take time, and say little else; where they mislead, the whole file is asked. */
const SAMPLE_ROWS = 10_000;

const LINES = 'input_format_max_rows_to_read_for_schema_inference';

/** `whole`: by all rows of the file. Throws QuernError `load` where the file cannot be read so. */
export async function inferColumns(
  file: EngineFile,
  engine: EmbeddedEngine,
  delimiter: string,
  whole = false,
): Promise<readonly FoundColumn[]> {
  const header = TEXT_FORMATS.includes(file.format) ? await headerOf(file, engine, delimiter) : undefined;
  const rows = `${LINES} = ${whole ? 1_000_000_000 : SAMPLE_ROWS}${whole ? ', input_format_max_bytes_to_read_for_schema_inference = 1000000000000' : ''}`;
  const as = header === undefined ? FORMATS[file.format].engine : 'CSV';
  const csv = `, input_format_csv_skip_first_lines = 1, format_csv_delimiter = '${delimiter === '\t' ? '\\t' : delimiter}'`;
  const sql = `DESCRIBE TABLE ${file.from(as)} SETTINGS ${rows}, schema_inference_make_columns_nullable = 1, input_format_json_try_infer_numbers_from_strings = 0${header === undefined ? '' : csv}`;
  const described = (
    await engine.rows(sql).catch((cause: unknown) => {
      if (header !== undefined && /is empty|no data|Cannot extract table structure|cannot be extracted|CANNOT_EXTRACT/i.test(textOf(cause)))
        return header.map((name) => [name, 'Nullable(String)']);
      throw explained(file, cause);
    })
  ).map(([name, type]) => ({ name: String(name), found: String(type) }));
  if (header !== undefined && header.length !== described.length) {
    throw new QuernError('load', `${file.name} has ${header.length} columns in its header, and ${described.length} below it`, {
      hint: 'nothing was loaded; is the delimiter right? See --delimiter',
    });
  }
  const simple = header !== undefined;
  return described.map(({ name, found }, i) => ({ name: header?.[i] ?? name, found, type: inferredType(readType(found), simple) }));
}

/** The names in the first line of a CSV file. */
async function headerOf(file: EngineFile, engine: EmbeddedEngine, delimiter: string): Promise<readonly string[]> {
  const [[line = ''] = []] = await engine
    .rows(`SELECT line FROM ${file.from('LineAsString', 'line String')} LIMIT 1`)
    .catch((cause: unknown) => {
      throw explained(file, cause);
    });
  const cells = readCells(
    String(line)
      .replace(/^\ufeff/, '')
      .replace(/\r$/, ''),
    delimiter,
  ).map((cell) => (cell ?? '').trim());
  const hint = 'the first line names each column once; nothing was loaded';
  if (cells.includes('')) throw new QuernError('load', `column ${cells.indexOf('') + 1} of ${file.name} has no name`, { hint });
  const twice = cells.find((cell, i) => cells.findIndex((other) => other.toLowerCase() === cell.toLowerCase()) < i);
  if (twice !== undefined) throw new QuernError('load', `${file.name} has the column ${twice} twice`, { hint });
  return cells;
}

const textOf = (cause: unknown): string => (cause instanceof Error ? `${cause.message} ${String(cause.cause)}` : String(cause));

export function explained(file: EngineFile, cause: unknown): QuernError {
  if (cause instanceof QuernError && ['interrupted', 'load', 'usage'].includes(cause.code)) return cause;
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
