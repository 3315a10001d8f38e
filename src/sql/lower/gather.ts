// A Gather: ClickHouse runs a subquery over a table of all shards on these, and what reads the subquery on the server that was asked.
import { isRecordType } from '../layouts/stored.ts';
import type { Gather } from '../logical/nodes.ts';
import type { Ident, NamedConstant, SqlExpression } from '../target/ast.ts';
import { eachNode } from '../target/helpers.ts';
import { rebuilt } from '../target/rewrite.ts';
import { type Block, type Shown, withShown, wrap } from './block.ts';
import { type Environment, type Lowering, lowerRel } from './lowering.ts';

/** Returns the rows of the shards. Of few rows, what a table stores travels, and is converted once: each shard has as many as are wanted of all. */
export function lowerGather({ input }: Gather, needed: ReadonlySet<number>, outer: Environment | null, l: Lowering): Block {
  const block = lowerRel(input, needed, outer, l);
  const isPlain = block.limit !== null && block.keys === null && block.distinct === null;
  const read = isPlain ? [...block.shown.values()].flatMap((shown) => (needed.has(shown.column.id) && converted(shown, block)) || []) : [];
  const stored = withShown(
    block,
    read.map(({ column, from }) => ({ column, value: from })),
  );
  const moved = new Set(read.flatMap(({ named }) => named));
  const { shown: _, named, ...rest } = stored;
  const inner = named.filter((one) => !moved.has(one));
  if (reads([rest, inner, [...stored.shown.values()]], moved)) return wrap(block, needed, l);
  const gathered = wrap({ ...stored, named: inner }, needed, l);
  const above = <T extends object>(tree: T): T =>
    rebuilt(tree, (node) => {
      const found = read.find(({ from }) => isSame(node, from));
      return found === undefined ? node : (gathered.shown.get(found.column.id)?.value ?? node);
    });
  return { ...withShown(gathered, above(read.map(({ column, value }) => ({ column, value })))), named: above([...moved]) };
}

/** Returns a record, or what else is cast, with the one stored column that it is made of, and with the names of its parts. */
function converted({ column, value }: Shown, { from, named }: Block): (Shown & { from: Ident; named: NamedConstant[] }) | undefined {
  if (from?.kind !== 'table' || !(isRecordType(column.type) || value.kind === 'cast')) return undefined;
  const parts: NamedConstant[] = [];
  for (const one of [...named].reverse()) if (reads([value, parts], new Set([one]))) parts.unshift(one);
  const stored: Ident[] = [];
  eachNode([value, parts], (node) => {
    const part = node as SqlExpression; // nodes of other kinds are none of the cases
    if (part.kind === 'ident' && part.parts[0] === from.alias && !stored.some((one) => isSame(one, part))) stored.push(part);
  });
  const [one, ...others] = stored;
  return one === undefined || others.length > 0 ? undefined : { column, value, from: one, named: parts };
}

function reads(tree: object, names: ReadonlySet<NamedConstant>): boolean {
  let found = false;
  eachNode(tree, (node) => {
    found ||= [...names].some(({ name }) => isSame(node, { parts: [name] }));
  });
  return found;
}

const isSame = (node: object, { parts }: Pick<Ident, 'parts'>): boolean =>
  'kind' in node && node.kind === 'ident' && (node as Ident).parts.join('\0') === parts.join('\0');
