// The syntax tree of a BigQuery query, as the parser reads it: plain readonly objects, one discriminated union, every node with its span.
export type * from './ast-expression.ts';
export type * from './ast-query.ts';
