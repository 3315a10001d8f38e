import { expect, test } from 'vitest';
import { NotLoaded, withParts } from '../src/later.ts';

test('work that needs a part is done again once that is loaded', async () => {
  const loaded = new Set<string>();
  const tried: string[] = [];
  const part = (name: string): string => {
    if (!loaded.has(name)) throw new NotLoaded(async () => void loaded.add(name));
    return name;
  };
  const given = await withParts(() => {
    tried.push([...loaded].join('+'));
    return `${part('one')} ${part('two')}`;
  });
  expect([given, tried]).toEqual(['one two', ['', 'one', 'one+two']]);
});

test('what goes wrong in the work, or in loading, is the caller’s to know', async () => {
  await expect(withParts(() => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  let online = false;
  const work = (): string => {
    if (online) return 'done';
    throw new NotLoaded(() => Promise.reject(new TypeError('no network')));
  };
  await expect(withParts(work)).rejects.toThrow('no network');
  online = true;
  expect(await withParts(work)).toBe('done');
});
