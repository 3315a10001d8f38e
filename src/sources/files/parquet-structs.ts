// STRUCTs of Parquet files that may be NULL. The engine reads them as STRUCTs whose fields are all NULL, so what can be done is to say which they are.
import type { Ask } from './description.ts';

/** Paths, such as `address` and `address.place`. `metadata`: the table function that reads the files as ParquetMetadata. */
export async function structsOfNulls(metadata: string, ask: Ask): Promise<readonly string[]> {
  const levels = await ask(
    `SELECT c.path, max(c.max_definition_level) FROM ${metadata} ARRAY JOIN columns AS c ` +
      "WHERE position(c.path, '.') > 0 AND c.max_repetition_level = 0 GROUP BY 1",
  );
  if (levels.length === 0) return [];
  const nulls = await ask(
    `SELECT c.path FROM ${metadata} ARRAY JOIN row_groups AS g ARRAY JOIN g.columns AS c ` +
      'WHERE ifNull(c.statistics.null_count, 1) > 0 GROUP BY 1',
  );
  const withNulls = new Set(nulls.map(([path]) => String(path)));
  // Where one field is never NULL, neither is what it is in.
  const never = new Set<string>();
  const structs = new Set<string>();
  for (const [path, level] of levels) {
    const parts = String(path).split('.');
    const around = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('.'));
    for (const struct of around) (Number(level) > 0 && withNulls.has(String(path)) ? structs : never).add(struct);
  }
  return [...structs].filter((struct) => !never.has(struct));
}
