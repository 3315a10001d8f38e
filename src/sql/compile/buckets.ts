// Compiles a query to ClickHouse SQL that returns its rows in buckets of time.
import type { LogicalPlan, ScanColumn, SourceScan } from '../logical/nodes.ts';
import { lowerToStatement } from '../lower/index.ts';
import { bucketed } from '../optimizer/buckets/bucketed.ts';
import { fitToTables } from '../optimizer/optimize.ts';
import { printStatement } from '../target/print.ts';
import { statementText } from '../target/stored-statement.ts';
import { withCheckCalls, withDefinitions } from '../target/write-query.ts';
import { type BucketedTranslation, INSTANT_PARAMETER, type SpecializableTranslation, type TranslateOptions } from '../translation.ts';
import { ownLimitOf } from './own-limit.ts';
import { singleTable } from './repeatable.ts';
import { maySpecialize } from './specialize.ts';

type Columns = Parameters<typeof fitToTables>[1];

/** Takes a shaped plan; returns its SQL in buckets, or why it has none. */
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
  // Columns of the window that nobody reads are not written.
  if (rows.parameters.some(({ name }) => name === INSTANT_PARAMETER)) return { why: 'more than its time window depends on when it runs' };
  return {
    units: found.units,
    rows,
    window: written(found.window, options),
    bounds: found.bounds,
    order: found.order,
    limit: found.limit,
    limitsRows: found.limitsRows,
    table,
  };
}

function written(plan: LogicalPlan, options: TranslateOptions): BucketedTranslation['rows'] {
  const { statement: repeating, parameters, freshName } = lowerToStatement(plan, options);
  const { statement: called, helpers } = withCheckCalls(repeating);
  const statement = withDefinitions(called, helpers, freshName);
  const sql = printStatement(statement);
  return {
    sql,
    parameters,
    ownLimit: ownLimitOf(statement),
    statement: maySpecialize(sql, parameters) ? statementText(statement) : undefined,
    columns: plan.outputs.map(({ name, column }) => ({ name, type: column.type })),
  };
}

function tableOf({ source }: SourceScan, { from: { read } }: ScanColumn): BucketedTranslation['table'] | undefined {
  const table = singleTable(source);
  if (table === undefined || read.layout !== 'column') return undefined;
  return { ...table, times: [read.column, read.secondsColumn].filter((column) => column !== undefined) };
}
