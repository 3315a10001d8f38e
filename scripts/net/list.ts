// A list of the net: a file of sorted lines, each an id and its outcome.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type List = ReadonlyMap<string, string>;

const fileOf = (folder: string, suite: string): string => join(folder, `${suite}.txt`);

/** Empty where there is no such file yet. */
export function readList(folder: string, suite: string): List {
  const file = fileOf(folder, suite);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
}

export function writeList(folder: string, suite: string, lines: readonly (readonly [id: string, outcome: string])[]): void {
  mkdirSync(folder, { recursive: true });
  const written = lines.map(([id, outcome]) => `${id} ${outcome}\n`).sort();
  writeFileSync(fileOf(folder, suite), written.join(''));
}
