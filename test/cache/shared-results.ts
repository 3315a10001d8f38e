// Results of recognisable content and different sizes, so that a torn or mixed-up entry shows.
import type { QueryResult } from '../../src/base/result.ts';
import { INT64, STRING } from '../../src/sql/base/types.ts';

export function resultFor(slot: number, version: number): QueryResult {
  const filler = `${slot}:${version};`.repeat(1 + ((version * 37) % 400));
  return {
    columns: [
      { name: 'version', type: INT64 },
      { name: 'filler', type: STRING },
    ],
    rows: Array.from({ length: 1 + slot }, () => [version, filler]),
    truncated: false,
  };
}
