// The texts that the translator's tests ask it for, with the tables that they have there: the bodies of the test files run with a translator that writes down
// what it is asked.
import { testFiles } from 'net:test-files';
import { typeName } from '../../../src/sql/base/types.ts';
import { translateSandboxed } from '../../../src/sql/index.ts';
import { type Line, lineOf, translatedLine, withBuckets } from '../line.ts';
import { type Recorded, takeRecorded } from '../recorder/sql.ts';
import { takeBodies } from '../recorder/vitest.ts';
import { inTurn, type Suite } from '../suite.ts';

const unitOf = (file: string): string => file.replace(/^test\/sql\//, '').replace(/\.test\.ts$/, '');

export const tests: Suite = {
  units: () => Object.keys(testFiles).map(unitOf),
  async lines(unit) {
    const [, load] = Object.entries(testFiles).find(([file]) => unitOf(file) === unit) ?? [];
    await load?.();
    for (const body of takeBodies()) {
      try {
        await body();
      } catch {
        // Without rows some bodies do not get to their end.
      }
    }
    // Hooks that hooks have registered.
    for (const body of takeBodies()) await body();
    return inTurn(takeRecorded(), (recorded) => lineFor(unit, recorded));
  },
};

function lineFor(from: string, { text, callers, options }: Recorded): Promise<Line> {
  const types = Object.entries(options.parameters ?? {}).map(([name, type]) => `${name} ${typeName(type)}`);
  const { instant, bytes, nullElements, parameterExpressions } = options;
  const said = {
    types,
    instant,
    bytes,
    nullElements,
    parameterExpressions,
    functions: options.functions?.map((file) => file.text),
    callers,
  };
  const asked = { from, text, beside: JSON.stringify(said) };
  if (callers === undefined) return translatedLine(asked, options);
  return lineOf({ ...asked, text: `${text}\n-- asked by a caller:\n${callers}` }, () =>
    withBuckets(translateSandboxed(text, callers, options, { buckets: true })),
  );
}
