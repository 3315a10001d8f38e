// The flags that say how files of text are read; those of sources in quern.yaml have the same names.
import { type Command, Option } from 'commander';
import { QuernError } from '../../base/errors.ts';
import type { SourceDefinition } from '../../sources/definition.ts';
import {
  FILE_OPTION_NAMES,
  FILE_OPTIONS,
  type FileOptionName,
  type FileOptions,
  formatsText,
  optionHelp,
  type RawFileOptions,
  readFileOptions,
  takesOption,
} from '../../sources/files/options.ts';
import { withValues } from './flags.ts';

/** As commander gives them. */
export interface FileFlags {
  readonly delimiter?: string;
  readonly header?: boolean;
  readonly skipLeadingRows?: string;
  readonly encoding?: string;
  readonly nullText?: string;
}

/** `before` is what the help of each begins with. */
export function addFileFlags(command: Command, before = ''): Command {
  for (const name of FILE_OPTION_NAMES) {
    const { flags, values = [] }: { readonly flags: Readonly<Record<string, string | undefined>>; readonly values?: readonly string[] } =
      FILE_OPTIONS[name];
    for (const [flag, help] of Object.entries(flags)) {
      const option = new Option(flag, `${before}${optionHelp(name, help)}`);
      command.addOption(values.length === 0 ? option : withValues(option, values));
    }
  }
  return command;
}

/** The flag as it is written. */
const written = (name: FileOptionName, value?: unknown): string => `--${value === false ? 'no-' : ''}${name.replaceAll('_', '-')}`;

/** The flags as they are written, by what commander calls them. */
export const writtenFileFlags = (flags: FileFlags): Readonly<Partial<Record<string, string>>> =>
  Object.fromEntries(FILE_OPTION_NAMES.map((name) => [FILE_OPTIONS[name].key, written(name, flags[FILE_OPTIONS[name].key])]));

/** The options as quern.yaml has them. Throws `usage` for a value that an option cannot have. */
export function readFileFlags(flags: FileFlags): RawFileOptions {
  fileOptions(flags);
  return rawOptions(flags);
}

/** Throws `usage` for a value that an option cannot have. */
export function fileOptions(flags: FileFlags): FileOptions {
  const options = readFileOptions(rawOptions(flags), undefined, (name, message, hint) => {
    throw new QuernError('usage', `${written(name)} ${message}`, { hint });
  });
  return options ?? {};
}

const rawOptions = ({ delimiter, header, skipLeadingRows, encoding, nullText }: FileFlags): RawFileOptions => ({
  delimiter: delimiter === 'tab' || delimiter === '\\t' ? '\t' : delimiter,
  header,
  skip_leading_rows: /^\d+$/.test(skipLeadingRows ?? '') ? Number(skipLeadingRows) : skipLeadingRows,
  encoding,
  null_text: nullText,
});

/** Throws `usage` for an option that none of the files takes which a query names by their paths. */
export function assertApplied(options: RawFileOptions, files: readonly SourceDefinition[]): void {
  const stray = FILE_OPTION_NAMES.find(
    (name) => options[name] !== undefined && !files.some((one) => one.files !== undefined && takesOption(one.files.format, name)),
  );
  if (stray === undefined) return;
  const [file] = files;
  throw new QuernError(
    'usage',
    file === undefined
      ? `${written(stray, options[stray])} says how files are read, and the query names none by its path`
      : `${written(stray, options[stray])} only applies to ${formatsText(stray)}, and ${file.name} is none`,
    { hint: file === undefined ? 'write a path between backticks, or set the options of a source in quern.yaml' : 'leave it out' },
  );
}
