// The report of an import: as text, as JSON, as Markdown.
import { visible } from '../output/visible.ts';
import { widthOf } from '../output/width.ts';
import { type MappedSource, sourcesSection } from './source-proposal.ts';
import type { Trouble } from './trial.ts';

export interface ImportedQuery {
  readonly name: string;
  readonly was?: string | undefined;
  /** As it is shown; absent when none is written. */
  readonly file?: string;
  /** `unmapped`: it translates once its sources are known; `left out`: no file is written for it. */
  readonly state: 'translates' | 'unmapped' | 'refused' | 'left out';
  readonly file_state?: 'new' | 'changed' | 'same';
  readonly trouble?: (Omit<Trouble, 'code'> & { readonly code?: Trouble['code'] }) | undefined;
  readonly notes: readonly string[];
}

export interface ImportReport {
  readonly folder: string;
  /** False for a dry run. */
  readonly written: boolean;
  readonly queries: readonly ImportedQuery[];
  readonly sources: readonly MappedSource[];
}

export const REPORT_FORMATS = ['json', 'md'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const WORDS: Readonly<Record<ImportedQuery['state'], string>> = {
  translates: 'ok',
  unmapped: 'no source',
  refused: 'refused',
  'left out': 'left out',
};

/** Whether every query translates. */
export const isClean = ({ queries }: ImportReport): boolean => queries.every(({ state }) => state === 'translates');

/** `3 of 5 queries translate`, and what is with the others. */
export function summary({ queries }: ImportReport): string {
  const count = (state: ImportedQuery['state']): number => queries.filter((query) => query.state === state).length;
  const rest = (
    [
      ['unmapped', 'more once sources are in quern.yaml'],
      ['refused', 'refused'],
      ['left out', 'left out'],
    ] as const
  ).flatMap(([state, words]) => (count(state) === 0 ? [] : [`${count(state)} ${words}`]));
  const good = count('translates');
  const translate = good === 1 || queries.length === 1 ? 'translates' : 'translate';
  return [`${good} of ${queries.length} ${queries.length === 1 ? 'query' : 'queries'} ${translate}`, ...rest].join(', ');
}

/** Lines are broken between words where a terminal has `columns`. */
export function reportText(report: ImportReport, columns?: number): string {
  const width = Math.max(...Object.values(WORDS).map((word) => word.length));
  const lines = report.queries.flatMap(({ name, was, state, trouble, notes }) => [
    `${WORDS[state].padEnd(width)}  ${visible(name)}${was === undefined ? '' : `  (was ${visible(JSON.stringify(was))})`}`,
    ...[...troubleLines(trouble), ...notes.map((note) => `note: ${note}`)].flatMap((line) => indented(line, width + 4, columns)),
  ]);
  const section = sourcesSection(report.sources);
  return `${lines.join('\n')}\n${section === undefined ? '' : `\n${section.split('\n').map(visible).join('\n')}`}`;
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
  json: (report) => `${JSON.stringify({ ...report, summary: summary(report) }, null, 2)}\n`,
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
  const section = sourcesSection(report.sources);
  return [
    '# Imported queries',
    '',
    `${summary(report)}.`,
    '',
    '| query | state | why, and what else |',
    '|---|---|---|',
    ...rows,
    ...(section === undefined ? [] : ['', '```yaml', section.trimEnd(), '```']),
    '',
  ].join('\n');
}

/** Text in a table of Markdown: nothing in it is markup. */
const cell = (text: string): string => visible(text).replace(/[\\`*_{}[\]<>|#&]/g, (character) => `&#${character.charCodeAt(0)};`);
