// The statement of a whole query, its columns named as BigQuery names them as far as names in ClickHouse must differ from each other.
import type { Statement } from '../clickhouse/ast.ts';
import type { ResolvedQuery } from '../resolved.ts';
import { lowerQuery } from './lower-statement.ts';
import type { Lowering } from './lowering.ts';

export function lowerOutputs({ rel, outputs }: ResolvedQuery, l: Lowering): Statement {
  const seen = new Map<number, string>();
  const columns = outputs.map(({ name, column }, i) => {
    // A column shown twice needs two names; one shown once keeps the name it has in subqueries.
    const alias =
      seen.has(column.id) || l.nameOf(column).toLowerCase() !== name.toLowerCase()
        ? l.fresh(name === '' ? `f${i}_` : name)
        : l.nameOf(column);
    seen.set(column.id, alias);
    return { column, alias };
  });
  return lowerQuery(rel, columns, l);
}
