// The state of the parser: the cursor in the tokens, and the rules of the grammar that call each other. A rule reaches those around it through
// these, so that its file imports only those below it.
import type { Expr, Query, TableExpr } from '../ast.ts';
import { TokenStream } from '../lexer/token-stream.ts';

export interface Grammar {
  readonly expression: (s: Parser) => Expr;
  /** Reads an expression without AND, OR, NOT and comparisons, for places where these words mean something else. */
  readonly arithmetic: (s: Parser) => Expr;
  /** Reads the rest of an expression whose first operand, begun at `start`, is already read. */
  readonly restOfExpression: (s: Parser, start: number, first: Expr) => Expr;
  readonly query: (s: Parser) => Query;
  /** Reads the rest of a query that begins at `start` with `first`, a query in parentheses. */
  readonly restOfQuery: (s: Parser, start: number, first: Query) => Query;
  /** Reads one table, without the joins behind it. */
  readonly table: (s: Parser) => TableExpr;
}

export class Parser extends TokenStream {
  readonly grammar: Grammar;

  constructor(text: string, grammar: Grammar) {
    super(text);
    this.grammar = grammar;
  }
}

export const parseExpression: Grammar['expression'] = (s) => s.grammar.expression(s);
export const parseArithmetic: Grammar['arithmetic'] = (s) => s.grammar.arithmetic(s);
export const continueExpression: Grammar['restOfExpression'] = (s, start, first) => s.grammar.restOfExpression(s, start, first);
export const parseQuery: Grammar['query'] = (s) => s.grammar.query(s);
export const continueQuery: Grammar['restOfQuery'] = (s, start, first) => s.grammar.restOfQuery(s, start, first);
export const parseTable: Grammar['table'] = (s) => s.grammar.table(s);
