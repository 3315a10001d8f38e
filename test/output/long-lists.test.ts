// Lists that are longer than the arguments of a call may be.
import { expect, test } from 'vitest';
import { structBytes } from '../../src/execution/export/thrift.ts';
import { sparkline } from '../../src/output/chart/sparkline.ts';

test('a sparkline of many numbers is drawn', () => {
  expect(sparkline(Array.from({ length: 4_800_000 }, (_, i) => i))).toHaveLength(24);
});

test('the footer of a Parquet file may describe many columns', () => {
  const bytes = new Uint8Array(300_000).fill(7);
  const written = structBytes([{ id: 1, type: 8, bytes }]);
  expect([written.length, written[0], written[1], written.at(-1)]).toEqual([300_002, 0x18, 7, 0]);
});
