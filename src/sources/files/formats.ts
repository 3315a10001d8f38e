// The formats of files that queries can read, what their names end with, and what the engine calls them.

import { namedCompression } from '../../files/compression.ts';

interface FormatRow {
  /** As people call it. */
  readonly label: string;
  readonly endings: readonly string[];
  /** https://clickhouse.com/docs/interfaces/formats */
  readonly engine: string;
}

export const FORMATS = {
  parquet: { label: 'Parquet', endings: ['parquet', 'pq'], engine: 'Parquet' },
  csv: { label: 'CSV', endings: ['csv'], engine: 'CSV' },
  tsv: { label: 'TSV', endings: ['tsv', 'tab'], engine: 'CSV' },
  ndjson: { label: 'NDJSON', endings: ['ndjson', 'jsonl'], engine: 'JSONEachRow' },
  json: { label: 'JSON', endings: ['json'], engine: 'JSONEachRow' },
  arrow: { label: 'Arrow', endings: ['arrow', 'feather', 'ipc'], engine: 'Arrow' },
  orc: { label: 'ORC', endings: ['orc'], engine: 'ORC' },
  avro: { label: 'Avro', endings: ['avro'], engine: 'Avro' },
} as const satisfies Readonly<Record<string, FormatRow>>;

export type FileFormat = keyof typeof FORMATS;

/** Lines of values: what their columns are, only the values say. */
export const TEXT_FORMATS: readonly FileFormat[] = ['csv', 'tsv'];
/** Values say what they are, and columns are what an object has. */
export const JSON_FORMATS: readonly FileFormat[] = ['ndjson', 'json'];

/** By what the name ends with, as the engine does. */
export const isCompressed = (path: string): boolean => namedCompression(path) !== undefined;

/** By what the name ends with. */
export function formatOf(path: string): FileFormat | undefined {
  const name = path.includes('://') ? path.replace(/[?#].*$/, '') : path;
  const plain = isCompressed(name) ? name.replace(/\.\w+$/, '') : name;
  const ending = /\.(\w+)$/.exec(plain)?.[1]?.toLowerCase();
  return (Object.keys(FORMATS) as FileFormat[]).find((name) => FORMATS[name].endings.some((known) => known === ending));
}

/** Returns a name for a table of the rows of a file: `Umsatze_2026_Q1` for `Umsätze 2026 (Q1).csv.gz`. */
export function tableNameFor(path: string): string {
  const file = path.split(/[/\\]/).pop() ?? '';
  const plain = (isCompressed(file) ? file.replace(/\.\w+$/, '') : file).replace(/\.\w+$/, '');
  const letters = plain.normalize('NFKD').replace(/\p{M}/gu, '');
  const name = letters.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '');
  return name.replace(/^(?=\d)/, '_') || 'data';
}
