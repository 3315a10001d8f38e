// The rules of the grammar that call each other.
import { continueExpression, parseArithmetic, parseExpression } from './parse-expression.ts';
import { parseTable } from './parse-from.ts';
import { continueQuery, parseQuery } from './parse-query.ts';
import type { Grammar } from './parser.ts';

export const GRAMMAR: Grammar = {
  expression: parseExpression,
  arithmetic: parseArithmetic,
  restOfExpression: continueExpression,
  query: parseQuery,
  restOfQuery: continueQuery,
  table: parseTable,
};
