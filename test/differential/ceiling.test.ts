import { expect, test } from 'vitest';
import { aboveCeiling, lowered } from '../../scripts/differential/ceiling.ts';

test('the number of open faults may only fall', () => {
  const recorded = { wrong: 3, 'engine-error': 1 };
  expect(aboveCeiling(recorded, { wrong: 3, 'engine-error': 0 })).toEqual([]);
  expect(aboveCeiling(recorded, { wrong: 4, 'rows-where-error': 1 })).toEqual([
    'wrong: 4, and 3 are known',
    'rows-where-error: 1, and 0 are known',
  ]);
  expect(lowered(recorded, { wrong: 2, 'engine-error': 5 })).toEqual({ wrong: 2, 'engine-error': 1 });
  expect(lowered(undefined, { wrong: 2 })).toEqual({ wrong: 2 });
});
