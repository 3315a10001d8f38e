// What a page may leave open of an output.
import { expect, test } from 'vitest';
import { sameText } from './same-text.ts';

test.each([
  ['the very same', ['a', 'b'], ['a', 'b'], true],
  ['another line', ['a', 'b'], ['a', 'c'], false],
  ['a line too many', ['a'], ['a', 'b'], false],
  ['a line too few', ['a', 'b'], ['a'], false],
  ['a part of a line', ['id …, 3 rows'], ['id 7f, 3 rows'], true],
  ['a part with another end', ['id …, 3 rows'], ['id 7f, 4 rows'], false],
  ['lines left out', ['a', '…', 'd'], ['a', 'b', 'c', 'd'], true],
  ['no line where lines are left out', ['a', '…', 'd'], ['a', 'd'], true],
  ['how long it took', ['3 rows (0.4 s)'], ['3 rows (12 s)'], true],
  ['characters of patterns', ['a.c (x|y)'], ['abc (x|y)'], false],
])('%s', (_, shown, came, same) => expect(sameText(shown, came)).toBe(same));
