// The flags of every command, and the settings they are.
import { SETTING_ROWS, type SettingName } from './settings.ts';

/** The flags that every command has, as commander names them. */
export interface GlobalFlags {
  /** False after `--no-color`. */
  readonly color?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly jsonErrors?: boolean | undefined;
  /** Those that settings have, and the command's own. */
  readonly [flag: string]: unknown;
}

interface GlobalSetting {
  readonly flag: string;
  /** The name of the flag's value in the help; undefined for a switch. */
  readonly value?: string;
  readonly repeatable?: true;
  readonly help: string;
}

/** The settings that are flags of every command, switches last; `format` belongs to the commands that print rows. */
export const globalSettings: readonly GlobalSetting[] = SETTING_ROWS.flatMap(([, { flag, everywhere, help }]) =>
  flag === undefined || everywhere === undefined ? [] : [{ flag, help, ...everywhere }],
).sort((a, b) => Number(a.value === undefined) - Number(b.value === undefined));

/** Returns the settings that are given as flags; `--format` is for the command that has it, which may know more formats. */
export function givenSettings(flags: GlobalFlags): Partial<Readonly<Record<SettingName, unknown>>> {
  const given = SETTING_ROWS.map(([name, { flag }]) => [
    name,
    flag === undefined || name === 'format' ? undefined : flags[camelCase(flag)],
  ]);
  return { ...Object.fromEntries(given), no_color: flags.color === false ? true : undefined };
}

/** As commander names a flag. */
export const camelCase = (flag: string): string => flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
