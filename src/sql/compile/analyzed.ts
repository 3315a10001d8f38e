// Optimizes, lowers and prints an analyzed query; each step refuses a tree that is too large for the next.

import { QuernError } from '../../base/errors.ts';
import type { AnalyzedScript } from '../analyzer/index.ts';
import type { Bounds } from '../base/bounds.ts';
import { fail } from '../base/fail.ts';
import { sizeOf } from '../base/size.ts';
import { expandedNodes } from '../logical/expanded-nodes.ts';
import { mostJoined } from '../logical/joined-tables.ts';
import type { LogicalPlan } from '../logical/nodes.ts';
import { relationsOf } from '../logical/walk.ts';
import { lowerToStatement } from '../lower/index.ts';
import { fitToTables, shape } from '../optimizer/optimize.ts';
import type { Statement } from '../target/ast.ts';
import { withBareColumns, withElementCalls } from '../target/bare-columns.ts';
import { hasFragileConstant } from '../target/fragile-constants.ts';
import { withoutHelpers } from '../target/helpers.ts';
import { portable, printPortable } from '../target/portable/portable.ts';
import { printStatement } from '../target/print.ts';
import {
  COLOCATED_SETTINGS,
  FRAGILE_SETTINGS,
  GROUPING_SETTINGS,
  SETTINGS,
  SHARD_SETTINGS,
  SHARDING_KEY_SETTINGS,
} from '../target/settings.ts';
import { withComments } from '../target/with-comments.ts';
import { withCheckCalls, withDefinitions, withFunctionsApart } from '../target/write-query.ts';
import { INSTANT_PARAMETER, type TranslateOptions, type Translation } from '../translation.ts';
import type { Commented } from './wanted-script.ts';

/** Refuses a query that reads rows of a table that is not there; naming one in a WITH table that nobody reads is fine. */
function refuseAbsent(query: LogicalPlan): void {
  relationsOf(query).forEach((rel) => {
    if (rel.kind !== 'source_scan' || rel.source.absent === undefined) return;
    const { message, hint } = rel.source.absent;
    throw new QuernError('unknown-source', message, { hint });
  });
}

const hasGroupingSets = (query: LogicalPlan): boolean =>
  relationsOf(query).some((rel) => rel.kind === 'aggregate' && rel.groupingSets !== null);

function settingsOf(query: LogicalPlan, statement: Statement, mayFail: boolean): Translation['settings'] {
  const sharded = relationsOf(query).flatMap((rel) => (rel.kind === 'source_scan' && rel.source.sharded === true ? [rel.source] : []));
  const { short_circuit_function_evaluation: _, ...others } = SETTINGS;
  return {
    ...(mayFail ? SETTINGS : others),
    ...(hasGroupingSets(query) ? GROUPING_SETTINGS : {}),
    ...(sharded.length > 0 ? SHARD_SETTINGS : {}),
    ...(sharded.length > 0 && hasFragileConstant(statement, INSTANT_PARAMETER) ? FRAGILE_SETTINGS : {}),
    ...(relationsOf(query).some((rel) => rel.kind === 'join' && rel.colocated === true) ? COLOCATED_SETTINGS : {}),
    ...(sharded.length > 0 && sharded.every(({ shardingKey }) => shardingKey !== undefined) ? SHARDING_KEY_SETTINGS : {}),
  };
}

/** Returns the names of the columns that a table of the plan has; undefined for another table. */
function columnsOf(query: LogicalPlan, table: string): ReadonlySet<string> | undefined {
  for (const rel of relationsOf(query)) {
    if (rel.kind !== 'source_scan' || [rel.source.database, rel.source.table].filter(Boolean).join('.') !== table) continue;
    const { columns, unread = [], rows = [] } = rel.source;
    const stored = columns.flatMap(({ name, read }) => ('column' in read ? [name, read.column] : [name]));
    return new Set([...stored, ...unread.map(({ name }) => name), ...rows.map(({ column }) => column)]);
  }
  return undefined;
}

/** The most nodes of ClickHouse SQL: a tree with more is no query but an explosion. */
const MAX_NODES = 5_000_000;
/** The most levels of the tree of ClickHouse SQL, which is walked by recursion. ClickHouse takes 1000 itself, and 100 of subqueries. */
const MAX_STATEMENT_DEPTH = 1000;
const MAX_SUBQUERY_DEPTH = 100;
/** The most tables of one FROM. MySQL takes 61. */
const MAX_JOINED = 100;

/** A translation with the trees that led to it. */
interface Compiled {
  readonly translation: Translation;
  /** The plan as the optimizer shaped it, whatever the tables. */
  readonly shaped: LogicalPlan;
  /** The plan fitted to the tables. */
  readonly query: LogicalPlan;
  readonly statement: Statement;
  /** True if the tree of ClickHouse SQL is shallow enough to be walked by recursion. */
  readonly isShallow: boolean;
}

const inlined = (statement: Statement): Statement => withElementCalls(withBareColumns(statement));

export function compile(
  { script, comments }: Commented,
  { query: analyzed, analysis }: AnalyzedScript,
  options: TranslateOptions,
  bounds: Bounds,
): Compiled {
  const { span } = script.query;
  const refuseLarge = (size: () => number, most: number): void => {
    if (Number.isFinite(most) && size() > most)
      fail(
        'too-complex',
        span,
        'the query is too large once its WITH tables are expanded wherever they are read',
        'read each WITH table once or twice; compare with IN or a pattern instead of many conditions or unions',
      );
  };
  refuseLarge(() => expandedNodes(analyzed), bounds.expandedNodes);
  const shaped = shape(analyzed, analysis);
  const query = fitToTables(shaped, analysis);
  refuseLarge(() => expandedNodes(query), bounds.expandedNodes);
  refuseAbsent(query);
  const joined = mostJoined(query);
  if (joined > MAX_JOINED)
    fail(
      'too-complex',
      span,
      `this query joins ${joined} tables in one FROM`,
      `quern translates at most ${MAX_JOINED}: read rows of the same kind with UNION ALL, and columns with GROUP BY or PIVOT`,
    );
  if (options.portable === true && hasGroupingSets(query))
    fail(
      'unsupported',
      span,
      'ROLLUP, CUBE and GROUPING SETS rely on a setting of ClickHouse, which a text to paste cannot make',
      'join the groups with UNION ALL',
    );
  const { statement: repeating, parameters, freshName } = lowerToStatement(query, { ...options, names: analysis.names });
  // ClickHouse analyzes what a name stands for wherever the name stands.
  const { statement: called, helpers, mayFail } = withCheckCalls(repeating);
  const unfolded = helpers.length === 0 ? repeating : withoutHelpers(repeating);
  const size = sizeOf(unfolded);
  if (size.nodes > MAX_NODES)
    fail(
      'too-complex',
      span,
      'the translation of this query is too long: nested calls repeat their arguments in ClickHouse',
      'compute the inner values in a WITH query and select from it',
    );
  if (size.printedDepth > MAX_STATEMENT_DEPTH || size.subqueries > MAX_SUBQUERY_DEPTH)
    fail(
      'too-complex',
      span,
      `in ClickHouse this query would have expressions more than ${MAX_STATEMENT_DEPTH} levels deep, or subqueries more than ${MAX_SUBQUERY_DEPTH}`,
      'compute the inner values in a WITH query and select from it',
    );
  const text =
    options.portable === true
      ? portable(repeating, { columnsOf: (table) => columnsOf(query, table), fresh: freshName, absent: options.absent ?? 'null' })
      : undefined;
  if (text?.hasNullStruct)
    fail(
      'unsupported',
      span,
      'a STRUCT or an INTERVAL that is NULL relies on a setting of ClickHouse, which a text to paste cannot make',
      'select the fields of the STRUCT by themselves',
    );
  const plain = text?.statement ?? (options.helpers === 'inline' ? inlined(unfolded) : withDefinitions(called, helpers, freshName));
  const statement = comments === undefined ? plain : withComments(plain, comments);
  const apart = options.helpers === 'functions' ? withFunctionsApart(statement) : undefined;
  const sql = apart?.sql ?? (text === undefined ? printStatement : printPortable)(statement);
  // What counts is what ClickHouse analyzes, however short names make the text.
  refuseLarge(() => printStatement(unfolded).length, bounds.length);
  const columns = query.outputs.map((o) => ({ name: o.name, type: o.column.type }));
  return {
    translation: {
      sql,
      parameters,
      columns,
      settings: options.portable === true ? {} : settingsOf(query, statement, mayFail),
      sources: [...analysis.sourcesRead],
      helpers: apart?.functions,
      ...(text === undefined ? {} : { differences: text.notes }),
    },
    shaped,
    query,
    statement,
    isShallow: size.depth <= MAX_STATEMENT_DEPTH,
  };
}
