// A saved query named in FROM: its text is read and analyzed in place, apart from the names around it.
import { QuernError } from '../../../base/errors.ts';
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import { parseScript } from '../../syntax/parser/parse-script.ts';
import { analyzeQuery } from '../analyze.ts';
import type { AnalyzedQuery } from '../analyzed.ts';
import { apart, type Context } from '../context.ts';
import { functionsByName } from '../statements/own-functions.ts';
import { analyzeStatements } from '../statements/statements.ts';

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
    return analyzeQuery(script.query, analyzeStatements(script, apart(analysis)));
  } catch (error) {
    // Its spans point into another text: the error is shown at the name of the saved query.
    if (error instanceof QuernError && error.details.source === undefined) {
      throw new QuernError(error.code, `in saved query ${name}: ${error.message}`, { ...error.details, span });
    }
    throw error;
  }
}
