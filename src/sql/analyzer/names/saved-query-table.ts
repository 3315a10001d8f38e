// A saved query named or called in FROM: its text is read and analyzed in place, apart from the names around it.
import { QuernError } from '../../../base/errors.ts';
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import { parseScript } from '../../syntax/parser/parse-script.ts';
import { analyzeQuery } from '../analyze.ts';
import type { AnalyzedQuery } from '../analyzed.ts';
import { type Analysis, apart, type Context } from '../context.ts';
import { functionsByName } from '../statements/own-functions.ts';
import { analyzeStatements } from '../statements/statements.ts';

interface SavedTable {
  /** As FROM has it. */
  readonly name: string;
  readonly text: string;
  readonly span: Span;
  /** The arguments of a call. */
  readonly given?: Analysis['given'];
}

export function expandSavedQuery({ name, text, span, given }: SavedTable, context: Context): AnalyzedQuery {
  const chain = [...context.analysis.expanding, name];
  if (context.analysis.expanding.includes(name)) fail('unsupported', span, `saved query ${name} reads itself: ${chain.join(' → ')}`);
  try {
    const script = parseScript(text);
    const analysis = {
      ...context.analysis,
      options: withInner(context.analysis.options),
      expanding: chain,
      onExpr: undefined,
      temporaryFunctions: functionsByName(script.functions),
      ...(given === undefined ? {} : { given }),
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

/** Returns the options for a text that was not written by who wrote the query: names that the query's own request gives a meaning have none there. */
export const withInner = ({ inner, ...options }: Analysis['options']): Analysis['options'] => ({ ...options, ...inner });
