// A saved query named in FROM: its text is read and analyzed in place, apart from the names around it.
import { QuernError } from '../../../base/errors.ts';
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import { parseScript } from '../../syntax/parser/parse-script.ts';
import { analyzeQuery } from '../analyze.ts';
import type { AnalyzedQuery } from '../analyzed.ts';
import type { Context } from '../context.ts';
import { functionsByName } from '../statements/own-functions.ts';
import { analyzeStatements } from '../statements/statements.ts';
import { EMPTY_SCOPE } from './scope.ts';

export function expandSavedQuery(name: string, text: string, span: Span, context: Context): AnalyzedQuery {
  const chain = [...context.analysis.expanding, name];
  if (context.analysis.expanding.includes(name)) fail('unsupported', span, `saved query ${name} reads itself: ${chain.join(' → ')}`);
  try {
    const script = parseScript(text);
    const analysis = {
      ...context.analysis,
      expanding: chain,
      temporaryFunctions: functionsByName(script.functions),
    };
    const alone = { analysis, scope: EMPTY_SCOPE, ctes: new Map(), noAggregates: null, noWindows: null, windows: new Map() };
    return analyzeQuery(script.query, analyzeStatements(script, alone));
  } catch (error) {
    // Its spans point into another text: report it at the name that brought it in.
    if (error instanceof QuernError && error.details.source === undefined) {
      throw new QuernError(error.code, `in saved query ${name}: ${error.message}`, { ...error.details, span });
    }
    throw error;
  }
}
