// bzip2: what comes out is what went in, or the file is refused; and what would fill the disk is not unpacked.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { unpackBzip2Data } from '../../src/files/bzip2.ts';
import { unpackBzip2 } from '../../src/files/unpack-bzip2.ts';
import { tempFolder } from '../support/temp-store.ts';

const folder = tempFolder();
afterAll(() => folder.remove());

/** `0123456789` and a line feed 30,000 times, in blocks of 100 kB. */
const LINES = Buffer.from(
  'QlpoMTFBWSZTWfyQQjwAI4FIAAAQf+AgAJAgGmmgKVCNDTkBUMQFQ1pAqGICodQFQ7gKhuAqHkBUPYCofQFQ5AVD8xQVkmU1mxdtmsAEcCSAAAEH/gIACQIBppoClQmg05AVDEBUMwFQ1AVDe0CoYgKh3AVDyAqHsBUPoCocgKh+YoKyTKay4S6N0gDVBpAAACD/wEABIEA000BSoQ0acgKhiAqGYCoagKh1AVDuAqG9oFQxAVD2AqH0BUOQFQ/MUFZJlNZ8T4nNAAlWsgAABB/4CAAcEA000BSqNNGmblJJ0UknZSSYKSTwpJMlJJ6Ukmfikk1KST+Ukm5SScF3JFOFCQMUndsw',
  'base64',
);
/** 100 MB of zeros. */
const ZEROS = Buffer.from(
  'QlpoOTFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1nEYApVAD7RQALAAABAAAggADDMCapppUiDaipEHi7kinChIcCoiS4=',
  'base64',
);
const TEXT = '0123456789\n'.repeat(30_000);

/** `step` bytes at a time. */
function unpacked(data: Buffer, step = data.length): string {
  let at = 0;
  const read = (into: Uint8Array): number => {
    const piece = data.subarray(at, at + Math.min(step, into.length));
    into.set(piece);
    at += piece.length;
    return piece.length;
  };
  const parts: string[] = [];
  unpackBzip2Data(read, (bytes) => parts.push(Buffer.from(bytes).toString('latin1')));
  return parts.join('');
}

const outcome = (data: Buffer): string => {
  try {
    return unpacked(data);
  } catch (error) {
    return (error as Error).message;
  }
};

test('blocks, streams one after the other, and data that come byte by byte', () => {
  expect(unpacked(LINES) === TEXT).toBe(true);
  expect(unpacked(LINES, 1) === TEXT).toBe(true);
  expect(unpacked(Buffer.concat([LINES, LINES])) === TEXT + TEXT).toBe(true);
});

test('cut at any byte it is refused', () => {
  const cuts = [...LINES.keys()].slice(1);
  expect(cuts.filter((at) => outcome(LINES.subarray(0, at)) !== 'the bzip2 data is cut off')).toEqual([]);
  const second = [1, 4, 10, 50, LINES.length - 1];
  expect(second.filter((at) => outcome(Buffer.concat([LINES, LINES.subarray(0, at)])) !== 'the bzip2 data is cut off')).toEqual([]);
});

test('with any byte changed it is refused, unless nothing depends on the bits', () => {
  const wrong = [...LINES.keys()].filter((at) => {
    const text = outcome(Buffer.from(LINES.map((byte, i) => (i === at ? byte ^ 0x10 : byte))));
    return text !== TEXT && !/^(?:it is not bzip2 data|the bzip2 data is )/.test(text);
  });
  expect(wrong).toEqual([]);
});

test('what follows the data is told', () => {
  expect(outcome(Buffer.concat([LINES, Buffer.from('and so on')]))).toBe('the bzip2 data is followed by something else');
  expect(outcome(Buffer.from('id,name\n1,one\n'))).toBe('it is not bzip2 data');
});

test('a file is unpacked into another, in a thread of its own', async () => {
  const target = join(folder.path, 'lines');
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await unpackBzip2(folder.write('lines.bz2', LINES), target);
  clearInterval(timer);
  expect(createHash('sha256').update(readFileSync(target)).digest('hex')).toBe(createHash('sha256').update(TEXT).digest('hex'));
  expect(turns).toBeGreaterThan(0);
});

test('a small file that would become a large one is refused, long before it is there', async () => {
  const target = join(folder.path, 'zeros');
  await expect(unpackBzip2(folder.write('zeros.bz2', ZEROS), target)).rejects.toThrow(
    'it unpacks to more than 67 MB, far more than a file of its size should',
  );
  expect(statSync(target).size).toBeLessThanOrEqual(64 * 2 ** 20);
});

test('it ends when the signal aborts, and does not begin when that has happened', async () => {
  const file = folder.write('many.bz2', Buffer.concat(Array.from({ length: 2000 }, () => LINES)));
  const target = join(folder.path, 'many');
  const stop = new AbortController();
  const unpacking = unpackBzip2(file, target, stop.signal);
  setTimeout(() => stop.abort(new Error('enough')), 50);
  await expect(unpacking).rejects.toThrow('enough');
  const other = join(folder.path, 'never');
  await expect(unpackBzip2(file, other, stop.signal)).rejects.toThrow('enough');
  expect(existsSync(other)).toBe(false);
});

test('errors of the system keep their codes and paths', async () => {
  const missing = join(folder.path, 'missing.bz2');
  await expect(unpackBzip2(missing, join(folder.path, 'x'))).rejects.toMatchObject({ code: 'ENOENT', path: missing });
  const target = join(folder.path, 'no/such/folder');
  await expect(unpackBzip2(folder.write('lines.bz2', LINES), target)).rejects.toMatchObject({ code: 'ENOENT', path: target });
});
