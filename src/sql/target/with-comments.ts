// Puts the comments of a query into the SQL that it becomes: above the clauses and columns that they are about.
import type { Clause, From, Select, Statement } from './ast.ts';
import { rewrite, rewriteParts } from './rewrite.ts';

export interface CommentPlace {
  /** The query's name in lower case: that of its WITH table, or its alias in FROM; '' for the text's own. */
  readonly query: string;
  /** Which input of a set operation, counted from 0. */
  readonly input: number;
  readonly about: Clause | { readonly column: string };
}

export interface PlacedComment extends CommentPlace {
  /** Without the marks of a comment. */
  readonly lines: readonly string[];
}

export interface CommentPlaces {
  /** In the order of the text. */
  readonly comments: readonly PlacedComment[];
  /** For each query with a name, the one that it stands in. */
  readonly within: ReadonlyMap<string, string>;
}

/** The comments of one statement while they are gathered. */
interface Gathered {
  readonly clauses: { -readonly [K in Clause]?: readonly string[] };
  readonly columns: Map<string, string[]>;
}

/**
 * Returns the statement with the comments; none is lost. Where the optimizer has made one query of two, comments of the inner one stand above the same clause of the
 * outer one, or above its FROM. Those of a clause or a column that is gone stand above the whole query.
 */
export function withComments(statement: Statement, { comments, within }: CommentPlaces): Statement {
  if (comments.length === 0) return statement;
  const queries = new Map<string, Statement>([['', statement]]);
  findQueries(statement, within, queries);
  const gathered = new Map<object, Gathered>();
  for (const comment of comments) {
    const own = queries.get(comment.query);
    if (own !== undefined) place(comment, layersOf(own, comment.input, within), gathered);
    else place(ofMerged(comment), layersOf(outerOf(comment.query, queries, within) ?? statement, 0, within), gathered);
  }
  return rewrite(statement, function change(node): object | undefined {
    const own = gathered.get(node);
    if (own === undefined) return undefined;
    const whole = rewriteParts(node as Statement, change);
    if (whole.kind === 'set') return { ...whole, comments: own.clauses };
    const items = whole.items.map((item) => {
      const lines = own.columns.get(item.alias.toLowerCase());
      return lines === undefined ? item : { ...item, comments: lines };
    });
    return { ...whole, items, comments: own.clauses };
  });
}

function ofMerged(comment: PlacedComment): PlacedComment {
  const { about } = comment;
  return typeof about === 'string' && about !== 'head' && about !== 'select' ? comment : { ...comment, about: 'from' };
}

function outerOf(query: string, queries: ReadonlyMap<string, Statement>, within: CommentPlaces['within']): Statement | undefined {
  let name = query;
  while (!queries.has(name)) name = within.get(name) ?? '';
  return queries.get(name);
}

/** Notes the statements of the queries that have a name in the text. */
function findQueries(statement: Statement, names: ReadonlyMap<string, string>, found: Map<string, Statement>): void {
  const note = (name: string, inner: Statement): void => {
    const key = name.toLowerCase();
    if (names.has(key) && !found.has(key)) found.set(key, inner);
    findQueries(inner, names, found);
  };
  const inFrom = (from: From): void => {
    if (from.kind === 'select') note(from.alias, from.statement);
    if (from.kind === 'array_join') inFrom(from.input);
    if (from.kind !== 'join') return;
    inFrom(from.left);
    inFrom(from.right);
  };
  for (const cte of statement.with) note(cte.name, cte.statement);
  if (statement.kind === 'set') for (const input of statement.inputs) findQueries(input, names, found);
  else if (statement.from !== null) inFrom(statement.from);
}

/** Returns the statements that one query of the text became, from the outermost in. */
function layersOf(outermost: Statement, input: number, names: ReadonlyMap<string, string>): readonly Statement[] {
  const layers: Statement[] = [];
  for (let layer: Statement | undefined = outermost; layer !== undefined; ) {
    layers.push(layer);
    if (layer.kind === 'set') layer = layer.inputs[input] ?? layer.inputs[0];
    else layer = layer.from?.kind === 'select' && !names.has(layer.from.alias.toLowerCase()) ? layer.from.statement : undefined;
  }
  return layers;
}

function place({ about, lines }: PlacedComment, layers: readonly Statement[], gathered: Map<object, Gathered>): void {
  const selects = layers.filter((layer): layer is Select => layer.kind === 'select');
  const of = (layer: Statement): Gathered => {
    const known = gathered.get(layer) ?? { clauses: {}, columns: new Map() };
    gathered.set(layer, known);
    return known;
  };
  const add = (layer: Statement, clause: Clause): void => {
    const { clauses } = of(layer);
    clauses[clause] = [...(clauses[clause] ?? []), ...lines];
  };
  if (typeof about !== 'string') {
    const { column } = about;
    const select = selects.find(({ items }) => items.some(({ alias }) => alias.toLowerCase() === column));
    if (select !== undefined) {
      const { columns } = of(select);
      columns.set(column, [...(columns.get(column) ?? []), ...lines]);
      return;
    }
  }
  const clause = typeof about === 'string' ? about : 'head';
  const select = clause === 'head' ? undefined : selects.find((layer) => hasClause(layer, clause));
  add(select ?? (layers[0] as Statement), select === undefined ? 'head' : clause); // a query has at least one statement
}

function hasClause(select: Select, clause: Exclude<Clause, 'head'>): boolean {
  if (clause === 'select') return true;
  const part = select[clause];
  return Array.isArray(part) ? part.length > 0 : part !== null || (clause === 'groupBy' && select.groupingSets !== null);
}
