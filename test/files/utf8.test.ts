// Whether a file is UTF-8 is seen piece by piece.
import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { createUtf8Check } from '../../src/files/utf8.ts';

const check = (pieces: readonly (string | Buffer)[]): boolean => {
  const isUtf8 = createUtf8Check();
  return [...pieces, ''].every((piece, i) => isUtf8(Buffer.from(piece as string), i < pieces.length));
};

test('wherever characters are cut', () => {
  const bytes = Buffer.from('aé€😀');
  for (let a = 0; a <= bytes.length; a++)
    for (let b = a; b <= bytes.length; b++) expect(check([bytes.subarray(0, a), bytes.subarray(a, b), bytes.subarray(b)])).toBe(true);
  expect(check([bytes.subarray(0, 2)])).toBe(false);
  expect(check([bytes.subarray(0, 2), 'x'])).toBe(false);
  expect(check([Buffer.from([0x61, 0xe9, 0x0a])])).toBe(false);
  expect(check([Buffer.from([0xa9, 0x61])])).toBe(false);
});
