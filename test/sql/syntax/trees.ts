// What the tests of the BigQuery reader share: trees without spans, the nodes of a tree, and errors as one line.
import { QuernError } from '../../../src/base/errors.ts';
import { positionAt, type Span } from '../../../src/base/source-text.ts';
import type { Expr } from '../../../src/sql/syntax/ast.ts';
import { GRAMMAR } from '../../../src/sql/syntax/parser/grammar.ts';
import { parseScript } from '../../../src/sql/syntax/parser/parse-script.ts';
import { Parser, parseExpression as parseIn } from '../../../src/sql/syntax/parser/parser.ts';
import { refuseDeepTree } from '../../../src/sql/syntax/tree-depth.ts';

export interface TreeNode {
  readonly kind: string;
  readonly span: Span;
}

/** The same tree without its spans. */
export function withoutSpans(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSpans);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'span');
  return Object.fromEntries(entries.map(([key, child]) => [key, withoutSpans(child)]));
}

/** Reads one expression and nothing else. */
export function parseExpression(text: string): Expr {
  const s = new Parser(text, GRAMMAR);
  const expression = parseIn(s);
  if (s.token.kind !== 'end') s.fail('the end of the expression');
  refuseDeepTree(expression);
  return expression;
}

export const expressionTree = (text: string): unknown => withoutSpans(parseExpression(text));
export const queryTree = (text: string): unknown => withoutSpans(parseScript(text).query);

/** Every node of a tree, parents first. */
export function nodesOf(value: unknown): TreeNode[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'kind' in value && 'span' in value ? [value as TreeNode] : []; // both fields are there
  return [...own, ...Object.values(value).flatMap(nodesOf)];
}

/** How reading `text` fails: `code line:column "the text pointed at" message (hint)`. */
export function failure(text: string, parse: (text: string) => unknown = parseScript): string {
  try {
    parse(text);
  } catch (error) {
    if (!(error instanceof QuernError) || error.details.span === undefined) throw error;
    const { span, hint } = error.details;
    const { line, column } = positionAt(text, span.start);
    const place = `${error.code} ${line}:${column} [${text.slice(span.start, span.end)}]`;
    return `${place} ${error.message}${hint === undefined ? '' : ` (${hint})`}`;
  }
  return 'no error';
}
