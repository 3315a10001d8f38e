// Prints ClickHouse SQL as people keep it: below comments that name its parameters, with the settings on which its rows depend.
import { quoteString } from '../../clickhouse/quote.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import { settingsNeeded } from '../../sql/target/settings.ts';

interface Shown extends Pick<PreparedQuery, 'sql' | 'bound' | 'settings'> {
  /** GoogleSQL's names of the types of its columns; absent for SQL that was ClickHouse's from the start, which may have a SETTINGS clause of its own. */
  readonly types?: readonly string[] | undefined;
  readonly helpers?: readonly string[];
}

export function keptSql({ sql, bound, settings, types, helpers = [] }: Shown): string {
  const comments = [
    ...bound.map(({ name, type }) => `-- {${name}:${type}}`),
    ...(types === undefined ? Object.entries(settings).map(([name, value]) => `-- set ${name} = ${value}`) : []),
  ];
  const needed = types === undefined ? [] : Object.entries(settingsNeeded(settings, sql, types));
  const written = needed.map(([name, value]) => `${name} = ${typeof value === 'string' ? quoteString(value) : value}`);
  const clause = written.length === 0 ? [] : [`SETTINGS ${written.join(', ')}`];
  return `${[...comments, ...helpers.map((helper) => `${helper};`), sql, ...clause].join('\n')}\n`;
}
