// Prints the rows of `quern sources`, and of `\d` in the shell.

import { didYouMean, QuernError } from '../../base/errors.ts';
import { roundSize } from '../../base/quantity.ts';
import type { Row } from '../../base/result.ts';
import { columnNames, type ListedSource } from '../../sources/listing.ts';
import type { Parts } from '../parts.ts';

export interface SourceFlags {
  readonly format?: string;
  readonly refresh?: true;
  readonly all?: true;
}

/** The width of a terminal that has room for the names of tables. */
const WIDE = 120;

/** All sources, or the columns of one. */
export async function printSources({ connection, io, terminal }: Parts, name: string | undefined, flags: SourceFlags): Promise<void> {
  const { sourceNamed, sourcesOf } = await import('../../connection/list-sources.ts');
  const connected = await connection();
  const sources = await sourcesOf(connected, { refresh: flags.refresh === true });
  const one = name === undefined ? undefined : (listedAs(sources, name) ?? (await sourceNamed(connected, name)) ?? notThere(sources, name));
  const isTable = flags.format === undefined && io.stdout.isTerminal;
  const isNarrow = flags.format === undefined && (io.stdout.columns ?? WIDE) < WIDE;
  const shown = sources.filter(({ isHidden }) => isHidden !== true || flags.all === true);
  const [columns, rows] = one === undefined ? overview(shown, { isNarrow, isTable }) : detail(one);
  if (one?.files !== undefined) await noteFiles(one.files, terminal);
  if (one !== undefined || shown.length > 0)
    await terminal.print(
      {
        columns: columns.map((column) => ({ name: column, type: { kind: NUMBERS.has(column) ? 'INT64' : 'STRING' } })),
        rows,
        truncated: false,
      },
      { ...flags, whole: ['source', 'column'], wrap: true },
    );
  if (one === undefined) await noteHidden(sources.length - shown.length, shown.length === 0, terminal);
}

const NUMBERS: ReadonlySet<string> = new Set(['rows', 'bytes']);

async function noteHidden(hidden: number, isAlone: boolean, { aside, note }: Parts['terminal']): Promise<void> {
  if (hidden === 0) return;
  const text = `${hidden} log ${hidden === 1 ? 'source has' : 'sources have'} no rows: \`quern sources --all\` lists them, too`;
  if (isAlone) await note(`nothing is loaded yet: quern load orders orders.csv makes a table; ${text}`);
  else await aside(text);
}

type Files = NonNullable<ListedSource['files']>;

/** Says `3 csv files, 12 MB`, or `csv files` where they are at an address, and nobody has counted them. */
function filesText({ format, files }: Files): string {
  if (files.length === 0) return `${format} files`;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${files.length} ${format} ${files.length === 1 ? 'file' : 'files'}, ${roundSize(bytes)}`;
}

const MOST_SHOWN = 20;

async function noteFiles(files: Files, { note }: Parts['terminal']): Promise<void> {
  await note(files.files.length === 0 ? `${filesText(files)} at ${files.patterns.join(', ')}` : filesText(files));
  for (const { path, bytes } of files.files.slice(0, MOST_SHOWN)) await note(`  ${path} (${roundSize(bytes)})`);
  if (files.files.length > MOST_SHOWN) await note(`  and ${files.files.length - MOST_SHOWN} more`);
}

function overview(
  sources: readonly ListedSource[],
  { isNarrow, isTable }: { readonly isNarrow: boolean; readonly isTable: boolean },
): readonly [readonly string[], readonly Row[]] {
  const rows = sources.map((source) => [
    source.name,
    source.rows ?? null,
    isTable ? sizeText(source) : (source.bytes ?? null),
    ...(isNarrow ? [] : [source.table || null]),
    source.files === undefined ? source.layout || null : filesText(source.files),
    source.problem?.message ?? columnsText(source),
    source.aliases.join(' ') || null,
  ]);
  const names = ['source', 'rows', isTable ? 'size' : 'bytes', ...(isNarrow ? [] : ['table']), 'layout', 'columns', 'aliases'];
  // People read no columns in which nothing is.
  const kept = names.flatMap((_, at) => (isTable && rows.every((row) => row[at] === null) ? [] : [at]));
  return [kept.map((at) => names[at] ?? ''), rows.map((row) => kept.map((at) => row[at] ?? null))];
}

const sizeText = ({ bytes }: ListedSource): string | null => (bytes === undefined ? null : roundSize(bytes));

function columnsText({ columns, unread }: ListedSource): string {
  return [...columnNames(columns), ...(unread.length === 0 ? [] : [`(not read: ${unread.map((column) => column.name).join(' ')})`])].join(
    ' ',
  );
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
  throw new QuernError('unknown-source', `${name} is not a source`, {
    hint:
      didYouMean(
        name,
        sources.flatMap((source) => [source.name, ...source.aliases]),
      ) ?? 'list them with `quern sources`',
  });
}
