// Prints ClickHouse SQL below comments that name its parameters and the settings it relies on.
import type { PreparedQuery } from '../../execution/prepared-query.ts';

export function sqlWithComments({ sql, bound, settings }: Pick<PreparedQuery, 'sql' | 'bound' | 'settings'>): string {
  const comments = [
    ...bound.map(({ name, type }) => `-- {${name}:${type}}`),
    ...Object.entries(settings).map(([name, value]) => `-- set ${name} = ${value}`),
  ];
  return `${[...comments, sql].join('\n')}\n`;
}
