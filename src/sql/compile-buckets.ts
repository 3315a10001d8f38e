// A query in buckets of time, as ClickHouse SQL.
import type { LogicalPlan, ScanColumn, SourceScan } from './logical/nodes.ts';
import { visit } from './logical/walk.ts';
import { lowerToStatement } from './lower/index.ts';
import { bucketed } from './optimizer/buckets/bucketed.ts';
import { fitToTables } from './optimizer/optimize.ts';
import type { Source } from './source.ts';
import { maySpecialize } from './specialize.ts';
import { printStatement } from './target/print.ts';
import { statementText } from './target/stored-statement.ts';
import {
  type BucketedTranslation,
  INSTANT_PARAMETER,
  type ReadTable,
  type SpecializableTranslation,
  type TranslateOptions,
} from './translation.ts';

type Columns = Parameters<typeof fitToTables>[1];

/** Of a plan that has its shape; or why it has no buckets. */
export function compileBuckets(
  shaped: LogicalPlan,
  columns: Columns,
  options: TranslateOptions,
): NonNullable<SpecializableTranslation['buckets']> {
  const found = bucketed(shaped, columns);
  if (typeof found === 'string') return { why: found };
  const table = tableOf(found.scan, found.time);
  if (table === undefined) return { why: `${found.scan.source.name} is not a single table with a time column` };
  const rows = written(fitToTables(found.rows, columns), options);
  // What nobody reads of the window is not written.
  if (rows.parameters.some(({ name }) => name === INSTANT_PARAMETER)) return { why: 'more than its time window depends on when it runs' };
  return {
    units: found.units,
    rows,
    window: written(found.window, options),
    bounds: found.bounds,
    order: found.order,
    limit: found.limit,
    table,
  };
}

function written(plan: LogicalPlan, options: TranslateOptions): BucketedTranslation['rows'] {
  const { statement, parameters } = lowerToStatement(plan, options);
  return {
    sql: printStatement(statement),
    parameters,
    ...(maySpecialize(parameters) ? { statement: statementText(statement) } : {}),
    columns: plan.outputs.map(({ name, column }) => ({ name, type: column.type })),
  };
}

/** Whether the plan gives the same rows of the same data, whenever it is run; with `parameters`, those that it reads. */
export function repeatable(
  plan: LogicalPlan,
  parameters: SpecializableTranslation['parameters'],
): Pick<SpecializableTranslation, 'repeatable'> {
  if (parameters.some(({ name }) => name === INSTANT_PARAMETER)) return {};
  let chance = false;
  const tables = new Map<string, ReadTable | undefined>();
  visit(
    plan,
    (expr) => {
      chance ||= expr.kind === 'call' && expr.fn.volatile === true;
    },
    (rel) => {
      if (rel.kind === 'source_scan') tables.set(rel.source.name, singleTable(rel.source));
    },
  );
  if (chance) return {};
  const all = [...tables.values()].flatMap((table) => table ?? []);
  return { repeatable: all.length === tables.size ? { tables: all } : {} };
}

function tableOf({ source }: SourceScan, { from: { read } }: ScanColumn): BucketedTranslation['table'] | undefined {
  const table = singleTable(source);
  if (table === undefined || read.layout !== 'column') return undefined;
  return { ...table, times: [read.column, ...(read.secondsColumn === undefined ? [] : [read.secondsColumn])] };
}

function singleTable({ name, database, table, wildcard, cluster, read, query, absent }: Source): ReadTable | undefined {
  if (wildcard === true || read !== undefined || query !== undefined || absent !== undefined) return undefined;
  return { source: name, database, name: table, ...(cluster === undefined ? {} : { cluster }) };
}
