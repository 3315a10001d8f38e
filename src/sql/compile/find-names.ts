// The meanings of the names in a text, as far as its analysis comes: tables and parameters that nobody has declared are sketched from them.
import { QuernError } from '../../base/errors.ts';
import type { Span } from '../../base/source-text.ts';
import { analyzeExpr } from '../analyzer/analyze.ts';
import type { Context } from '../analyzer/context.ts';
import { analyzeScript } from '../analyzer/index.ts';
import type { Scope } from '../analyzer/names/scope.ts';
import { bounded, TRUSTED } from '../base/bounds.ts';
import { structOf, type Type } from '../base/types.ts';
import type * as ast from '../syntax/ast.ts';
import type { TranslateOptions } from '../translation.ts';
import { wantedScript } from './wanted-script.ts';

/** A name that is not found, in what could have it. */
interface MissingName {
  /** The type of a row, of a record, or of a value that is none yet. */
  readonly of: Type;
  readonly path: readonly string[];
}

export interface NamesFound {
  /** Why the analysis ended before the text did. */
  readonly error?: QuernError;
  /** Returns the types of the names and parameters in a part of the text, in its order: the very types that sources and options declare. */
  typesIn(span: Span): readonly Type[];
  /** Returns what could have the name that is not found at a place, nearest first. */
  missingAt(span: Span): readonly MissingName[];
}

interface Seen {
  readonly node: ast.Expr;
  readonly context: Context;
}

/** Analyzes the text, without translating it. Throws what parsing throws. */
export function findNames(text: string, options: TranslateOptions): NamesFound {
  const { script } = wantedScript(text, options);
  const seen: Seen[] = [];
  const onExpr = (node: ast.Expr, context: Context): void => {
    if (NAMES.has(node.kind)) seen.push({ node, context });
  };
  const found = {
    typesIn: (span: Span): readonly Type[] =>
      seen
        .filter(({ node }) => isIn(node.span, span))
        .sort((a, b) => a.node.span.start - b.node.span.start)
        .flatMap((one) => typeOf(one) ?? []),
    missingAt: (span: Span): readonly MissingName[] =>
      missing(
        seen
          .filter(({ node }) => isIn(span, node.span))
          .toReversed()
          .toSorted(shortestFirst)[0],
      ),
  };
  try {
    bounded(TRUSTED, { start: 0, end: text.length }, () => analyzeScript(script, options, onExpr));
    return found;
  } catch (error) {
    if (error instanceof QuernError) return { ...found, error };
    throw error;
  }
}

const NAMES: ReadonlySet<ast.Expr['kind']> = new Set(['path', 'parameter', 'field_access'] as const);

const isIn = (inner: Span, outer: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;

const lengthOf = ({ node: { span } }: Seen): number => span.end - span.start;
const shortestFirst = (a: Seen, b: Seen): number => lengthOf(a) - lengthOf(b);

function typeOf({ node, context }: Seen): Type | undefined {
  try {
    return analyzeExpr(node, { ...context, analysis: { ...context.analysis, onExpr: undefined } }).type;
  } catch (error) {
    if (error instanceof QuernError) return undefined;
    throw error;
  }
}

function missing(seen: Seen | undefined): readonly MissingName[] {
  if (seen === undefined || typeOf(seen) !== undefined) return [];
  const { node, context } = seen;
  if (node.kind === 'field_access') {
    const type = typeOf({ node: node.of, context });
    return type === undefined ? [] : [{ of: type, path: [node.field.name] }];
  }
  if (node.kind !== 'path') return [];
  const path = node.parts.map(({ name }) => name);
  for (let known = path.length - 1; known > 0; known--) {
    const type = typeOf({ node: { ...node, parts: node.parts.slice(0, known) }, context });
    if (type !== undefined) return [{ of: type, path: path.slice(known) }];
  }
  return rowsAround(context.scope).map((of) => ({ of, path }));
}

/** Returns the types of the rows that a place sees, nearest first, and of the values behind them: a column that nobody has declared is rather one of a table. */
function rowsAround({ tables, parent, closed }: Scope): readonly Type[] {
  const rows = tables.map(({ columns }) => structOf(columns.map(({ name, column }) => ({ name, type: column.type }))));
  const values = tables.flatMap(({ value }) => value?.type ?? []);
  return [...rows, ...values, ...(parent === null || closed !== undefined ? [] : rowsAround(parent))];
}
