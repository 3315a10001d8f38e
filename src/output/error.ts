// Draws an error for people: what is wrong, the place in their text with a caret, and what to do next.
import { Chalk, type ChalkInstance } from 'chalk';
import type { Problem, QuernError } from '../base/errors.ts';
import { lineAt, positionAt, type SourceText, type Span } from '../base/source-text.ts';
import { visible } from './visible.ts';
import { widthOf } from './width.ts';

interface ErrorLayout {
  readonly colour: boolean;
  /** Adds the causes, with their stacks. */
  readonly verbose: boolean;
}

const tabStop = 4;
/** A longer source line is cut to a window around the caret. */
const widestLine = 140;
const before = 40;

export function renderError(error: QuernError, layout: ErrorLayout): string {
  const chalk = new Chalk({ level: layout.colour ? 1 : 0 });
  const { span, source, hint, notes = [], problems = [] } = error.details;
  const place = span === undefined || source === undefined ? undefined : { span, source };
  const gutter = place === undefined ? 2 : gutterWidth(place.source, place.span);
  const note = (text: string) => `${' '.repeat(gutter + 1)}= ${text}`;
  const lines = [
    `${chalk.red.bold(`error[${error.code}]`)}: ${chalk.bold(message(error.message, gutter))}`,
    ...(place === undefined ? [] : placeLines(place.source, place.span, gutter, chalk)),
    ...problemLines(problems, error.code === 'parameter' ? '--' : '').map(note),
    ...notes.map((text) => note(`note: ${message(text, gutter)}`)),
    ...(hint === undefined ? [] : [note(`${chalk.cyan('hint:')} ${message(hint, gutter)}`)]),
    ...(layout.verbose ? causes(error).map((text) => note(`cause: ${message(text, gutter)}`)) : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Text of one or more lines, the later ones indented below the first. */
function message(text: string, gutter: number): string {
  return text
    .split('\n')
    .map(visible)
    .join(`\n${' '.repeat(gutter + 3)}`);
}

function problemLines(problems: readonly Problem[], prefix: string): readonly string[] {
  const kindWidth = Math.max(...problems.map((problem) => problem.kind.length)) + 3;
  const nameWidth = Math.max(...problems.map((problem) => widthOf(visible(problem.name)))) + prefix.length + 2;
  return problems.map(({ kind, name, message: text }) => {
    const shown = `${prefix}${visible(name)}`;
    return `${kind.padEnd(kindWidth)}${shown}${' '.repeat(nameWidth - widthOf(shown))}${visible(text)}`.trimEnd();
  });
}

function gutterWidth(source: SourceText, span: Span): number {
  return Math.max(2, String(positionAt(source.text, lastOffset(span)).line).length);
}

/** The last character a span covers; its first when it is empty. */
const lastOffset = (span: Span): number => Math.max(span.start, span.end - 1);

function placeLines(source: SourceText, span: Span, gutter: number, chalk: ChalkInstance): readonly string[] {
  const from = positionAt(source.text, span.start);
  const to = positionAt(source.text, lastOffset(span));
  const rule = (text: string) => chalk.blue(text);
  const blank = ' '.repeat(gutter + 1);
  const numbered = (line: number, text: string) => `${rule(`${String(line).padStart(gutter)} |`)} ${text}`.trimEnd();
  const marked = (pad: number, length: number) => `${blank}${rule('|')} ${' '.repeat(pad)}${chalk.red('^'.repeat(Math.max(1, length)))}`;
  const head = [`${' '.repeat(gutter)}${rule('-->')} ${visible(source.name)}:${from.line}:${from.column}`, `${blank}${rule('|')}`];

  const firstLine = lineAt(source.text, span.start);
  const firstEnd = from.line === to.line ? from.column - 1 + (span.end - span.start) : firstLine.length;
  const first = pictured(firstLine, from.column - 1, firstEnd);
  const body = [numbered(from.line, first.text), marked(first.pad, first.length)];
  if (from.line === to.line) return [...head, ...body];

  const lastLine = lineAt(source.text, lastOffset(span));
  const indent = lastLine.length - lastLine.trimStart().length;
  const last = pictured(lastLine, indent, to.column);
  const gap = to.line - from.line > 1 ? [`${blank}${rule('…')}`] : [];
  return [...head, ...body, ...gap, numbered(to.line, last.text), marked(last.pad, last.length)];
}

interface Pictured {
  readonly text: string;
  /** Terminal columns left of the caret, and under it. */
  readonly pad: number;
  readonly length: number;
}

/** A source line as shown: tabs as spaces, controls as escapes, long lines cut; `start` and `end` are offsets in the line. */
function pictured(line: string, start: number, end: number): Pictured {
  const cutFrom = line.length > widestLine && start > before ? start - before : 0;
  const cutTo = Math.min(line.length, cutFrom + widestLine);
  const lead = cutFrom > 0 ? '…' : '';
  const tail = cutTo < line.length ? '…' : '';
  const left = `${lead}${withoutTabs(line.slice(cutFrom, start), widthOf(lead))}`;
  const under = withoutTabs(line.slice(start, Math.min(end, cutTo)), widthOf(left));
  const right = withoutTabs(line.slice(Math.max(start, Math.min(end, cutTo)), cutTo), widthOf(left) + widthOf(under));
  return { text: `${left}${under}${right}${tail}`, pad: widthOf(left), length: widthOf(under) };
}

/** `column` is where the text begins, for the tab stops. */
function withoutTabs(text: string, column: number): string {
  let shown = '';
  for (const [i, part] of text.split('\t').entries()) {
    if (i > 0) shown += ' '.repeat(tabStop - ((column + widthOf(shown)) % tabStop));
    shown += visible(part);
  }
  return shown;
}

function causes(error: QuernError): readonly string[] {
  const chain: string[] = [];
  for (let cause = error.details.cause; cause !== undefined && cause !== null; cause = cause instanceof Error ? cause.cause : undefined) {
    chain.push(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  }
  return chain;
}
