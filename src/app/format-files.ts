// Formats files of saved queries, each written whole or left as it was.

import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { QuernError } from '../errors.ts';
import { replaceFileSync } from '../replace-file.ts';
import { formatSource, type KeywordCase } from '../saved-query/format-source.ts';
import type { SourceText } from '../source-text.ts';

export interface FormattedFile {
  readonly name: string;
  /** `skipped`: it is ClickHouse SQL, which is left alone. */
  readonly state: 'same' | 'changed' | 'skipped';
  readonly text: string;
}

/** The formatted texts; files with an error give it instead. */
export function formatAll(files: readonly SourceText[], keywords: KeywordCase | undefined): readonly (FormattedFile | QuernError)[] {
  return files.map((source) => {
    try {
      const text = formatSource(source, keywords);
      return {
        name: source.name,
        text: text ?? source.text,
        state: text === undefined ? 'skipped' : text === source.text ? 'same' : 'changed',
      };
    } catch (error) {
      if (error instanceof QuernError) return error;
      throw error;
    }
  });
}

/** Replaces the file in one step, its rights kept; through a link, the file that it leads to. Throws `usage` when it cannot be written. */
export function replaceFile(name: string, text: string, cwd: string): void {
  try {
    const path = realpathSync(resolve(cwd, name));
    replaceFileSync(path, text, statSync(path).mode);
  } catch (cause) {
    throw new QuernError('usage', `${name} cannot be written`, {
      hint: 'check its permissions, and those of its folder; it is as it was',
      cause,
    });
  }
}
