// Prints ClickHouse SQL below comments that name its parameters and the settings it relies on.
import type { PreparedQuery } from '../../execution/prepared-query.ts';

type Shown = Pick<PreparedQuery, 'sql' | 'bound' | 'settings'> & { readonly helpers?: readonly string[] };

export function sqlWithComments({ sql, bound, settings, helpers = [] }: Shown): string {
  const comments = [
    ...bound.map(({ name, type }) => `-- {${name}:${type}}`),
    ...Object.entries(settings).map(([name, value]) => `-- set ${name} = ${value}`),
  ];
  return `${[...comments, ...helpers.map((helper) => `${helper};`), sql].join('\n')}\n`;
}
