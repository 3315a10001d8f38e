// Flags that several commands share.
import { Option } from 'commander';
import { FORMAT_NAMES } from '../../base/formats.ts';

/** `more` lists further formats of the command. */
export const formatOption = (more: readonly string[] = []): Option => {
  const formats = [...FORMAT_NAMES, ...more];
  const option = new Option('--format <format>', `${formats.join(', ')}; by default a table on a terminal and ndjson elsewhere`);
  return withValues(option, formats);
};

export const csvFormulasOption = (): Option =>
  withValues(
    new Option('--csv-formulas <way>', 'what to do with csv text that a spreadsheet would read as a formula: keep (default) or escape'),
    ['keep', 'escape'],
  );

/** Reads a flag that may be repeated. */
export const collect = (word: string, before: readonly string[] = []): readonly string[] => [...before, word];

/** Adds the values that completion offers; the command itself still checks the flag's value. */
export const withValues = (option: Option, values: readonly string[]): Option => Object.assign(option, { values });

/** Returns the values that a flag takes, for completion, if it lists them. */
export function valuesOf(option: Option & { readonly values?: readonly string[] }): readonly string[] | undefined {
  return option.values ?? option.argChoices;
}
