// Prints ClickHouse SQL as people keep it: below comments that name its parameters, with the settings on which its rows depend.
import { quoteString } from '../clickhouse/quote.ts';
import { type Type, typeName } from '../sql/base/types.ts';
import { settingsNeeded } from '../sql/index.ts';
import type { Translation } from '../sql/translation.ts';

interface Shown extends Pick<Translation, 'sql' | 'settings'> {
  readonly bound: Translation['parameters'];
  /** Absent for SQL that was ClickHouse's from the start, which may have a SETTINGS clause of its own. */
  readonly columns?: readonly { readonly type: Type | string }[] | undefined;
  readonly helpers?: readonly string[] | undefined;
}

export function keptSql({ sql, bound, settings, columns, helpers = [] }: Shown): string {
  const comments = [
    ...bound.map(({ name, type }) => `-- {${name}:${type}}`),
    ...(columns === undefined ? Object.entries(settings).map(([name, value]) => `-- set ${name} = ${value}`) : []),
  ];
  const types = columns?.map(({ type }) => (typeof type === 'string' ? type : typeName(type)));
  const needed = types === undefined ? [] : Object.entries(settingsNeeded(settings, sql, types));
  const written = needed.map(([name, value]) => `${name} = ${typeof value === 'string' ? quoteString(value) : value}`);
  const clause = written.length === 0 ? [] : [`SETTINGS ${written.join(', ')}`];
  return `${[...comments, ...helpers.map((helper) => `${helper};`), sql, ...clause].join('\n')}\n`;
}
