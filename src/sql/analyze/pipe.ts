// Pipe syntax: each operator takes the rows so far and gives new ones.
import type * as ast from '../ast.ts';
import type { Context } from './context.ts';
import { fail } from './fail.ts';
import type { AnalyzedQuery } from './query.ts';

export function analyzePipes(input: AnalyzedQuery, query: ast.Query, _context: Context): AnalyzedQuery {
  const [pipe] = query.pipes;
  if (pipe === undefined) return input;
  return fail('unsupported', pipe.span, 'pipe syntax is not supported', 'write the query with SELECT, WHERE and GROUP BY');
}
