// A pass is a function from query to query.
import type { Column, ResolvedQuery } from '../logical/resolved.ts';
import type { Type } from '../types.ts';

export interface PassContext {
  newColumn(name: string, type: Type): Column;
}
export type Pass = (query: ResolvedQuery, context: PassContext) => ResolvedQuery;
