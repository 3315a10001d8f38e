// The report for people: each check with its assertions, why they do not hold, and rows that break them.

import { formatCount } from '../../base/quantity.ts';
import { paint } from '../../output/paint.ts';
import { table } from '../../output/table/table.ts';
import { textLines } from '../../output/table/widths.ts';
import { visible } from '../../output/visible.ts';
import { placeText, shortPath } from '../check.ts';
import { type AssertionOutcome, type CheckOutcome, countStates, reasonOf, type State } from '../outcome.ts';
import type { MakeReporter, ReporterOptions } from './reporter.ts';

const MARKS: Readonly<Record<State, string>> = { pass: 'ok  ', warn: 'WARN', fail: 'FAIL', unknown: 'FAIL' };
/** Under the text after the mark. */
const INDENT = 8;

export const terminal: MakeReporter = (options) => {
  const colours = paint(options.colour);
  const marks: Readonly<Record<State, (text: string) => string>> = {
    pass: colours.good,
    warn: colours.caution,
    fail: colours.bad,
    unknown: colours.bad,
  };
  const assertionLines = (outcome: AssertionOutcome, check: CheckOutcome): readonly string[] => {
    const { assertion, state } = outcome;
    const lines = [...marked(marks[state](MARKS[state]), assertion.name, options.width)];
    const reason = reasonOf(outcome, check.rows);
    if (reason !== '') lines.push(...wrapped(reason, options.width));
    if (state === 'pass') return lines;
    if (assertion.description !== undefined) lines.push(...wrapped(assertion.description, options.width));
    lines.push(...details(outcome, options).map((line) => colours.faint(line)), ...rowLines(outcome, options));
    return lines;
  };
  return {
    check(outcome) {
      const { check, assertions, atLimit, missing } = outcome;
      const given = Object.entries(check.arguments).map(([name, value]) => ` ${name}=${argumentText(value)}`);
      const notes = [
        ...(atLimit
          ? [`the query returns at most ${formatCount(check.query.maxRows, 'row')} (max_rows); other rows were not checked`]
          : []),
        ...(missing.length > 0 ? [`rows are missing: ${missing.join(', ')} did not answer`] : []),
      ];
      const lines = [
        `${colours.strong(visible(check.query.name))}${visible(given.join(''))}`,
        ...assertions.flatMap((one) => assertionLines(one, outcome)),
        ...notes.flatMap((note) => marked('note', note, options.width)),
      ];
      return `${lines.join('\n')}\n\n`;
    },
    end({ outcomes, elapsedMs, instant }) {
      const { assertions, passed, warned, failed, unknown } = countStates(outcomes);
      const parts = [
        passed > 0 || assertions === 0 ? colours.good(`${passed} ok`) : [],
        warned > 0 ? colours.caution(formatCount(warned, 'warning')) : [],
        failed > 0 ? colours.bad(`${failed} failed`) : [],
        unknown > 0 ? colours.bad(`${unknown} could not be checked`) : [],
      ].flat();
      const time = `${(elapsedMs / 1000).toFixed(1)} s, as of ${instant.slice(0, 19).replace(' ', 'T')}Z`;
      return `${formatCount(assertions, 'assertion')}: ${parts.join(', ')} (${time})\n`;
    },
  };
};

function marked(mark: string, text: string, width: number | undefined): readonly string[] {
  const [first = '', ...others] = wrapped(text, width);
  return [`  ${mark}  ${first.trimStart()}`, ...others];
}

function details({ assertion, error, file, sampleError }: AssertionOutcome, { width, cwd }: ReporterOptions): readonly string[] {
  return [
    ...(error?.details.hint === undefined ? [] : wrapped(`hint: ${error.details.hint}`, width)),
    ...(sampleError === undefined ? [] : wrapped(`the rows cannot be shown: ${sampleError.message}`, width)),
    ...(file === undefined ? [] : wrapped(`rows in ${shortPath(file, cwd)}`, width)),
    ...wrapped(placeText(assertion.place, { cwd }), width),
  ];
}

function rowLines({ sample, failingRows = 0 }: AssertionOutcome, { width, colour, rows }: ReporterOptions): readonly string[] {
  if (sample === undefined || rows === 0) return [];
  const shown = { ...sample, rows: sample.rows.slice(0, rows) };
  const room = width === undefined ? undefined : Math.max(20, width - INDENT);
  const drawn = [...table(shown, { width: room, colour })].join('').trimEnd();
  const more = failingRows - shown.rows.length;
  return [
    ...drawn.split('\n').map((line) => ' '.repeat(INDENT) + line),
    ...(more > 0 ? [`${' '.repeat(INDENT)}… and ${formatCount(more, 'more row')}`] : []),
  ];
}

function argumentText(value: unknown): string {
  const textOf = (one: unknown): string => (typeof one === 'object' ? JSON.stringify(one) : String(one));
  const text = Array.isArray(value) ? value.map(textOf).join(',') : textOf(value);
  return /^[^\s"']+$/.test(text) ? text : JSON.stringify(text);
}

/** Data and names as lines below the mark, broken between words where they are too long for the terminal. */
function wrapped(text: string, width: number | undefined): readonly string[] {
  const indent = ' '.repeat(INDENT);
  const paragraphs = text.split('\n').map(visible);
  if (width === undefined) return paragraphs.map((line) => indent + line);
  const room = Math.max(20, width - INDENT);
  return paragraphs.flatMap((paragraph) => textLines(paragraph, room).map((line) => indent + line));
}
