// The report as Markdown, for summaries such as GitHub's of a step: what does not hold, with its rows, and how much does.

import { formatCount } from '../../base/quantity.ts';
import { escapedMarkdown, markdown as tableOf } from '../../output/markdown.ts';
import { visible } from '../../output/visible.ts';
import { placeText } from '../check.ts';
import { type AssertionOutcome, type CheckOutcome, countStates, reasonOf, remarksOf, type State } from '../outcome.ts';
import type { MakeReporter, ReporterOptions } from './reporter.ts';

const WORDS: Readonly<Record<State, string>> = { pass: 'ok', warn: 'warning', fail: '**failed**', unknown: '**not checked**' };

export const markdown: MakeReporter = (options) => ({
  error: (error) => `## Checks: none were run\n\n${text(error.message)}\n`,
  end({ outcomes, instant, elapsedMs }) {
    const { assertions, passed, warned, failed, unknown } = countStates(outcomes);
    const counts = [
      failed > 0 ? `${failed} failed` : [],
      unknown > 0 ? `${unknown} not checked` : [],
      warned > 0 ? formatCount(warned, 'warning') : [],
      `${passed} ok`,
    ].flat();
    const broken = outcomes.flatMap((check) => check.assertions.flatMap((one) => (one.state === 'pass' ? [] : [{ one, check }])));
    const rows = broken.map(({ one, check }) => line([WORDS[one.state], queryOf(check), nameOf(one, options), whyOf(one, check)]));
    const samples = broken.flatMap(({ one, check }) => sampleOf(one, check, options));
    const head = ['| | query | assertion | why |', '|---|---|---|---|'];
    const time = `${(elapsedMs / 1000).toFixed(1)} s, as of ${instant.slice(0, 19).replace(' ', 'T')}Z`;
    return [
      `## Checks: ${counts.join(', ')}`,
      '',
      ...(rows.length === 0 ? [] : [...head, ...rows, '']),
      ...samples,
      `${formatCount(assertions, 'assertion')} of ${formatCount(outcomes.length, 'check')} (${time})`,
      '',
    ].join('\n');
  },
});

const text = (raw: string): string => escapedMarkdown(raw.split('\n').map(visible).join('\n'));
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function queryOf({ check }: CheckOutcome): string {
  return text([check.query.name, ...Object.entries(check.arguments).map(([name, value]) => `${name}=${String(value)}`)].join(' '));
}

const nameOf = ({ assertion: { name, place } }: AssertionOutcome, options: ReporterOptions): string =>
  `${text(name)}<br>${text(placeText(place, options))}`;

const whyOf = (outcome: AssertionOutcome, check: CheckOutcome): string =>
  [reasonOf(outcome, check.rows), outcome.assertion.description ?? [], ...remarksOf(check)].flat().map(text).join('<br>');

/** Folded, below the table of what does not hold. */
function sampleOf(
  { assertion, sample, failingRows = 0 }: AssertionOutcome,
  check: CheckOutcome,
  options: ReporterOptions,
): readonly string[] {
  if (sample === undefined || options.rows === 0) return [];
  const shown = { ...sample, rows: sample.rows.slice(0, options.rows) };
  const more = failingRows - shown.rows.length;
  return [
    `<details><summary>${text(`${check.check.query.name}: ${assertion.name}`)}</summary>`,
    '',
    [...tableOf(shown)].join(''),
    ...(more > 0 ? [`… and ${formatCount(more, 'more row')}`, ''] : []),
    '</details>',
    '',
  ];
}
