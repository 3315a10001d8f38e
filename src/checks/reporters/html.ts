// The report as a page of its own: every check with its assertions, and below those that do not hold the rows that break them.

import { formatCount } from '../../base/quantity.ts';
import { page, words } from '../../output/html/page.ts';
import { htmlTable } from '../../output/html/table.ts';
import { placeText } from '../check.ts';
import { type AssertionOutcome, type CheckOutcome, countStates, reasonOf, remarksOf, type State } from '../outcome.ts';
import type { MakeReporter, ReporterOptions } from './reporter.ts';

const STATES: Readonly<Record<State, { readonly word: string; readonly look: string }>> = {
  pass: { word: 'ok', look: 'good' },
  warn: { word: 'warning', look: 'warn' },
  fail: { word: 'failed', look: 'bad' },
  unknown: { word: 'not checked', look: 'bad' },
};

export const html: MakeReporter = (options) => ({
  error: (error) => [...page('Checks', [`<h1>Checks: none were run</h1>\n<p class="bad">${text(error.message)}</p>\n`])].join(''),
  end({ outcomes, instant, elapsedMs }) {
    const { assertions, passed, warned, failed, unknown } = countStates(outcomes);
    const counts = [
      failed > 0 ? `<span class="bad">${failed} failed</span>` : [],
      unknown > 0 ? `<span class="bad">${unknown} not checked</span>` : [],
      warned > 0 ? `<span class="warn">${formatCount(warned, 'warning')}</span>` : [],
      `<span class="good">${passed} ok</span>`,
    ].flat();
    const time = `${(elapsedMs / 1000).toFixed(1)} s, as of ${instant.slice(0, 19).replace(' ', 'T')}Z`;
    const head = [
      `<h1>Checks: ${counts.join(', ')}</h1>\n`,
      `<p class="quiet">${formatCount(assertions, 'assertion')} of ${formatCount(outcomes.length, 'check')} (${time})</p>\n`,
    ];
    return [...page('Checks', [...head, ...outcomes.flatMap((outcome) => checkOf(outcome, options))])].join('');
  },
});

const text = (raw: string): string => raw.split('\n').map(words).join('<br>');

function checkOf(outcome: CheckOutcome, options: ReporterOptions): readonly string[] {
  const { check, rows, assertions } = outcome;
  const given = Object.entries(check.arguments).map(([name, value]) => `${name}: ${String(value)}`);
  const facts = [...given, ...(rows === undefined ? [] : [formatCount(rows, 'row')]), ...remarksOf(outcome)];
  return [
    `<h2>${text(check.query.name)}</h2>\n<p class="quiet">${facts.map(text).join(' · ')}</p>\n`,
    '<div class="scroll"><table>\n<thead><tr><th scope="col">state</th><th scope="col">assertion</th><th scope="col">why</th></tr></thead>\n<tbody>\n',
    ...assertions.map((one) => assertionOf(one, outcome, options)),
    '</tbody>\n</table></div>\n',
    ...assertions.flatMap((one) => sampleOf(one, options)),
  ];
}

function assertionOf(one: AssertionOutcome, { rows }: CheckOutcome, options: ReporterOptions): string {
  const { name, description, place } = one.assertion;
  const { word, look } = STATES[one.state];
  const at = placeText(place, options);
  const why = [reasonOf(one, rows), description ?? []].flat().filter((part) => part !== '');
  return `<tr><td class="${look} moment">${word}</td><td>${text(name)}<br><span class="quiet">${text(at)}</span></td><td>${why.map(text).join('<br>')}</td></tr>\n`;
}

function sampleOf({ assertion, state, sample, failingRows = 0 }: AssertionOutcome, options: ReporterOptions): readonly string[] {
  if (sample === undefined || state === 'pass' || options.rows === 0) return [];
  const shown = Math.min(options.rows, sample.rows.length);
  const more = failingRows - shown;
  return [
    `<p>Rows that break <b>${text(assertion.name)}</b>:</p>\n`,
    ...htmlTable(sample, shown),
    ...(more > 0 ? [`<p class="quiet">… and ${formatCount(more, 'more row')}</p>\n`] : []),
  ];
}
