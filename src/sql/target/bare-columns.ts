// Leaves out the table in front of columns where a SELECT reads one table alone, and nothing else can be meant by the column's name.
import type { From, Ident, LambdaOf, Select, SelectItem, Statement } from './ast.ts';
import { isStatement } from './checks.ts';
import { eachNode } from './helpers.ts';
import { rebuilt, rewrite } from './rewrite.ts';

/** Returns `statement` with bare columns, and without the names of tables that nothing is called by. */
export function withBareColumns(statement: Statement): Statement {
  // What a WITH names is visible in all queries inside of it.
  const names = new Set<string>();
  eachNode(statement, (node) => {
    if (!isStatement(node)) return;
    for (const { name } of [...node.with, ...(node.kind === 'select' ? node.constants : [])]) names.add(name);
  });
  return rebuilt(statement, (node) => (isStatement(node) && node.kind === 'select' ? withBareOwn(node, names) : node));
}

function withBareOwn(select: Select, names: ReadonlySet<string>): Select {
  const table = select.from === null ? undefined : onlyTable(select.from);
  if (table === undefined) return select;
  const { alias } = table;
  const others = new Set([...names, ...namesOf(select, table)]);
  const bare = rewrite<Select>(select, (node) => {
    if (node !== select && isStatement(node)) return node;
    const ident = asIdent(node);
    const column = ident?.parts[0] === alias ? ident.parts[1] : undefined;
    return ident === undefined || column === undefined || others.has(column) ? undefined : withoutFirst(ident);
  });
  let isRead = false;
  eachNode(bare, (node) => {
    isRead ||= asIdent(node)?.parts[0] === alias;
  });
  return isRead ? bare : { ...bare, from: bare.from && withoutAlias(bare.from) };
}

type Table = Exclude<From, { readonly kind: 'join' | 'array_join' }>;

/** Returns the table that the rows come from; undefined if there are several. */
function onlyTable(from: From): Table | undefined {
  if (from.kind === 'array_join') return onlyTable(from.input);
  return from.kind === 'join' ? undefined : from;
}

/** The names that a SELECT gives to other things than columns of its table. */
function namesOf(select: Select, table: Table): ReadonlySet<string> {
  const found = new Set([table.alias, ...(table.kind === 'table' ? table.name : [])]);
  for (const item of select.items) if (!isColumn(item, table.alias)) found.add(item.alias);
  for (let from = select.from; from?.kind === 'array_join'; from = from.input) for (const array of from.arrays) found.add(array.alias);
  eachNode({ ...select, from: null }, (node) => {
    if ('kind' in node && node.kind === 'lambda') for (const parameter of (node as LambdaOf).parameters) found.add(parameter);
  });
  return found;
}

const asIdent = (node: object): Ident | undefined => ('kind' in node && node.kind === 'ident' ? (node as Ident) : undefined);

/** True if the item shows a column under its own name. */
const isColumn = ({ value, alias }: SelectItem, table: string): boolean =>
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
