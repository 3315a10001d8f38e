// What definitions say of their functions besides the signature, on the engine: rules rely on it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { type EmbeddedEngine, openEmbedded } from '../../../src/engine/embedded/embedded.ts';
import { findFunction, functionNames } from '../../../src/sql/functions/index.ts';
import { type Pattern, signaturesOf } from '../../../src/sql/functions/signature.ts';
import { translate } from '../../../src/sql/index.ts';
import type { AnyDefinition } from '../../../src/sql/logical/function.ts';
import { type TempFolder, tempFolder } from '../../support/temp-store.ts';

let folder: TempFolder;
let engine: EmbeddedEngine;
beforeAll(async () => {
  folder = tempFolder();
  engine = await openEmbedded({ path: folder.path });
});
afterAll(async () => {
  await engine.close();
  folder.remove();
});

const SAMPLES: Readonly<Record<string, string>> = {
  BOOL: 'TRUE',
  INT64: '2',
  FLOAT64: '0.5',
  NUMERIC: "NUMERIC '1.5'",
  BIGNUMERIC: "BIGNUMERIC '1.5'",
  STRING: "'a'",
  BYTES: "b'a'",
  DATE: "DATE '2026-01-02'",
  TIME: "TIME '03:04:05'",
  DATETIME: "DATETIME '2026-01-02 03:04:05'",
  TIMESTAMP: "TIMESTAMP '2026-01-02 03:04:05+00'",
  INTERVAL: 'INTERVAL 1 DAY',
  JSON: "JSON '1'",
  GEOGRAPHY: 'ST_GEOGPOINT(1, 2)',
};

function typeOf(pattern: Pattern): string | undefined {
  if (pattern.kind === 'variable') return 'INT64';
  return pattern.kind === 'type' && pattern.type.kind in SAMPLES ? pattern.type.kind : undefined;
}

/** A call for each argument that counts, with NULL in a column for that one and values for the others; none of functions that take more than plain values. */
function callsWithNull(name: string, signature: string, which: AnyDefinition['strict'] = 'any'): readonly string[] {
  return signaturesOf(signature).flatMap(({ parameters, result }) => {
    const types = parameters.map(({ pattern }) => typeOf(pattern));
    if (types.includes(undefined) || (result.kind === 'type' && result.type.kind === 'ARRAY')) return [];
    return types.slice(0, which === 'first' ? 1 : types.length).map((type = '', at) => {
      const args = types.map((of = '', i) => (i === at ? `IF(x > 1, ${SAMPLES[type]}, NULL)` : (SAMPLES[of] ?? '')));
      return `${name}(${args.join(', ')})`;
    });
  });
}

const ROW = "(SELECT IF(x > 1, 1, NULL) AS n, IF(x > 1, 'a', NULL) AS t, x FROM UNNEST([1]) AS x)";

async function valuesOf(expressions: readonly string[]): Promise<readonly unknown[]> {
  const { sql, settings } = translate(`SELECT ${expressions.map((e, i) => `${e} AS c${i}`).join(', ')} FROM ${ROW}`);
  const { rows } = await engine.execute({ sql, bindings: [], settings });
  return rows[0] ?? [];
}

const strict = functionNames().flatMap((name) => {
  const definition = findFunction(name);
  const calls = definition?.strict === undefined ? [] : callsWithNull(name, definition.signature, definition.strict);
  return calls.length === 0 ? [] : [[name, calls] as const];
});

/** The values, without those of calls that are refused: where an argument must be a constant, or the function does not take a sample. */
async function valuesOfTaken(calls: readonly string[]): Promise<readonly unknown[]> {
  try {
    return await valuesOf(calls);
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    if (calls.length < 2) return [];
    return (await Promise.all(calls.map((call) => valuesOfTaken([call])))).flat();
  }
}

describe('a strict function is NULL for NULL', () => {
  let asked = 0;
  test.each(strict)('%s', async (_, calls) => {
    const values = await valuesOfTaken(calls);
    asked += values.length;
    expect(values).toEqual(values.map(() => null));
  });

  test('most of them can be asked', () => expect(asked).toBeGreaterThan(300));

  test.each([
    ...['=', '<>', '<', '<=', '>', '>=', '+', '-', '*', '/', '&', '|', '^', '<<', '>>'].flatMap((operator) => [
      `n ${operator} 1`,
      `1 ${operator} n`,
    ]),
    ...["t || 'a'", "'a' || t", "t LIKE '%'", "'a' LIKE t", 'n BETWEEN 0 AND 9', 'NULLIF(n, 1)'],
    ...['-n', '~n', 'NOT (n = 1)', 'n IN (1, 2)', 'n IN (1, x)', "PARSE_JSON(t)['a']"],
  ])('%s', async (expression) => {
    expect(await valuesOf([expression])).toEqual([null]);
  });
});

const having = (fact: keyof AnyDefinition): readonly AnyDefinition[] =>
  [...functionNames(), ...COMPARISONS].flatMap((name) => findFunction(name) ?? []).filter((definition) => fact in definition);
const COMPARISONS = ['$equal', '$not_equal', '$less', '$less_or_equal', '$greater', '$greater_or_equal'];

describe('other facts', () => {
  test('a function that is NULL for NULL alone is strict, and gives a value for values', async () => {
    const calls = having('nullForNullOnly').flatMap(({ name, signature, strict }) => {
      expect(strict, name).toBe('any');
      return callsWithNull(name, signature).map((call) => call.replaceAll('x > 1', 'x > 0'));
    });
    const values = await valuesOfTaken(calls);
    expect(values.length).toBeGreaterThan(8);
    expect(values).not.toContain(null);
  });

  test.each(having('firstPresent').map(({ name }) => name))('%s gives the first value', async (name) => {
    expect(await valuesOf([`${name}(n, x)`, `${name}(x, 7)`])).toEqual([1, 1]);
  });

  test.each(having('turned').map(({ name, operator, turned }) => [name, operator, turned] as const))(
    '%s turned',
    async (name, operator, turned) => {
      const other = findFunction(turned ?? '');
      expect(other?.turned).toBe(name);
      const pairs = [
        [0, 1],
        [1, 0],
        [1, 1],
      ];
      const values = await valuesOf(pairs.flatMap(([a, b]) => [`x + ${a} ${operator} x + ${b}`, `x + ${b} ${other?.operator} x + ${a}`]));
      for (const at of [0, 2, 4]) expect(values[at]).toBe(values[at + 1]);
    },
  );
});
