// A source named in FROM: a scan of its table, and the values that its columns have in queries.
import { QuernError } from '../../../base/errors.ts';
import type { Span } from '../../../base/source-text.ts';
import type { Expr, Rel } from '../../logical/nodes.ts';
import { rewriteExpr } from '../../logical/walk.ts';
import type { Source } from '../../source.ts';
import type * as ast from '../../syntax/ast.ts';
import { parseScript } from '../../syntax/parser/parse-script.ts';
import { analyzeCondition, analyzeExpr } from '../analyze.ts';
import { type AnalyzedFrom, rangeVariable } from '../analyzed.ts';
import { apart, atPlace, type Context } from '../context.ts';
import { createProjection } from '../projection.ts';
import { saidValue, storedType } from './said-column.ts';
import { EMPTY_SCOPE, type RangeVariable } from './scope.ts';

export function scanSource(source: Source, alias: string, span: Span, context: Context): AnalyzedFrom {
  context.analysis.sourcesRead.add(source.name);
  const columns = source.columns.map((from) => ({
    column: context.analysis.newColumn(from.name, storedType(from)),
    from,
    part: { kind: 'whole' } as const,
  }));
  const projection = createProjection(context.analysis);
  const outputs = columns.map(({ column, from }) => {
    const value = saidValue(from, column);
    return { name: from.name, column: value === undefined ? column : projection.add(from.name, value) };
  });
  const rel = projection.finish({ kind: 'source_scan', source, columns, alias });
  const computed = withComputed(source, { rel, table: rangeVariable(alias, { outputs, value: false }) }, span, context);
  const pseudo = [...source.columns.filter((c) => c.pseudo), ...(source.computed ?? [])].map(({ name }) => name.toLowerCase());
  const table: RangeVariable = {
    ...computed.table,
    pseudo: pseudo.length === 0 ? undefined : new Set(pseudo),
    unread: source.unread,
  };
  return { rel: computed.rel, tables: [table], names: new Map() };
}

interface Scanned {
  readonly rel: Rel;
  readonly table: RangeVariable;
}

/** Returns the rows that belong to the source, with the columns that its definition computes. */
function withComputed({ name: of, computed = [], only }: Source, { rel, table }: Scanned, span: Span, context: Context): Scanned {
  if (computed.length === 0 && only === undefined) return { rel, table };
  const inside = atPlace('a source', apart(context.analysis));
  const scoped: Context = { ...inside, scope: { ...EMPTY_SCOPE, tables: [table] } };
  const input: Rel =
    only === undefined
      ? rel
      : { kind: 'filter', input: rel, condition: analyzed(only, of, span, (e) => analyzeCondition(e, scoped, 'a source')) };
  const projection = createProjection(context.analysis);
  const made = computed.map(({ name, expression }) => ({
    name,
    column: projection.add(
      name,
      analyzed(expression, of, span, (e) => analyzeExpr(e, scoped)),
    ),
  }));
  return { rel: projection.finish(input), table: { ...table, columns: [...table.columns, ...made] } };
}

/** Analyzes an expression of the project file; its place is the name of the source, since it is no part of the text. */
function analyzed(text: string, of: string, span: Span, analyze: (expression: ast.Expr) => Expr): Expr {
  try {
    const { body } = parseScript(`SELECT ${text}`).query;
    const item = body.kind === 'select' ? body.items[0] : undefined;
    if (item?.kind !== 'expr_item') throw new QuernError('config', 'it is not one expression', {});
    return rewriteExpr(analyze(item.value), (e) => ({ ...e, span }));
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    throw new QuernError('config', `${text}, in the definition of the source ${of}: ${error.message}`, { hint: error.details.hint, span });
  }
}
