// Files of zstd and lz4 are whole where a frame ends, and nowhere else.
import { afterAll, describe, expect, test } from 'vitest';
import { checkFrames } from '../../src/files/frames.ts';
import { tempFolder } from '../support/temp-store.ts';

const folder = tempFolder();
afterAll(() => folder.remove());

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');

/** Each is `id,name`, `1,one` and `2,two`. */
const ZSTD = {
  'size and checksum': bytes('KLUv/SQUoQAAaWQsbmFtZQoxLG9uZQoyLHR3bwqEEf9s'),
  'size alone': bytes('KLUv/SAUoQAAaWQsbmFtZQoxLG9uZQoyLHR3bwo='),
  'window and checksum': bytes('KLUv/QRYoQAAaWQsbmFtZQoxLG9uZQoyLHR3bwqEEf9s'),
};
const LZ4 = {
  checksum: bytes('BCJNGGRApxQAAIBpZCxuYW1lCjEsb25lCjIsdHdvCgAAAABQRkhr'),
  'size and checksums of blocks': bytes('BCJNGHhAFAAAAAAAAACPFAAAgGlkLG5hbWUKMSxvbmUKMix0d28KUEZIawAAAAA='),
};
/** Of five bytes, which no reader looks at. */
const SKIPPED = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 5, 0, 0, 0, 1, 2, 3, 4, 5]);

let files = 0;
const outcome = (data: Buffer, compression: 'zstd' | 'lz4'): Promise<string> =>
  checkFrames(folder.write(`file-${++files}`, data), compression).then(
    () => 'whole',
    (error: Error) => error.message,
  );

describe.each([
  ['zstd', ZSTD],
  ['lz4', LZ4],
] as const)('%s', (compression, frames) => {
  test.each(Object.entries(frames))('with %s', async (_, frame) => {
    const whole = Buffer.concat([frame, SKIPPED, frame]);
    const ends = [0, frame.length, frame.length + SKIPPED.length, whole.length];
    expect(await Promise.all(ends.map((end) => outcome(whole.subarray(0, end), compression)))).toEqual(ends.map(() => 'whole'));
    const cuts = [...whole.keys()].filter((at) => !ends.includes(at));
    const said = await Promise.all(cuts.map((at) => outcome(whole.subarray(0, at), compression)));
    expect([...new Set(said)]).toEqual([`the ${compression} data is cut off`]);
  });

  test('followed by something else, or nothing of the kind', async () => {
    const [frame = Buffer.alloc(0)] = Object.values<Buffer>(frames);
    expect(await outcome(Buffer.concat([frame, Buffer.from('and so on')]), compression)).toBe(
      `the ${compression} data is followed by something else`,
    );
    expect(await outcome(Buffer.concat([frame, Buffer.alloc(64)]), compression)).toBe(
      `the ${compression} data is followed by something else`,
    );
    expect(await outcome(Buffer.from('id,name\n1,one\n'), compression)).toBe(`it is not ${compression} data`);
  });
});

test('what no writer writes', async () => {
  const reserved = Buffer.from(ZSTD['size alone']);
  reserved[6] = 0xa7;
  expect(await outcome(reserved, 'zstd')).toBe('the zstd data is damaged');
  const version = Buffer.from(LZ4.checksum);
  version[4] = 0xe4;
  expect(await outcome(version, 'lz4')).toBe('the lz4 data is damaged');
});
