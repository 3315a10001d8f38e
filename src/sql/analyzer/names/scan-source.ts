// A source named in FROM: a scan of its table, and on it what its columns are made of.
import { QuernError } from '../../../base/errors.ts';
import type { Span } from '../../../base/source-text.ts';
import type { Column, Expr, Rel } from '../../logical/nodes.ts';
import { rewriteExpr } from '../../logical/walk.ts';
import type { Source } from '../../source.ts';
import type * as ast from '../../syntax/ast.ts';
import { parseScript } from '../../syntax/parser/parse-script.ts';
import { analyzeCondition, analyzeExpr } from '../analyze.ts';
import { type AnalyzedFrom, rangeVariable } from '../analyzed.ts';
import type { Context } from '../context.ts';
import { heldType, saidValue } from './said-column.ts';
import { EMPTY_SCOPE, type RangeVariable } from './scope.ts';

export function scanSource(source: Source, alias: string, span: Span, context: Context): AnalyzedFrom {
  context.analysis.sourcesRead.add(source.name);
  const columns = source.columns.map((from) => ({
    column: context.analysis.newColumn(from.name, heldType(from)),
    from,
    part: { kind: 'whole' } as const,
  }));
  const made = columns.flatMap(({ column, from }) => {
    const value = saidValue(from, column);
    return value === undefined ? [] : [{ held: column, column: context.analysis.newColumn(from.name, from.type), value }];
  });
  const outputs = columns.map(({ column, from }) => ({
    name: from.name,
    column: made.find(({ held }) => held === column)?.column ?? column,
  }));
  const scanned: Rel = { kind: 'source_scan', source, columns, alias };
  const rel: Rel =
    made.length === 0 ? scanned : { kind: 'project', input: scanned, items: made.map(({ column, value }) => ({ column, value })) };
  const computed = withComputed(source, { rel, table: rangeVariable(alias, outputs, false) }, span, context);
  const pseudo = [...source.columns.filter((c) => c.pseudo), ...(source.computed ?? [])].map(({ name }) => name.toLowerCase());
  const table: RangeVariable = {
    ...computed.table,
    ...(pseudo.length === 0 ? {} : { pseudo: new Set(pseudo) }),
    ...(source.unread === undefined ? {} : { unread: source.unread }),
  };
  return { rel: computed.rel, tables: [table], names: new Map() };
}

interface Scanned {
  readonly rel: Rel;
  readonly table: RangeVariable;
}

/** The rows that belong to the source, with the columns that its definition computes. */
function withComputed({ name: of, computed = [], only }: Source, { rel, table }: Scanned, span: Span, context: Context): Scanned {
  if (computed.length === 0 && only === undefined) return { rel, table };
  const inside: Context = {
    ...context,
    scope: { ...EMPTY_SCOPE, tables: [table] },
    ctes: new Map(),
    noAggregates: 'a source',
    noWindows: 'a source',
  };
  const input: Rel =
    only === undefined
      ? rel
      : { kind: 'filter', input: rel, condition: analyzed(only, of, span, (e) => analyzeCondition(e, inside, 'a source')) };
  const items = computed.map(({ name, expression }): { readonly column: Column; readonly value: Expr } => {
    const value = analyzed(expression, of, span, (e) => analyzeExpr(e, inside));
    return { column: context.analysis.newColumn(name, value.type), value };
  });
  const columns = [...table.columns, ...items.map(({ column }) => ({ name: column.name, column }))];
  return { rel: items.length === 0 ? input : { kind: 'project', input, items }, table: { ...table, columns } };
}

/** An expression of the project's own; its place is the name of the source, since it is no part of the text. */
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
