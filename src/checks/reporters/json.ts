// The report for programs: one JSON object, an assertion per line.

import { columnNames } from '../../base/column-names.ts';
import type { QueryResult, Value } from '../../base/result.ts';
import { positionAt } from '../../base/source-text.ts';
import { ndjsonRows } from '../../output/json.ts';
import { jsonPrinter, plainJson } from '../../output/value.ts';
import { shortPath } from '../check.ts';
import { type AssertionOutcome, type CheckOutcome, countStates, reasonOf } from '../outcome.ts';
import type { MakeReporter, ReporterOptions } from './reporter.ts';

export const json: MakeReporter = (options) => ({
  end({ outcomes, instant, elapsedMs }) {
    const counts = countStates(outcomes);
    const summary = object({ ...texts(counts), as_of: text(`${instant.replace(' ', 'T')}Z`), elapsed_ms: text(Math.round(elapsedMs)) });
    const checks = outcomes.map((outcome) => checkText(outcome, options)).join(',\n');
    return `{"summary": ${summary}, "checks": [\n${checks}\n]}\n`;
  },
});

function checkText(outcome: CheckOutcome, options: ReporterOptions): string {
  const { check, rows, atLimit, missing, assertions, elapsedMs } = outcome;
  const facts = {
    query: text(check.query.name),
    params: JSON.stringify(check.arguments),
    ...(rows === undefined ? {} : { rows: text(rows) }),
    ...(atLimit ? { at_max_rows: 'true' } : {}),
    ...(missing.length > 0 ? { missing: JSON.stringify(missing) } : {}),
    elapsed_ms: text(Math.round(elapsedMs)),
  };
  return `${object(facts).slice(0, -1)}, "assertions": [\n${assertions.map((one) => assertionText(one, outcome, options)).join(',\n')}\n]}`;
}

function assertionText(outcome: AssertionOutcome, check: CheckOutcome, { rows, cwd }: ReporterOptions): string {
  const { assertion, state, measures, failingRows, sample, file, error } = outcome;
  const { place } = assertion;
  const reason = reasonOf(outcome, check.rows);
  const names = columnNames(measures.map((measure) => ({ name: measure.name })));
  const values = Object.fromEntries(measures.map(({ column, value }, i) => [names[i] ?? '', jsonPrinter(column.type)(value)]));
  return object({
    name: text(assertion.name),
    state: text(state),
    severity: text(assertion.severity),
    ...(assertion.description === undefined ? {} : { description: text(assertion.description) }),
    ...(assertion.tags.length === 0 ? {} : { tags: JSON.stringify(assertion.tags) }),
    file: text(shortPath(place.source.name, cwd)),
    line: text(positionAt(place.source.text, place.span.start).line),
    ...(reason === '' ? {} : { reason: text(reason) }),
    ...(measures.length === 0 ? {} : { values: object(values) }),
    ...(failingRows === undefined ? {} : { failing_rows: text(failingRows) }),
    ...(sample === undefined ? {} : { sample: sampleText(sample, rows) }),
    ...(file === undefined ? {} : { rows_file: text(shortPath(file, cwd)) }),
    ...(error === undefined ? {} : { error: JSON.stringify({ code: error.code, message: error.message }) }),
  });
}

function sampleText({ columns, rows }: QueryResult, most: number): string {
  const { line } = ndjsonRows(columns);
  return `[${rows
    .slice(0, most)
    .map((row) => line(row).trimEnd())
    .join(',')}]`;
}

const text = (value: Value): string => plainJson(value);
const texts = (values: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
/** Fields that are JSON texts already. */
const object = (fields: Readonly<Record<string, string>>): string =>
  `{${Object.entries(fields)
    .map(([name, value]) => `${plainJson(name)}:${value}`)
    .join(',')}}`;
