// Types of JSON whose integers have more digits than the engine has a type for: it looks at a sample in which other values stand for them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quoteString } from '../../clickhouse/quote.ts';
import type { Ask } from './description.ts';
import { type EngineFiles, fileFunction, type LookedAt, settingsText } from './engine-files.ts';
import { plainFile, TEXTS_OF } from './json-texts.ts';
import { SAMPLE_ROWS } from './text-class.ts';

const LEAST = '9223372036854775808';
/** Patterns for the digits of negative integers that are as long as the least INT64, and below it. */
const LESS = Array.from(LEAST, (digit, at) =>
  digit === '9' ? [] : `${LEAST.slice(0, at)}[${Number(digit) + 1}-9][0-9]{${LEAST.length - 1 - at}}`,
).flat();

/** What stands for an integer that is too long: a UInt64 for those that BIGNUMERIC holds, a text for the others. */
const STAND_INS = [
  ['[0-9]{20,38}', '9999999999999999999'],
  ['[0-9]{39,}', '"x"'],
  [`-(?:[0-9]{20,}|${LESS.join('|')})`, '"x"'],
] as const;

/** Replaces twice, since of two integers side by side the comma that ends one begins the other. */
const replaced = (text: string): string =>
  [...STAND_INS, ...STAND_INS].reduce(
    (sql, [digits, other]) =>
      `replaceRegexpAll(${sql}, ${quoteString(`([:,\\[]\\s*)${digits}(\\s*[,}\\]])`)}, ${quoteString(`\\1${other}\\2`)})`,
    text,
  );

/** Returns what `use` finds in a sample without such integers, which is then removed. Throws what `ask` and the file system throw. */
export async function withoutLongDigits<T>(
  { all, several }: LookedAt,
  format: string,
  ask: Ask,
  use: (sample: EngineFiles) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'quern-'));
  try {
    const path = join(folder, 'sample');
    const [text, rows] = TEXTS_OF(format === 'json');
    const from = fileFunction(all, rows, [{ name: text, type: 'String' }]);
    await ask(
      `INSERT INTO FUNCTION ${plainFile(path)('TSVRaw', 'line String')} ` +
        `SELECT ${replaced(`replaceAll(${text}, '\\n', ' ')`)} FROM (SELECT ${text} FROM ${from} LIMIT ${SAMPLE_ROWS}${several ? ' BY _path' : ''}) ` +
        `SETTINGS ${settingsText({ max_threads: 1, input_format_parallel_parsing: 0 })}`,
    );
    return await use({ paths: [path], unpacked: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
