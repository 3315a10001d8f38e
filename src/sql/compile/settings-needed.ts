// Which settings a translation needs, for people who keep its SQL.
import { type SETTINGS, SETTINGS_TABLE } from '../target/settings.ts';

/** Returns those of `settings` on which the rows of the query depend, for people who keep its SQL. `types` are GoogleSQL's names of its columns' types. */
export function settingsNeeded(settings: typeof SETTINGS, sql: string, types: readonly string[]): typeof SETTINGS {
  const text = [sql.replace(/\b(?:LIMIT|OFFSET) \d+/g, ''), ...types].join('\n');
  return Object.fromEntries(Object.entries(settings).filter(([name]) => SETTINGS_TABLE[name]?.neededBy.test(text) ?? true));
}
