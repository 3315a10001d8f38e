// A text that the user names: a file, or standard input.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { QuernError } from '../../base/errors.ts';
import type { Io } from '../../base/io.ts';
import type { SourceText } from '../../base/source-text.ts';

/** The text of a file, from the folder the command runs in, or of standard input for `-`. Throws `usage` when it cannot be read. */
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
    const message =
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `there is no file ${file}`
        : code === 'EISDIR'
          ? `${file} is a folder`
          : `${file} cannot be read`;
    throw new QuernError('usage', message, { hint: 'name a file that you can read, or - for standard input', cause });
  }
}
