// Texts of a file that are no values of their columns' types: a load keeps their rows out, and a failed query names the first.

import { QuernError } from '../../base/errors.ts';
import { quoted, selectFrom } from '../loaded/stored-select.ts';
import type { ValueType } from '../loaded/stored-type.ts';
import type { Ask, FilesDescription } from './description.ts';
import { type EngineFiles, settingsText } from './engine-files.ts';

/** Why a row cannot be read. */
interface WrongValue {
  readonly why: string;
  /** The column with a type to declare, of which its text is a value. */
  readonly schema: string;
}

interface ReadFile {
  readonly files: EngineFiles;
  readonly description: FilesDescription;
  readonly isJson: boolean;
  /** Default: as many as there are. */
  readonly mostRows?: number;
}

/** A column, and what its values are to be. */
interface WantedColumn {
  readonly name: string;
  /** As the file calls it. */
  readonly fileName: string;
  readonly type: ValueType;
}

/**
 * Rows that surely cannot be read, by their positions: those with a text that is no value of its column's type. It need not find all of them, and finds
 * nothing where it cannot tell.
 */
export async function wrongValues(
  { files, description: block, isJson, mostRows }: ReadFile,
  wanted: readonly WantedColumn[],
  ask: Ask,
): Promise<ReadonlyMap<number, WrongValue>> {
  const there = wanted.flatMap(({ name, type, fileName }) => {
    const stored = block.columns.find((column) => column.name === fileName)?.type ?? '';
    const check = checkOf(stored, type, isJson);
    return check === undefined ? [] : [{ name, type, column: fileName, check }];
  });
  if (there.length === 0) return new Map();
  const columns = block.columns
    .filter(({ name }) => !isJson || there.some(({ column }) => column === name))
    .map(({ name }) => ({ name, type: 'Nullable(String)' }));
  const texts = {
    ...block,
    columns,
    view: undefined,
    declared: [],
    forms: {},
    settings: { ...block.settings, ...(isJson ? JSON_AS_TEXTS : {}) },
  };
  const casts = there.map(({ column, check }) => ('googleSql' in check ? check.googleSql(`nullif(${quoted(column)}, '')`) : 'null'));
  const names = there.map(({ column }) => quoted(column));
  const select = selectFrom(files, texts, [], [...names, ...casts]);
  const isWrong = there.map(({ check }, i) =>
    'engine' in check ? check.engine(`r.v${i}`) : `(r.v${i + there.length} IS NULL AND nullIf(r.v${i}, '') IS NOT NULL)`,
  );
  const which = `multiIf(${isWrong.map((wrong, i) => `${wrong}, ${i}`).join(', ')}, -1)`;
  const text = `substringUTF8([${there.map((_, i) => `ifNull(r.v${i}, '')`).join(', ')}][column + 1], 1, 60)`;
  const rows = await ask(
    `SELECT row, column, ${text} FROM (SELECT rowNumberInAllBlocks() AS row, ${which} AS column, * FROM (${select.sql}) AS r) AS r ` +
      `WHERE column >= 0${mostRows === undefined ? '' : ` LIMIT ${mostRows}`} SETTINGS ${settingsText({ ...select.settings, ...IN_ORDER })}`,
  ).catch((cause: unknown) => {
    if (cause instanceof QuernError && (cause.code === 'data' || cause.code === 'engine')) return [];
    throw cause;
  });
  return new Map(
    rows.map(([row, at, shown]) => {
      const { name = '', type: { kind } = { kind: 'STRING' } } = there[Number(at)] ?? {};
      const why = `${name}: ${JSON.stringify(shown)} is not ${kind}`;
      return [Number(row), { why, schema: `${name}:${kindFor(String(shown), kind)}` }];
    }),
  );
}

/** The type for a column of `kind` in which such a text stands, too. */
function kindFor(text: string, kind: ValueType['kind']): ValueType['kind'] {
  if (kind === 'DATE' && /^\d{4}-\d\d-\d\d[ T]\d/.test(text)) return 'TIMESTAMP';
  if (kind !== 'INT64') return 'STRING';
  if (/^[+-]?\d{1,38}$/.test(text)) return 'BIGNUMERIC';
  return /^[+-]?[\d.]+([eE][+-]?\d+)?$/.test(text) ? 'FLOAT64' : 'STRING';
}

const JSON_AS_TEXTS = { input_format_json_read_numbers_as_strings: 1, input_format_json_read_bools_as_strings: 1 } as const;

/** The rows in the order of the file. */
const IN_ORDER = { max_threads: 1, input_format_parallel_parsing: 0 };

type Check = { readonly googleSql: (text: string) => string } | { readonly engine: (text: string) => string };

/** Of a column that is held as `stored` while it is read; undefined where every text is right, or where only the engine knows. */
function checkOf(stored: string, type: ValueType, isJson: boolean): Check | undefined {
  if (stored === 'Nullable(String)') return isJson && type.kind === 'JSON' ? undefined : checkOfText(type);
  const bare = /^Nullable\((Int128|Float64|Bool)\)$/.exec(stored)?.[1];
  if (bare === undefined) return undefined;
  if (bare === 'Bool' && isJson) return { engine: (text) => `ifNull(${text} NOT IN ('true', 'false', '1', '0'), false)` };
  const read = (text: string): string => {
    const value = `accurateCastOrNull(trimBoth(${text}), '${bare}')`;
    return bare === 'Int128' && type.kind === 'INT64' ? `accurateCastOrNull(${value}, 'Int64')` : value;
  };
  // The engine reads a truth value of JSON as 1 or 0.
  const other = isJson ? " NOT IN ('true', 'false')" : ' IS NOT NULL';
  return { engine: (text) => `ifNull(${text}${other} AND ${read(text)} IS NULL, false)` };
}

/** Of a column of texts that are to be values; undefined where every text is one, or where only the engine knows. */
function checkOfText({ kind }: ValueType): Check | undefined {
  switch (kind) {
    case 'JSON':
      return { engine: (text) => `(ifNull(${text}, '') != '' AND NOT isValidJSON(ifNull(${text}, '')))` };
    case 'DATE':
    case 'TIME':
    case 'DATETIME':
    case 'TIMESTAMP':
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return { googleSql: (text) => `safe_cast(${text} as ${kind})` };
    case 'BOOL':
      return { engine: (text) => `isNull(accurateCastOrNull(${text}, 'Bool')) > isNull(${text})` };
    case 'BYTES':
      return { googleSql: (text) => `safe.from_base64(${text})` };
    default:
      return undefined;
  }
}
