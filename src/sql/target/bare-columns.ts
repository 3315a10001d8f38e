// Leaves out the table in front of columns where a SELECT reads one table alone, and nothing else can be meant by the column's name.
import type { From, Ident, LambdaOf, Select, SelectItem, Statement } from './ast.ts';
import { raw } from './build.ts';
import { asFunc, isStatement } from './checks.ts';
import { eachNode } from './helpers.ts';
import { isShape, rebuilt } from './rewrite.ts';

/** Returns `statement` with calls of tupleElement: parsers of other projects have no `row.1`. */
export const withElementCalls = (statement: Statement): Statement =>
  rebuilt(statement, (node) => {
    const func = asFunc(node);
    const [of, at] = func?.name === 'tupleElement' ? func.args : [];
    return func !== undefined && of !== undefined && at?.kind === 'lit' ? { ...func, args: [of, raw(String(at.value))] } : node;
  });

/** Returns `statement` with bare columns, and without the names of tables that nothing is called by. */
export function withBareColumns(statement: Statement): Statement {
  // What a WITH names is visible in all queries inside of it.
  const names = new Set<string>();
  eachNode(statement, (node) => {
    if (!isStatement(node)) return;
    for (const { name } of [...node.with, ...(node.kind === 'select' ? node.constants : [])]) names.add(name);
  });
  return bareStatement(statement, names);
}

function bareStatement(statement: Statement, names: ReadonlySet<string>): Statement {
  const changed = (own: (ident: Ident) => Ident): Statement =>
    rebuilt<Statement>(
      statement,
      (node) => {
        const ident = asIdent(node);
        return ident === undefined ? node : own(ident);
      },
      (node) => (node !== statement && isStatement(node) ? bareStatement(node, names) : undefined),
    );
  const table = statement.kind === 'select' && statement.from !== null ? onlyTable(statement.from) : undefined;
  if (statement.kind === 'set' || table === undefined) return changed((ident) => ident);
  const { alias } = table;
  const { idents, inner, parameters } = namesIn({ ...statement, from: joinedArrays(statement.from) });
  const others = new Set([...names, ...otherNames(statement, table), ...parameters]);
  const isOther = ({ parts: [first, column] }: Ident): boolean => first === alias && (column === undefined || others.has(column));
  const bare = changed((ident) => (ident.parts[0] === alias && !isOther(ident) ? withoutFirst(ident) : ident));
  const isRead = idents.some(isOther) || inner.some(({ parts }) => parts[0] === alias);
  return isRead || bare.kind === 'set' ? bare : { ...bare, from: bare.from && withoutAlias(bare.from) };
}

interface Names {
  readonly idents: readonly Ident[];
  /** Those in queries inside of expressions, which may read columns from here. */
  readonly inner: readonly Ident[];
  readonly parameters: readonly string[];
}

function namesIn(tree: object): Names {
  const found = { idents: [] as Ident[], inner: [] as Ident[], parameters: [] as string[] };
  const visit = (from: Iterable<object>, idents: Ident[]): ReadonlySet<object> => {
    const [seen, inside] = [new Set<object>(from), new Set<object>()];
    for (const node of seen) {
      if (asIdent(node) !== undefined) idents.push(node as Ident);
      if ('kind' in node && node.kind === 'lambda') found.parameters.push(...(node as LambdaOf).parameters);
      for (const part of Object.values(node)) if (isShape(part)) (idents === found.idents && isStatement(part) ? inside : seen).add(part);
    }
    return inside;
  };
  visit(visit([tree], found.idents), found.inner);
  return found;
}

type Table = Exclude<From, { readonly kind: 'join' | 'array_join' }>;

/** Returns the table that the rows come from; undefined if there are several. */
function onlyTable(from: From): Table | undefined {
  if (from.kind === 'array_join') return onlyTable(from.input);
  return from.kind === 'join' ? undefined : from;
}

/** The names that a SELECT gives to other things than columns of its table. */
function otherNames(select: Select, table: Table): readonly string[] {
  const items = select.items.filter((item) => !isColumn(item, table.alias));
  return [
    table.alias,
    ...(table.kind === 'table' ? table.name : []),
    ...[...items, ...joinedArrays(select.from)].map(({ alias }) => alias),
  ];
}

function joinedArrays(from: From | null): readonly SelectItem[] {
  return from?.kind === 'array_join' ? [...from.arrays, ...joinedArrays(from.input)] : [];
}

/** Returns the node if it is a name. */
export const asIdent = (node: object): Ident | undefined => ('kind' in node && node.kind === 'ident' ? (node as Ident) : undefined); // the kind determines the type

/** True if the item shows a column of the table under its own name. */
export const isColumn = ({ value, alias }: SelectItem, table: string): boolean =>
  value.kind === 'ident' && value.parts.length === 2 && value.parts[0] === table && value.parts[1] === alias;

const withoutFirst = ({ subobjectAt, ...ident }: Ident): Ident => ({
  ...ident,
  parts: ident.parts.slice(1),
  ...(subobjectAt === undefined ? {} : { subobjectAt: subobjectAt - 1 }),
});

function withoutAlias(from: From): From {
  if (from.kind === 'array_join') return { ...from, input: withoutAlias(from.input) };
  return from.kind === 'join' ? from : { ...from, alias: '' };
}
