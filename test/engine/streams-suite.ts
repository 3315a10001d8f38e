// Results as streams of bytes: whole, stopped when nobody reads on, and held back by a slow reader.
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { asking, ENDLESS, ENDLESS_ROWS, failure, text } from './asking.ts';

export function describeStreams(name: string, engine: () => Engine, observer: () => Engine): void {
  const { stream, running } = asking(engine, observer);

  describe(`${name}: streams`, () => {
    test('the bytes are in the format asked for, with bindings and settings', async () => {
      const bytes = stream('SELECT number, {a:String} AS a FROM numbers(3)', 'JSONCompactEachRow', {
        bindings: [{ name: 'a', type: 'String', value: '\n' }],
      });
      expect(await text(bytes)).toBe('[0, "\\n"]\n[1, "\\n"]\n[2, "\\n"]\n');
    });

    test('a large result is whole, and in order', async () => {
      const csv = await text(stream('SELECT number FROM numbers(300000) ORDER BY number', 'TSVRaw'));
      expect(csv).toBe(Array.from({ length: 300_000 }, (_, i) => `${i}\n`).join(''));
    });

    test('an error in mid-stream is an error', async () => {
      let bytes = 0;
      const reading = async () => {
        for await (const chunk of stream("SELECT number, throwIf(number = 3000000, 'boo') FROM numbers(4000000)", 'TSVRaw'))
          bytes += chunk.length;
      };
      expect(await failure(reading())).toBe('data: the query failed: boo');
      expect(bytes).toBeGreaterThan(0);
    });

    test('leaving the loop stops the query', async () => {
      for await (const chunk of stream(`${ENDLESS_ROWS} WHERE 18 = 18`, 'TSVRaw')) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      await expect.poll(() => running('18 = 18')).toBe(0);
    });

    test('an aborted stream ends with an error, and its query is gone', async () => {
      const controller = new AbortController();
      const reading = async () => {
        for await (const chunk of stream(`${ENDLESS_ROWS} WHERE 19 = 19`, 'TSVRaw', { signal: controller.signal }))
          if (chunk.length > 0) controller.abort();
      };
      expect(await failure(reading())).toBe('interrupted: the query was interrupted');
      await expect.poll(() => running('19 = 19')).toBe(0);
    });

    test('a slow reader holds the engine back', async () => {
      const before = process.memoryUsage();
      const rowsRead = async () =>
        Number(
          (
            await observer().rows(
              "SELECT sum(read_rows) FROM system.processes WHERE query LIKE '%20 = 20%' AND query NOT LIKE '%system.processes%'",
            )
          )[0]?.[0],
        );
      for await (const chunk of stream(`${ENDLESS_ROWS} WHERE 20 = 20`, 'TSVRaw')) {
        expect(chunk.length).toBeGreaterThan(0);
        let last = -1;
        await expect
          .poll(
            async () => {
              const now = await rowsRead();
              const still = now === last;
              last = now;
              return still;
            },
            { interval: 200, timeout: 20_000 },
          )
          .toBe(true);
        expect(process.memoryUsage().arrayBuffers - before.arrayBuffers).toBeLessThan(32e6);
        break;
      }
    });

    test('the limits of a query hold', async () => {
      expect(await failure(text(stream(ENDLESS, 'TSVRaw', { limits: { maxExecutionSeconds: 0.3 } })))).toMatch(
        /^timeout: the query took longer than /,
      );
      expect(await failure(text(stream('SELECT * FROM numbers(10)', 'TSVRaw', { limits: { maxResultRows: 2 } })))).toMatch(
        /^limit: the result has more rows than 2$/,
      );
    });
  });
}
