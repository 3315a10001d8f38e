// Sharing work between callers, and leaving it.
import { expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { createSingleFlight } from '../../src/cache/single-flight.ts';

/** Work that ends when told to, or when it is aborted. */
function controlled() {
  const started: AbortSignal[] = [];
  const end: ((value: string) => void)[] = [];
  const work = (signal: AbortSignal) => {
    started.push(signal);
    return new Promise<string>((resolve, reject) => {
      end.push(resolve);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  };
  return { started, end, work };
}

test('callers of one key share work, callers of other keys do not', async () => {
  const { share } = createSingleFlight<string>();
  const { started, end, work } = controlled();
  const answers = [share('a', work), share('a', work), share('b', work)];
  expect(started.length).toBe(2);
  end[0]?.('of a');
  end[1]?.('of b');
  expect(await Promise.all(answers)).toEqual(['of a', 'of a', 'of b']);
});

test('work that has ended is not shared, whether it went well or not', async () => {
  const { share } = createSingleFlight<number>();
  expect(await share('a', async () => 1)).toBe(1);
  await expect(share('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await share('a', async () => 2)).toBe(2);
});

test('a caller who leaves does not stop the work of those who stay', async () => {
  const { share } = createSingleFlight<string>();
  const { started, end, work } = controlled();
  const leaver = new AbortController();
  const left = share('a', work, leaver.signal);
  const stayed = share('a', work, new AbortController().signal);
  leaver.abort();
  await expect(left).rejects.toMatchObject({ code: 'interrupted', message: 'the query was interrupted' });
  expect(started[0]?.aborted).toBe(false);
  end[0]?.('done');
  expect(await stayed).toBe('done');
});

test('the last caller to leave stops the work, and a newcomer starts afresh', async () => {
  const { share } = createSingleFlight<string>();
  const { started, end, work } = controlled();
  const [first, second] = [new AbortController(), new AbortController()];
  const reason = new QuernError('timeout', 'the query took longer than 2s');
  const answers = [share('a', work, first.signal), share('a', work, second.signal)];
  first.abort(reason);
  second.abort(reason);
  const newcomer = share('a', work);
  expect(started.map((signal) => signal.aborted)).toEqual([true, false]);
  end[1]?.('fresh');
  expect(await newcomer).toBe('fresh');
  await Promise.all(answers.map((answer) => expect(answer).rejects.toBe(reason)));
});

test('a caller who has left already starts nothing', async () => {
  const { share } = createSingleFlight<string>();
  const { started, work } = controlled();
  await expect(share('a', work, AbortSignal.abort(new DOMException('late', 'TimeoutError')))).rejects.toMatchObject({ code: 'timeout' });
  expect(started).toEqual([]);
});
