// What holds for a chart of anything: it fits the terminal, and it does not break.
import { expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import type { QueryResult, ResultColumn, Value } from '../../src/base/result.ts';
import { chart } from '../../src/output/chart/chart.ts';
import { sparkline } from '../../src/output/chart/sparkline.ts';
import type { Layout } from '../../src/output/format.ts';
import { widthOf } from '../../src/output/width.ts';

/** mulberry32: the same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

type Kind = 'TIMESTAMP' | 'DATE' | 'STRING' | 'INT64' | 'FLOAT64' | 'NUMERIC' | 'BOOL' | 'ARRAY';
const kinds: readonly Kind[] = ['TIMESTAMP', 'DATE', 'STRING', 'INT64', 'FLOAT64', 'NUMERIC', 'BOOL', 'ARRAY'];
const numbers = [0, -0, 1, -1, 7, 1e-320, 1e-9, 0.1, 123456, -5e12, 1.7e308, -1.7e308, Number.NaN, Number.POSITIVE_INFINITY];
const labels = ['', 'GET', '日本語', '👩‍👩‍👧', '\u001b[2J', 'a label that is a good deal longer than any chart has room for'];

function randomValue(kind: Kind, random: () => number): Value {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T; // within the bounds
  if (random() < 0.1) return null;
  const at = random() < 0.7 ? Math.floor(random() * 50) * 3_600_000 : Math.floor(random() * 2e11);
  switch (kind) {
    case 'TIMESTAMP':
      return new Date(at).toISOString();
    case 'DATE':
      return new Date(at).toISOString().slice(0, 10);
    case 'STRING':
      return pick(labels);
    case 'INT64':
      return random() < 0.2 ? 2n ** 62n : Math.floor(random() * 1000) - 100;
    case 'FLOAT64':
      return random() < 0.5 ? pick(numbers) : random() * 100;
    case 'NUMERIC':
      return '-12345678901234567890.5';
    case 'BOOL':
      return random() < 0.5;
    case 'ARRAY':
      return [pick(numbers), null, 3];
  }
}

function randomResult(random: () => number): QueryResult {
  const chosen = Array.from({ length: 1 + Math.floor(random() * 5) }, () => kinds[Math.floor(random() * kinds.length)] ?? 'INT64');
  const columns = chosen.map(
    (kind, i): ResultColumn => ({
      name: random() < 0.2 ? 'n_bytes' : `c${i}`,
      type: kind === 'ARRAY' ? { kind, element: { kind: 'FLOAT64' } } : { kind },
    }),
  );
  const rows = Array.from({ length: Math.floor(random() ** 3 * 400) }, () => chosen.map((kind) => randomValue(kind, random)));
  return { columns, rows, truncated: false };
}

test('a chart of anything is no wider than asked for, and no control character leaves it', () => {
  for (let seed = 1; seed <= 600; seed++) {
    const random = randomFrom(seed);
    const result = randomResult(random);
    const width = 1 + Math.floor(random() ** 2 * 250);
    const kind = random() < 0.4 ? undefined : random() < 0.5 ? 'line' : 'bar';
    const layout: Layout = { width, colour: false, ascii: random() < 0.3, chart: { kind } };
    const drawn = drawnOf(result, layout);
    if (drawn === undefined) continue;
    expect({ seed, ends: drawn.endsWith('\n') }).toEqual({ seed, ends: true });
    const wide = drawn.split('\n').filter((line) => widthOf(line) > width);
    expect({ seed, width, wide }).toEqual({ seed, width, wide: [] });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect({ seed, controls: /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(drawn) }).toEqual({ seed, controls: false });
  }
});

/** undefined where the result is refused, with a reason. */
function drawnOf(result: QueryResult, layout: Layout): string | undefined {
  try {
    return [...chart(result, layout)].join('');
  } catch (error) {
    if (error instanceof QuernError && error.code === 'usage' && error.details.hint !== undefined) return undefined;
    throw error;
  }
}

test.each([1, 2, 10, 999, 10_000])('%d buckets fit every width', (count) => {
  const columns: readonly ResultColumn[] = [
    { name: 't', type: { kind: 'TIMESTAMP' } },
    { name: 'n', type: { kind: 'INT64' } },
  ];
  const rows = Array.from({ length: count }, (_, i) => [new Date(i * 60_000).toISOString(), i % 17]);
  for (const width of [20, 39, 80, 200, 500]) {
    for (const kind of ['line', 'bar'] as const) {
      const lines = [...chart({ columns, rows, truncated: false }, { width, colour: false, chart: { kind } })].join('').split('\n');
      expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width);
    }
  }
});

test.each([
  [[1, 2, 3, null, 8], '▁▂▃ █'],
  [[5, 5], '▁▁'],
  [[], ''],
  [[null, Number.NaN], '  '],
  [Array.from({ length: 48 }, (_, i) => i), '▁▁▂▂▂▃▃▃▃▄▄▄▅▅▅▆▆▆▆▇▇▇██'],
] as const)('%s in one line of a table', (values, drawn) => {
  expect(sparkline(values)).toBe(drawn);
});
