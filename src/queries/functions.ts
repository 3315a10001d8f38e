// Functions of the user's own: `.sql` files with a CREATE FUNCTION each, in folders beside those of the saved queries.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QuernError } from '../base/errors.ts';
import type { SourceText } from '../base/source-text.ts';

/** Every file of the folders, by folder and name. Throws QuernError `config` for what cannot be read. */
export function readFunctions(folders: readonly string[]): readonly SourceText[] {
  return functionFiles(folders).map((name) => {
    try {
      return { name, text: readFileSync(name, 'utf8') };
    } catch (cause) {
      throw new QuernError('config', `${name} cannot be read`, { hint: 'functions must be files that you can read', cause });
    }
  });
}

/** The paths of the files. */
export function functionFiles(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    namesIn(folder)
      .filter((file) => file.endsWith('.sql'))
      .sort()
      .map((file) => join(folder, file)),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // readdirSync throws these
    if (code === 'ENOENT') return []; // nobody has to have functions
    throw new QuernError('config', `the function folder ${folder} cannot be read`, { hint: 'check the setting `functions`', cause });
  }
}
