// Reads a text that the user names: a file, or standard input.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { QuernError } from '../../base/errors.ts';
import type { Io } from '../../base/io.ts';
import type { SourceText } from '../../base/source-text.ts';
import { didYouMeanFile } from '../../files/near-file.ts';

/** Reads a file, relative to the working directory, or standard input for `-`. Throws `usage` when it cannot be read. */
export async function readTextFile(file: string, { cwd, stdin }: Pick<Io, 'cwd' | 'stdin'>): Promise<SourceText> {
  if (file === '-') {
    const chunks: Buffer[] = [];
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
    return { name: '<stdin>', text: Buffer.concat(chunks).toString('utf8') };
  }
  try {
    return { name: file, text: await readFile(resolve(cwd, file), 'utf8') };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // readFile throws these
    const known = code === undefined ? undefined : PROBLEMS[code];
    throw new QuernError('usage', known?.(file) ?? `${file} cannot be read`, {
      hint: (known === noFile ? didYouMeanFile(file, cwd) : undefined) ?? 'name a file that you can read, or - for standard input',
      cause,
    });
  }
}

const noFile = (file: string): string => `there is no file ${file}`;
const PROBLEMS: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: noFile,
  ENOTDIR: noFile,
  EISDIR: (file) => `${file} is a folder`,
};
