import { expect, test } from 'vitest';
import { casesOf } from '../../scripts/differential/expressions.ts';
import { IDIOMS } from '../../scripts/differential/generate/idioms/index.ts';
import { productions } from '../../scripts/differential/generate/productions.ts';
import { idiomBatch, queryBatch } from '../../scripts/differential/queries.ts';
import { textOf } from '../../scripts/differential/tree.ts';
import { findFunction, functionNames } from '../../src/sql/functions/index.ts';
import { operator } from '../../src/sql/functions/operator.ts';
import { translate } from '../../src/sql/index.ts';

const expressions = (seed: number): readonly string[] => casesOf(seed, 0).cases.map(({ value }) => textOf(value));
const queries = (seed: number) => queryBatch(seed, 1).queries.map(({ query }) => [textOf(query), textOf(query, 'reference')]);

test('a seed gives the same expressions, queries and tables each time', () => {
  expect(expressions(7)).toEqual(expressions(7));
  expect(expressions(7)).not.toEqual(expressions(8));
  expect(queries(7)).toEqual(queries(7));
  const statements = () => queryBatch(7, 0).tables.map(({ table, engine }) => engine(table.rows).statements);
  expect(statements()).toEqual(statements());
});

test('constant expressions are in the dialect but for few', () => {
  const constant = [0, 1, 2].flatMap((batch) => casesOf(3, batch).cases).filter(({ columns }) => !columns);
  const refused = constant.filter(({ value }) => {
    try {
      translate(`SELECT ${textOf(value)}`);
      return false;
    } catch {
      return true;
    }
  });
  expect(refused.length / constant.length).toBeLessThan(0.35);
});

test('grouping sets are written out for the reference, which has none', () => {
  const sets = Array.from({ length: 4 }, (_, batch) => queryBatch(5, batch).queries)
    .flat()
    .map(({ query }) => query)
    .filter((query) => /ROLLUP|CUBE|GROUPING SETS/.test(textOf(query)));
  expect(sets.length).toBeGreaterThan(0);
  for (const query of sets) expect(textOf(query, 'reference')).not.toMatch(/ROLLUP|CUBE|GROUPING SETS/);
});

test('idioms are the same for the same seed, and a few batches have every one', () => {
  const texts = (seed: number) => idiomBatch(seed, 1).queries.map(({ query }) => textOf(query, 'reference'));
  expect(texts(7)).toEqual(texts(7));
  const drawn = new Set(
    Array.from({ length: 16 }, (_, batch) => batch).flatMap((batch) => idiomBatch(7, batch).queries.map(({ name }) => name)),
  );
  expect(IDIOMS.map(([name]) => name).filter((name) => !drawn.has(name))).toEqual([]);
});

test('every function and operator is drawn, but for those that give another value each time, that the reference does not know, or that ask of grouping sets', () => {
  const drawn = new Set(productions().map(({ name }) => name));
  const isDrawn = (name: string): boolean => drawn.has(name) || findFunction(name)?.kind !== 'function';
  // The reference has no functions of points.
  const left = functionNames().filter((name) => !isDrawn(name) && !name.startsWith('ST_'));
  expect(left.sort()).toEqual(['COSINE_DISTANCE', 'EDIT_DISTANCE', 'ERROR', 'EUCLIDEAN_DISTANCE', 'GENERATE_UUID', 'GROUPING', 'RAND']);
  const templates = productions().map(({ template = '' }) => template);
  const written = Object.values(operator()).flatMap((o) => o.operator ?? []);
  // <> is != in another form; of NOT LIKE ANY the reference says NOT (… LIKE ANY …).
  expect(written.filter((text) => !templates.some((template) => template.includes(text)))).toEqual(['<>', 'NOT LIKE ANY', 'NOT LIKE ALL']);
});
