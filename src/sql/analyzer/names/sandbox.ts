// A caller's query in place of a saved query's own SELECT: it reads the saved query's WITH tables, and nothing else.
import { QuernError } from '../../../base/errors.ts';
import { fail } from '../../base/fail.ts';
import { filteredTables } from '../../logical/filtered-tables.ts';
import type { Script } from '../../syntax/ast.ts';
import { parseScript } from '../../syntax/parser/parse-script.ts';
import type { UnfilteredTable } from '../../translation.ts';
import { analyzeQuery } from '../analyze.ts';
import type { AnalyzedQuery } from '../analyzed.ts';
import { analyzeCtes } from '../clauses/ctes.ts';
import type { Analysis, Context, VisibleCte } from '../context.ts';
import { openLibrary } from '../statements/library.ts';
import { analyzeStatements } from '../statements/statements.ts';

/** The name of the caller's text in errors. */
const SANDBOX_SOURCE = 'sql';

/** Returns a tree whose spans come after those of the saved query's text, so that a span tells by itself which text it is in. */
export function parseSandboxed(sql: string, savedText: string): Script {
  const script = parseScript(' '.repeat(savedText.length) + sql);
  const [definition] = [...script.functions, ...script.statements].sort((a, b) => a.span.start - b.span.start);
  if (definition !== undefined || script.creates !== null)
    fail(
      'unsupported',
      definition?.span ?? script.span,
      `${definition === undefined ? 'CREATE or INSERT' : CALLED[definition.kind]} is not allowed in a caller’s SQL`,
      'write the expression in the query',
    );
  if (script.earlier !== undefined) fail('unsupported', script.span, 'a caller’s SQL is one query', 'send one query at a time');
  return script;
}

const CALLED = {
  create_function: 'CREATE TEMP FUNCTION',
  create_table_function: 'CREATE TABLE FUNCTION',
  declare: 'DECLARE',
  set: 'SET',
  create_table: 'CREATE',
  drop_table: 'DROP',
} as const;

interface AnalyzedSandbox extends AnalyzedQuery {
  /** The parameters by which every WITH table of the saved query filters all that it reads of sources: see filteredTables. */
  readonly filteredBy: readonly string[];
}

export function analyzeSavedQuery(script: Script, outer: Context): AnalyzedSandbox {
  const { query } = script;
  const context = analyzeStatements(script, outer);
  const ctes = analyzeCtes(query, context);
  const filteredBy = filteringParameters(ctes, context);
  return { ...analyzeQuery({ ...query, ctes: [] }, { ...context, ctes }), filteredBy };
}

/**
 * Resolves `caller` where the WITH tables of `saved` are visible. Sources, saved queries and the saved query's temporary functions (which may
 * read sources) are not; the WITH tables are resolved before, and see all of them.
 */
export function analyzeSandboxed(caller: Script, saved: Script, context: Context): AnalyzedSandbox {
  const ctes = analyzeCtes(saved.query, analyzeStatements(saved, context));
  const filteredBy = filteringParameters(ctes, context);
  const { sources: _, savedQuery: __, savedFunction: ___, inner: ____, ...options } = context.analysis.options;
  const analysis: Analysis = {
    ...context.analysis,
    options,
    temporaryFunctions: new Map(),
    library: openLibrary([]),
    onlyCtes: true,
  };
  return { ...analyzeQuery(caller.query, { ...context, analysis, ctes }), filteredBy };
}

function filteringParameters(tables: ReadonlyMap<string, VisibleCte>, { analysis }: Context): readonly string[] {
  const { isFilteredBy } = filteredTables(analysis.ctes);
  return Object.keys(analysis.options.parameters ?? {}).filter((name) => [...tables.values()].every(({ id }) => isFilteredBy(id, name)));
}

/** Returns the WITH tables that do not filter by a parameter by which something in the query does. */
export function unfilteredTables(script: Script, outer: Context): readonly UnfilteredTable[] {
  const { query } = script;
  const context = analyzeStatements(script, outer);
  const created = script.statements.flatMap((statement) => (statement.kind === 'create_table' ? [statement.table] : []));
  const ctes = analyzeCtes(query, context);
  const { rel } = analyzeQuery({ ...query, ctes: [] }, { ...context, ctes });
  const { isFilter, isFilteredBy } = filteredTables(context.analysis.ctes, [rel]);
  const parameters = Object.keys(context.analysis.options.parameters ?? {}).filter(isFilter);
  return [...created, ...query.ctes].flatMap(({ name }) => {
    const id = ctes.get(name.name.toLowerCase())?.id;
    const open = id === undefined ? [] : parameters.filter((parameter) => !isFilteredBy(id, parameter));
    return open.map((parameter) => ({ table: name.name, parameter, span: name.span }));
  });
}

/** Returns the error with the text its span points into, when that is the caller's; one without a place is about the caller's query as a whole. */
export function inCallerText(error: unknown, sql: string, savedText: string): unknown {
  if (!(error instanceof QuernError) || error.details.source !== undefined) return error;
  const from = savedText.length;
  const { start, end } = error.details.span ?? { start: from, end: from + sql.length };
  if (start < from) return error;
  return new QuernError(error.code, error.message, {
    ...error.details,
    span: { start: start - from, end: Math.max(end, start) - from },
    source: { name: SANDBOX_SOURCE, text: sql },
  });
}
