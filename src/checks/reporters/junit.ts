// The report as JUnit XML: a suite per check, a test case per assertion.
import { ndjsonRows } from '../../output/json.ts';
import { visible } from '../../output/visible.ts';
import { placeText, shortPath } from '../check.ts';
import { type AssertionOutcome, type CheckOutcome, reasonOf } from '../outcome.ts';
import type { MakeReporter, ReporterOptions } from './reporter.ts';

export const junit: MakeReporter = (options) => ({
  end({ outcomes }) {
    const suites = outcomes.map((outcome): Element => {
      const cases = outcome.assertions.map((one) => testCase(one, outcome, options));
      return {
        name: 'testsuite',
        attributes: { name: suiteName(outcome), time: outcome.elapsedMs / 1000, ...counts(cases) },
        children: cases,
      };
    });
    const all = counts(suites.flatMap(({ children = [] }) => children));
    return `<?xml version="1.0" encoding="UTF-8"?>\n${printed({ name: 'testsuites', attributes: all, children: suites }, '')}`;
  },
});

function testCase(one: AssertionOutcome, { check, assertions, elapsedMs, rows }: CheckOutcome, options: ReporterOptions): Element {
  const { name, place } = one.assertion;
  const attributes = {
    classname: check.query.name,
    name,
    time: elapsedMs / 1000 / assertions.length,
    file: shortPath(place.source.name, options.cwd),
  };
  const result = resultOf(one, rows, options);
  return { name: 'testcase', attributes, children: result === undefined ? [] : [result] };
}

/** Describes an assertion that does not hold. */
function resultOf(one: AssertionOutcome, rows: CheckOutcome['rows'], options: ReporterOptions): Element | undefined {
  if (one.state === 'pass') return undefined;
  const message = reasonOf(one, rows);
  const text = contentOf(one, options);
  // JUnit knows no warnings.
  if (one.state === 'warn' && !options.failOnWarn) return { name: 'system-out', text: [`warning: ${message}`, ...text] };
  if (one.state !== 'unknown') return { name: 'failure', attributes: { message, type: one.state }, text };
  return { name: 'error', attributes: { message, type: one.error?.code }, text };
}

function counts(cases: readonly Element[]): Readonly<Record<string, number>> {
  const having = (name: string) => cases.filter(({ children }) => children?.some((child) => child.name === name)).length;
  return { tests: cases.length, failures: having('failure'), errors: having('error'), skipped: 0 };
}

function suiteName({ check }: CheckOutcome): string {
  const given = Object.entries(check.arguments).map(([name, value]) => ` ${name}=${String(value)}`);
  return `${check.query.name}${given.join('')}`;
}

function contentOf({ assertion, sample, error }: AssertionOutcome, { rows, cwd }: ReporterOptions): readonly string[] {
  const { description, place } = assertion;
  const line = sample === undefined ? undefined : ndjsonRows(sample.columns).line;
  const lines = [
    placeText(place, { cwd }),
    description ?? [],
    error?.details.hint ?? [],
    (sample?.rows ?? []).slice(0, rows).map((row) => line?.(row).trimEnd() ?? ''),
  ];
  return lines.flat();
}

/** An element of XML, whose content is elements or lines of text. */
interface Element {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number | undefined>>;
  readonly children?: readonly Element[];
  readonly text?: readonly string[];
}

function printed({ name, attributes = {}, children = [], text }: Element, indent: string): string {
  const pairs = Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : ` ${key}="${xmlText(String(value))}"`));
  const opening = `${indent}<${name}${pairs.join('')}`;
  if (text !== undefined) return `${opening}>${text.map(xmlText).join('\n')}</${name}>\n`;
  if (children.length === 0) return `${opening}/>\n`;
  return `${opening}>\n${children.map((child) => printed(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A line as the content of an element or of an attribute; characters that XML cannot hold are shown as escapes. */
const xmlText = (text: string): string =>
  visible(text)
    .replace(/[\ufffe\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`)
    .replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one);
