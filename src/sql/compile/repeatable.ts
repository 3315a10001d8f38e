// Finds out whether a query returns the same rows whenever it is run, as long as the data of its tables are the same.
import type { LogicalPlan } from '../logical/nodes.ts';
import { holdsVolatile } from '../logical/volatile.ts';
import { relationsOf } from '../logical/walk.ts';
import type { Source } from '../source.ts';
import { INSTANT_PARAMETER, type ReadTable, type SpecializableTranslation } from '../translation.ts';

/** Says that the plan returns the same rows for the same data, and which tables it reads; empty where it may not. `parameters`: those that it reads. */
export function repeatable(
  plan: LogicalPlan,
  parameters: SpecializableTranslation['parameters'],
): Pick<SpecializableTranslation, 'repeatable'> {
  if (parameters.some(({ name }) => name === INSTANT_PARAMETER)) return {};
  if (holdsVolatile(plan)) return {};
  const tables = new Map<string, ReadTable | undefined>();
  for (const rel of relationsOf(plan)) if (rel.kind === 'source_scan') tables.set(rel.source.name, singleTable(rel.source));
  const all = [...tables.values()].flatMap((table) => table ?? []);
  return { repeatable: all.length === tables.size ? { tables: all } : {} };
}

export function singleTable({ name, database, table, wildcard, cluster, read, query, absent }: Source): ReadTable | undefined {
  if (wildcard === true || read !== undefined || query !== undefined || absent !== undefined) return undefined;
  return { source: name, database, name: table, cluster };
}
