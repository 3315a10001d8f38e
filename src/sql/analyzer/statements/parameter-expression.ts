// A parameter that has no value of its own: it stands for an expression of others.
import type { Span } from '../../../base/source-text.ts';
import type { Expr } from '../../logical/nodes.ts';
import { rewriteExpr } from '../../logical/walk.ts';
import { parseScript } from '../../syntax/parser/parse-script.ts';
import { analyzeExpr } from '../analyze.ts';
import type { Context } from '../context.ts';
import { EMPTY_SCOPE } from '../names/scope.ts';

/** Analyzes `text`, GoogleSQL of quern's own over parameters; every part of it has the place of the parameter. */
export function expressionOfParameter(text: string, span: Span, context: Context): Expr {
  const { body } = parseScript(`SELECT ${text}`).query;
  const item = body.kind === 'select' ? body.items[0] : undefined;
  if (item?.kind !== 'expr_item') throw new RangeError(`${text} is not an expression`);
  return rewriteExpr(analyzeExpr(item.value, { ...context, scope: EMPTY_SCOPE, ctes: new Map() }), (e) => ({ ...e, span }));
}
