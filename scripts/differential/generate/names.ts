// What a query is made of while it is made: its random choices, names, parameters, and what FROM shows.
import type { Random } from '../../../src/cli/demo/random.ts';
import { BOOL, DATE, FLOAT64, INT64, NUMERIC, STRING, TIMESTAMP, type Type } from '../../../src/sql/base/types.ts';
import type { Argument } from '../outcome.ts';
import type { Expression, Node } from '../tree.ts';

/** What a FROM shows. */
export interface Relation {
  readonly node: Node;
  readonly columns: readonly Expression[];
  /** Texts of columns that no two rows have equal; undefined where there are none. They are no nodes: without them a query has many answers. */
  readonly key: readonly string[] | undefined;
  /** It has joins itself, and stands first in a FROM. */
  readonly first?: true;
}

/** A WITH table: its columns are c0, c1, … of these types. */
export interface WithTable {
  readonly name: string;
  readonly types: readonly Type[];
}

export interface Making {
  readonly random: Random;
  /** A name that the query does not have yet. */
  name(): string;
  readonly tables: readonly (() => Relation)[];
  readonly withTables: readonly WithTable[];
  readonly args: readonly Argument[];
}

/** Types of columns in queries: they are compared, grouped and sorted. */
export const PLAIN: readonly Type[] = [INT64, INT64, INT64, STRING, STRING, BOOL, FLOAT64, DATE, TIMESTAMP, NUMERIC];

export const ofType = (columns: readonly Expression[], type: Type): readonly Expression[] =>
  columns.filter((c) => c.type.kind === type.kind);
export const ofArray = (columns: readonly Expression[], element: Type['kind']): readonly Expression[] =>
  columns.filter((c) => c.type.kind === 'ARRAY' && c.type.element.kind === element);
