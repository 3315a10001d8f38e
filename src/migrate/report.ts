// The report of an import: as text, as JSON, as Markdown.
import { visible } from '../output/visible.ts';
import { widthOf } from '../output/width.ts';
import type { Trouble } from './attempt.ts';
import { type MappedSource, type Proposal, sectionsText } from './source-proposal.ts';

export interface ImportedQuery {
  readonly name: string;
  readonly was?: string | undefined;
  /** As it is shown; absent when none is written. */
  readonly file?: string;
  /**
   * `rows only`: it translates, but it is there to write a table, which quern does not; `unmapped`: it translates once its sources are known; `left out`: no
   * file is written for it.
   */
  readonly state: 'translates' | 'rows only' | 'unmapped' | 'refused' | 'left out';
  readonly file_state?: 'new' | 'changed' | 'same';
  readonly trouble?: (Omit<Trouble, 'code'> & { readonly code?: Trouble['code'] }) | undefined;
  readonly notes: readonly string[];
}

/** A table that is not known. */
export interface TableToMap {
  readonly name: string;
  /** Names of the queries that read it. */
  readonly queries: readonly string[];
  /** Its name in the proposal. */
  readonly becomes?: string;
}

/** A reason why queries are refused. */
interface Cause {
  readonly message: string;
  readonly queries: readonly string[];
}

export interface ImportReport {
  readonly folder: string;
  /** False for a dry run. */
  readonly written: boolean;
  readonly queries: readonly ImportedQuery[];
  readonly sources: readonly MappedSource[];
  /** The tables, first those that most queries read. */
  readonly tables: readonly TableToMap[];
  readonly proposal: Omit<Proposal, 'becomes'>;
}

export const REPORT_FORMATS = ['json', 'md'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const WORDS: Readonly<Record<ImportedQuery['state'], string>> = {
  translates: 'ok',
  'rows only': 'rows only',
  unmapped: 'no source',
  refused: 'refused',
  'left out': 'left out',
};

/** True if every query translates. */
export const isClean = ({ queries }: ImportReport): boolean =>
  queries.every(({ state }) => state === 'translates' || state === 'rows only');

/** `3 of 5 queries translate`, and what is with the others. */
export function summary({ queries }: ImportReport): string {
  const count = (state: ImportedQuery['state']): number => queries.filter((query) => query.state === state).length;
  const rest = (
    [
      ['rows only', count('rows only') === 1 ? 'returns the rows that it would write' : 'return the rows that they would write'],
      ['unmapped', 'more once their tables are known'],
      ['refused', 'refused'],
      ['left out', 'left out'],
    ] as const
  ).flatMap(([state, words]) => (count(state) === 0 ? [] : [`${count(state)} ${words}`]));
  const good = count('translates');
  const translate = good === 1 || queries.length === 1 ? 'translates' : 'translate';
  return [`${good} of ${queries.length} ${queries.length === 1 ? 'query' : 'queries'} ${translate}`, ...rest].join(', ');
}

/** Lists the reasons why queries are refused or left out, first those of most queries. */
function causesOf({ queries }: Pick<ImportReport, 'queries'>): readonly Cause[] {
  const causes = new Map<string, string[]>();
  for (const { name, state, trouble } of queries) {
    if (trouble === undefined || (state !== 'refused' && state !== 'left out')) continue;
    const message = `${trouble.message}${trouble.code === undefined ? '' : ` [${trouble.code}]`}`;
    causes.set(message, [...(causes.get(message) ?? []), name]);
  }
  return [...causes].map(([message, names]) => ({ message, queries: names })).sort((a, b) => b.queries.length - a.queries.length);
}

/** None where each is that of one query: it stands beside that query already. */
const sharedCauses = (report: ImportReport): readonly Cause[] => {
  const causes = causesOf(report);
  return causes.some(({ queries }) => queries.length > 1) ? causes : [];
};

/** Lines are broken between words where a terminal has `columns`. */
export function reportText(report: ImportReport, columns?: number): string {
  const width = Math.max(...Object.values(WORDS).map((word) => word.length));
  const lines = report.queries.flatMap(({ name, was, state, trouble, notes }) => [
    `${WORDS[state].padEnd(width)}  ${visible(name)}${was === undefined ? '' : `  (was ${visible(JSON.stringify(was))})`}`,
    ...[...troubleLines(trouble), ...notes.map((note) => `note: ${note}`)].flatMap((line) => indented(line, width + 4, columns)),
  ]);
  const section = sectionsText(report.sources, report.proposal);
  const parts = [
    lines.join('\n'),
    tablesText(report.tables),
    causesText(sharedCauses(report), columns),
    ...(section === undefined ? [] : [section.trimEnd().split('\n').map(visible).join('\n')]),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const counted = (count: number): string => `${count} ${count === 1 ? 'query' : 'queries'}`;

function tablesText(tables: readonly TableToMap[]): string {
  if (tables.length === 0) return '';
  const width = Math.max(...tables.map(({ name }) => widthOf(visible(name))));
  const lines = tables.map(({ name, queries, becomes }) => {
    const padding = ' '.repeat(width - widthOf(visible(name)));
    return `  ${visible(name)}${padding}  ${counted(queries.length)}${becomes === undefined ? '' : ` → ${visible(becomes)}`}`;
  });
  return ['Tables to map:', ...lines].join('\n');
}

function causesText(causes: readonly Cause[], columns: number | undefined): string {
  if (causes.length === 0) return '';
  const lines = causes.flatMap(({ message, queries }) => [`  ${counted(queries.length)}`, ...indented(message, 6, columns)]);
  return ['What needs fixing:', ...lines].join('\n');
}

function indented(text: string, indent: number, columns = Number.POSITIVE_INFINITY): readonly string[] {
  const lines: string[] = [];
  for (const word of visible(text).split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && indent + widthOf(`${last} ${word}`) <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `${' '.repeat(indent)}${line}`);
}

function troubleLines(trouble: ImportedQuery['trouble']): readonly string[] {
  if (trouble === undefined) return [];
  const { code, message, hint } = trouble;
  const place = placeOf(trouble);
  return [
    `${place === undefined ? '' : `${place}: `}${message}${code === undefined ? '' : ` [${code}]`}`,
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ];
}

const placeOf = ({ file, line, column }: NonNullable<ImportedQuery['trouble']>): string | undefined =>
  file === undefined ? undefined : `${file}:${line}:${column}`;

export const writeReport: Readonly<Record<ReportFormat, (report: ImportReport) => string>> = {
  json: (report) => `${JSON.stringify({ ...report, causes: causesOf(report), summary: summary(report) }, null, 2)}\n`,
  md: markdown,
};

function markdown(report: ImportReport): string {
  const rows = report.queries.map(({ name, was, state, trouble, notes }) => {
    const about = [
      ...(was === undefined ? [] : [`was ${JSON.stringify(was)}`]),
      ...troubleLines(trouble),
      ...notes.map((note) => `note: ${note}`),
    ];
    return `| ${cell(name)} | ${WORDS[state]} | ${about.map(cell).join('<br>')} |`;
  });
  const section = sectionsText(report.sources, report.proposal);
  const causes = sharedCauses(report);
  return [
    '# Imported queries',
    '',
    `${summary(report)}.`,
    '',
    '| query | state | why, and what else |',
    '|---|---|---|',
    ...rows,
    ...listed(
      'Tables to map',
      ['table', 'queries', 'becomes'],
      report.tables.map(({ name, queries, becomes = '' }) => [name, String(queries.length), becomes]),
    ),
    ...listed(
      'What needs fixing',
      ['cause', 'queries', 'which'],
      causes.map(({ message, queries }) => [message, String(queries.length), queries.join(', ')]),
    ),
    ...(section === undefined ? [] : ['', '```yaml', section.trimEnd(), '```']),
    '',
  ].join('\n');
}

function listed(title: string, columns: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return ['', `## ${title}`, '', line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map((cells) => line(cells.map(cell)))];
}

/** Text in a table of Markdown: nothing in it is markup. */
const cell = (text: string): string => visible(text).replace(/[\\`*_{}[\]<>|#&]/g, (character) => `&#${character.charCodeAt(0)};`);
