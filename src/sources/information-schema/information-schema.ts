// INFORMATION_SCHEMA: what queries can read, as the rows of a query without tables.

import { digest } from '../../cache/json-memory.ts';
import type { TableColumn } from '../../sql/layouts/index.ts';
import type { Source, SourceCatalog } from '../../sql/source.ts';
import { foundBy } from '../described.ts';
import type { SourceKind } from '../kind.ts';
import type { Place } from '../place.ts';

export const informationSchemaKind = (place: Place): SourceKind => ({
  async find(name, resolver) {
    if (!/(?:^|\.)information_schema\./i.test(name)) return undefined;
    return foundBy(place, async () => {
      const { informationSchemaOf, informationSchemaQuery } = await import('./views.ts');
      const asked = informationSchemaOf(name, place.memory.rules);
      if (asked === undefined) return undefined;
      const known = await resolver.all();
      const query = informationSchemaQuery(asked, known, await tablesOf(asked.dataset, known, place));
      return { digest: digest(query), read: () => ({ name, table: '', columns: [], query }) };
    });
  },
});

/** Returns the tables of a dataset that rules open, under the names that queries have for them. */
async function tablesOf(
  dataset: readonly string[],
  known: SourceCatalog,
  { closed, ask, memory }: Place,
): Promise<readonly { readonly name: string; readonly source: Source }[]> {
  if (dataset.length === 0) return [];
  const { rules } = memory;
  const [{ mappedName, ruledName }, { readable }, { bareDefinition, sourceFromTable }, { databaseText }] = await Promise.all([
    import('../names.ts'),
    import('./views.ts'),
    import('../table/table-source.ts'),
    import('../wildcard/lacking.ts'),
  ]);
  const probe = 'x';
  const ruled = ruledName([...dataset, probe].join('.'), rules)?.name;
  if (ruled === undefined || !ruled.endsWith(probe)) return [];
  const nameOf = (table: string): string => [...dataset, table].join('.');
  const own = ruled.slice(0, -probe.length).toLowerCase();
  const named = known.names.flatMap((name) => {
    const isThere = name.toLowerCase().startsWith(own) && !name.slice(own.length).includes('.');
    const source = isThere ? readable(known, name) : undefined;
    return source === undefined ? [] : [{ name: nameOf(name.slice(own.length)), source }];
  });
  // What was loaded has been named; no table of the engine's is reached without a database.
  if (!ruled.includes('.') && closed.includes('')) return named;
  const target = mappedName([...dataset, probe].join('.'), rules, closed);
  if (target?.table !== probe) return named;
  const where = databaseText(target.database);
  const rows = await memory.recall(`columns of ${where}`, () =>
    ask(`SELECT table, name, type FROM system.columns WHERE database = ${where} ORDER BY table, position`),
  );
  const tables = new Map<string, TableColumn[]>();
  for (const [table, name, type] of rows) {
    const columns = tables.get(String(table)) ?? [];
    tables.set(String(table), columns);
    columns.push({ name: String(name), type: String(type) });
  }
  const described = [...tables].map(([table, columns]) => {
    const name = nameOf(table);
    return { name, source: sourceFromTable(bareDefinition(name, { ...target, table, kind: 'table' }), columns) };
  });
  return [...named, ...described];
}
