// Prints the rows of `quern sources`, and of `\d` in the shell.

import { nearest, QuernError } from '../../base/errors.ts';
import type { ResultColumn, Row } from '../../base/result.ts';
import type { ListedSource } from '../../sources/listing.ts';
import type { Parts } from '../parts.ts';

export interface SourceFlags {
  readonly format?: string;
  readonly refresh?: true;
}

/** The width of a terminal that has room for the names of tables. */
const WIDE = 120;

/** All sources, or the columns of one. */
export async function printSources({ connection, io, terminal }: Parts, name: string | undefined, flags: SourceFlags): Promise<void> {
  const { sourceNamed, sourcesOf } = await import('../../connection/list-sources.ts');
  const connected = await connection();
  const sources = await sourcesOf(connected, { refresh: flags.refresh === true });
  const one = name === undefined ? undefined : (listedAs(sources, name) ?? (await sourceNamed(connected, name)) ?? notThere(sources, name));
  const isNarrow = flags.format === undefined && (io.stdout.columns ?? WIDE) < WIDE;
  const [columns, rows] = one === undefined ? overview(sources, isNarrow) : detail(one);
  if (one?.files !== undefined) await noteFiles(one.files, terminal);
  await terminal.print({ columns: columns.map(text), rows, truncated: false }, { ...flags, whole: ['source', 'column'], wrap: true });
}

type Files = NonNullable<ListedSource['files']>;

/** Says `3 csv files, 12 MB`, or `csv files` where they are at an address, and nobody has counted them. */
function filesText({ format, files }: Files): string {
  if (files.length === 0) return `${format} files`;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${files.length} ${format} ${files.length === 1 ? 'file' : 'files'}, ${about(bytes)}`;
}

/** Says `34.4 MB`. */
function about(bytes: number): string {
  const [unit, size] = UNITS.find(([, each]) => bytes >= each) ?? ['B', 1];
  return `${Number((bytes / size).toFixed(size === 1 ? 0 : 1))} ${unit}`;
}

const UNITS = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;

const MOST_SHOWN = 20;

async function noteFiles(files: Files, { note }: Parts['terminal']): Promise<void> {
  await note(files.files.length === 0 ? `${filesText(files)} at ${files.patterns.join(', ')}` : filesText(files));
  for (const { path, bytes } of files.files.slice(0, MOST_SHOWN)) await note(`  ${path} (${about(bytes)})`);
  if (files.files.length > MOST_SHOWN) await note(`  and ${files.files.length - MOST_SHOWN} more`);
}

const text = (name: string): ResultColumn => ({ name, type: { kind: 'STRING' } });

function overview(sources: readonly ListedSource[], isNarrow: boolean): readonly [readonly string[], readonly Row[]] {
  const rows = sources.map((source) => [
    source.name,
    ...(isNarrow ? [] : [source.table || null]),
    source.files === undefined ? source.layout || null : filesText(source.files),
    source.problem?.message ?? columnNames(source),
    source.aliases.join(' ') || null,
  ]);
  return [['source', ...(isNarrow ? [] : ['table']), 'layout', 'columns', 'aliases'], rows];
}

function columnNames({ columns, unread }: ListedSource): string {
  const names = columns.map((column) => column.name).filter((column) => !column.includes('.'));
  return [...names, ...(unread.length === 0 ? [] : [`(not read: ${unread.map((column) => column.name).join(' ')})`])].join(' ');
}

function detail({ problem, columns, unread }: ListedSource): readonly [readonly string[], readonly Row[]] {
  if (problem !== undefined) throw problem;
  const read = columns.map(({ name, type, stored }) => [name, type, stored || null]);
  const others = unread.map(({ name, stored, why }) => [name, `not read: ${why}`, stored]);
  return [
    ['column', 'type', 'stored'],
    [...read, ...others],
  ];
}

const listedAs = (sources: readonly ListedSource[], name: string): ListedSource | undefined =>
  sources.find((source) => [source.name, ...source.aliases].some((known) => known.toLowerCase() === name.toLowerCase()));

function notThere(sources: readonly ListedSource[], name: string): never {
  const near = nearest(
    name,
    sources.flatMap((source) => [source.name, ...source.aliases]),
  );
  throw new QuernError('unknown-source', `${name} is not a source`, {
    hint: near === undefined ? 'list them with `quern sources`' : `did you mean ${near}?`,
  });
}
