// The report as JUnit XML: a suite per check, a test case per assertion.
import junitReportBuilder, { type Builder } from 'junit-report-builder';
import { ndjsonRows } from '../../output/json.ts';
import { visible } from '../../output/visible.ts';
import { placeText, shortPath } from '../check.ts';
import { type AssertionOutcome, type CheckOutcome, reasonOf } from '../outcome.ts';
import type { MakeReporter, ReporterOptions } from './reporter.ts';

/** Its declarations say `export default`, where the package is the builder itself. */
const builder = junitReportBuilder as unknown as Builder;

export const junit: MakeReporter = (options) => ({
  end({ outcomes }) {
    const report = builder.newBuilder();
    for (const outcome of outcomes) {
      const { check, assertions, elapsedMs } = outcome;
      const suite = report
        .testSuite()
        .name(xmlText(suiteName(outcome)))
        .time(elapsedMs / 1000);
      for (const one of assertions) {
        const { name, place } = one.assertion;
        const test = suite
          .testCase()
          .className(xmlText(check.query.name))
          .name(xmlText(name))
          .time(elapsedMs / 1000 / assertions.length);
        test.file(xmlText(shortPath(place.source.name, options.cwd)));
        if (one.state === 'pass') continue;
        const reason = xmlText(reasonOf(one, outcome.rows));
        const content = contentOf(one, options);
        // JUnit knows no warnings.
        if (one.state === 'warn' && !options.failOnWarn)
          test.standardOutput(`${contentText(`warning: ${reasonOf(one, outcome.rows)}`)}\n${content}`);
        else if (one.state === 'unknown') test.error(reason, one.error?.code, content);
        else test.failure(reason, one.state).stacktrace(content);
      }
    }
    return `${report.build()}\n`;
  },
});

function suiteName({ check }: CheckOutcome): string {
  const given = Object.entries(check.arguments).map(([name, value]) => ` ${name}=${String(value)}`);
  return `${check.query.name}${given.join('')}`;
}

function contentOf({ assertion, sample, error }: AssertionOutcome, { rows, cwd }: ReporterOptions): string {
  const { description, place } = assertion;
  const source = { ...place.source, name: shortPath(place.source.name, cwd) };
  const line = sample === undefined ? undefined : ndjsonRows(sample.columns).line;
  const lines = [
    placeText({ ...place, source }),
    description ?? [],
    error?.details.hint ?? [],
    (sample?.rows ?? []).slice(0, rows).map((row) => line?.(row).trimEnd() ?? ''),
  ];
  return lines.flat().map(contentText).join('\n');
}

/** Characters that XML cannot hold are shown as escapes, where the builder would drop them. */
const xmlText = (text: string): string => visible(text).replace(/[\ufffe\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`);

/** The builder writes contents as CDATA, of which only the first `]]>` comes out right. */
const contentText = (text: string): string => xmlText(text).replaceAll(']]>', ']]\\u003e');
