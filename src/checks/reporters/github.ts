// Annotations of GitHub Actions: workflow commands that mark the line of an assertion that does not hold.
// https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
import type { Problem, QuernError } from '../../base/errors.ts';
import { positionAt } from '../../base/source-text.ts';
import { visible } from '../../output/visible.ts';
import { shortPath } from '../check.ts';
import { type AssertionOutcome, type CheckOutcome, reasonOf } from '../outcome.ts';
import type { MakeReporter, ReporterOptions } from './reporter.ts';

export const github: MakeReporter = (options) => ({
  error: (error) => command('error', placeOf(error, options), [error.message, ...(error.details.problems ?? []).map(problemLine)]),
  end: ({ outcomes }) =>
    outcomes.flatMap((check) => check.assertions.flatMap((one) => (one.state === 'pass' ? [] : annotation(one, check, options)))).join(''),
});

function annotation(outcome: AssertionOutcome, { check, rows }: CheckOutcome, { cwd, root, failOnWarn }: ReporterOptions): string {
  const { assertion, state } = outcome;
  const { source, span } = assertion.place;
  const { line, column } = positionAt(source.text, span.start);
  const level = state === 'warn' && !failOnWarn ? 'warning' : 'error';
  const properties = { file: shortPath(source.name, cwd, root), line, col: column, title: `${check.query.name}: ${assertion.name}` };
  return command(level, properties, [reasonOf(outcome, rows), assertion.description ?? []].flat());
}

function placeOf(
  { code, details: { source, span } }: QuernError,
  { cwd, root }: ReporterOptions,
): Readonly<Record<string, string | number>> {
  const title = `quern check: ${code}`;
  if (source === undefined || span === undefined) return { title };
  const { line, column } = positionAt(source.text, span.start);
  return { file: shortPath(source.name, cwd, root), line, col: column, title };
}

const problemLine = ({ kind, name, message }: Problem): string => `${kind} ${name} ${message}`;

function command(level: 'error' | 'warning', properties: Readonly<Record<string, string | number>>, lines: readonly string[]): string {
  const list = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${level} ${list.join(',')}::${escaped(lines.join('\n'))}\n`;
}

/** Line breaks stay what they are, for a reader of the annotation; other controls are shown. */
const escaped = (text: string): string =>
  text
    .split('\n')
    .map((line) => visible(line).replaceAll('%', '%25'))
    .join('%0A');

const property = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
