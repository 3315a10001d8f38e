// Grouped SELECTs, also with windows over the groups, and grouping sets.
import { INT64, type Type, typeName } from '../../../src/sql/base/types.ts';
import { literal } from '../literal.ts';
import { atom, EMPTY, type Expression, leaf, listOf, type Node, optional, textOf } from '../tree.ts';
import type { Aggregates } from './aggregates.ts';
import type { Making, Relation } from './names.ts';
import type { Scalars } from './scalar.ts';
import { anyValue } from './values.ts';

export interface Grouping {
  grouped(types: readonly Type[], of: Relation, where: Node): Node;
  groupingSets(types: readonly Type[], of: Relation, where: Node): Node;
}

export function groupings({ random }: Making, scalar: Scalars, { aggregate }: Aggregates): Grouping {
  /** What rows are grouped by: columns, what is computed of them, and constants. */
  function keyOf(type: Type, of: Relation): Expression | undefined {
    const fitting = of.columns.filter((c) => c.type.kind === type.kind);
    if (fitting.length === 0 || !random.chance(0.45)) return undefined;
    return random.weighted<() => Expression>([
      [() => random.pick(fitting), 5],
      [() => scalar.value(type, { columns: of.columns, depth: 1 }), 1],
      [
        () => atom(type, 'IF(FALSE, ', random.pick(fitting), ', ', literal(type, anyValue(random, type, { mild: true, nulls: 0 })), ')'),
        0.3,
      ],
      [() => atom(type, 'COALESCE(', random.pick(fitting), ', ', literal(type, anyValue(random, type, { mild: true, nulls: 0 })), ')'), 1],
    ])();
  }

  function grouped(types: readonly Type[], of: Relation, where: Node): Node {
    const inside = { columns: of.columns, depth: 1 };
    const keys: { readonly at: number; readonly value: Expression }[] = [];
    const found = types.map((type, at) => {
      const value = keyOf(type, of);
      if (value !== undefined) keys.push({ at, value });
      return value;
    });
    let computed = false;
    const items = types.map((type, at): Node => {
      const key = found[at];
      if (key !== undefined) return { parts: [key, ` AS c${at}`] };
      const one = aggregate(type, inside, of.key);
      const form = type.kind === 'ARRAY' ? 1 : random.below(16);
      // A window over the groups, or what is computed of keys and aggregates.
      if (form === 0)
        return { parts: [`${random.pick(['MIN', 'MAX'])}(`, one, `) OVER (${random.pick(['', 'ORDER BY COUNT(*)'])}) AS c${at}`] };
      if (form === 2) {
        computed = true;
        const seen = [...keys.map((k) => k.value), one, aggregate(random.pick(types), inside, of.key)];
        return { parts: [scalar.value(type, { columns: seen, depth: 2, calls: true }), ` AS c${at}`] };
      }
      return { parts: [one, ` AS c${at}`] };
    });
    const names = keys.map(({ at }) => `c${at}`).join(', ');
    const numbers = keys.map(({ at }) => String(at + 1)).join(', ');
    const by = keys.length === 0 ? EMPTY : leaf(` GROUP BY ${random.chance(0.25) ? numbers : names}`);
    const having = random.chance(0.25)
      ? random.chance(0.6)
        ? optional(' HAVING ', aggregate(INT64, inside, of.key), random.pick([' > 1', ' IS NOT NULL', ' < 5']))
        : optional(
            ' HAVING ',
            scalar.condition({ columns: [...keys.map((k) => k.value), aggregate(INT64, inside, of.key)], depth: 1, calls: true }),
          )
      : EMPTY;
    const standard: readonly (string | Node)[] = ['SELECT ', listOf(items), ' FROM ', of.node, where, by, having];
    const calls = items.filter((_, at) => keys.every((k) => k.at !== at));
    const windows = items.some((item) => textOf(item).includes(' OVER ('));
    if (having !== EMPTY || windows || computed || calls.length === 0 || !random.chance(0.15)) return { parts: standard };
    // As a pipe, which the reference does not know.
    const all = types.map((_, at) => `c${at}`).join(', ');
    const keyItems = keys.flatMap(({ at }, i) => [i === 0 ? ' GROUP BY ' : ', ', items[at] ?? EMPTY]);
    const called = calls.flatMap((item, i) => (i === 0 ? [item] : [', ', item]));
    const piped = [
      'FROM ',
      of.node,
      textOf(where) === '' ? '' : ' |>',
      where,
      ' |> AGGREGATE ',
      ...called,
      ...keyItems,
      ` |> SELECT ${all}`,
    ];
    return {
      parts: piped,
      reference: ['SELECT ', ...items.flatMap((item, at) => (at === 0 ? [item] : [', ', item])), ' FROM ', of.node, where, by],
    };
  }

  /** The reference has no grouping sets: for it they are written out as a UNION ALL. */
  function groupingSets(types: readonly Type[], of: Relation, where: Node): Node {
    const taken = new Set<string>();
    const keys = types.slice(0, 2).flatMap((type, at) => {
      // No expression, which might be a constant, and so a position; and a key that is said twice is one key.
      const fitting = of.columns
        .filter((c) => c.type.kind === type.kind)
        .map((c) => textOf(c))
        // What USING merges is the column of a side under another name.
        .filter((c) => !taken.has(c) && !/^[a-z]+$/.test(c));
      if (fitting.length === 0) return [];
      const name = random.pick(fitting);
      taken.add(name);
      return [{ at, type, node: leaf(name) }];
    });
    const [first, second] = keys;
    if (first === undefined) return grouped(types, of, where);
    const items = types.map(
      (type, at) => keys.find((k) => k.at === at)?.node ?? aggregate(type, { columns: of.columns, depth: 1 }, of.key),
    );
    const all = keys.map((k) => k.at);
    const [a, z] = [first.at, second?.at ?? first.at];
    const forms: readonly (readonly [string, readonly (readonly number[])[]])[] =
      second === undefined
        ? [
            ['ROLLUP($a)', [[a], []]],
            ['CUBE($a)', [[a], []]],
            ['GROUPING SETS(($a), ())', [[a], []]],
            ['GROUPING SETS($a)', [[a]]],
          ]
        : [
            ['ROLLUP($a, $z)', [[a, z], [a], []]],
            ['CUBE($a, $z)', [[a, z], [a], [z], []]],
            ['GROUPING SETS(($a, $z), ())', [[a, z], []]],
            ['GROUPING SETS($a, $z)', [[a], [z]]],
            ['GROUPING SETS(($a), ($z, $a), $a)', [[a], [a, z], [a]]],
            ['GROUPING SETS(ROLLUP($a), $z)', [[a], [], [z]]],
          ];
    const [form, sets] = random.pick(forms);
    const by = form
      .split(/(\$[az])/)
      .map((part) => (part === '$a' ? first.node : part === '$z' && second !== undefined ? second.node : part));
    // What is said of a key that is rolled up.
    const filler = new Map(
      keys.filter(() => random.chance(0.2)).map(({ at, type }) => [at, literal(type, anyValue(random, type, { mild: true, nulls: 0 }))]),
    );
    const shown = (at: number, key: Node | string): readonly (Node | string)[] =>
      filler.has(at) ? ['IFNULL(', key, `, ${filler.get(at)})`] : [key];
    const having = random.chance(0.2) ? optional(` HAVING COUNT(*) ${random.pick(['> 1', '< 3', '>= 0'])}`) : EMPTY;
    // An aggregate, so that over all rows there is one row.
    const absent = (type: Type, { length }: readonly number[]): string => `${length === 0 ? 'MAX' : ''}(CAST(NULL AS ${typeName(type)}))`;
    // Whether a key is rolled up, in the place of an aggregate.
    const told = types.findIndex((type, at) => type.kind === 'INT64' && !all.includes(at));
    const flag = told >= 0 && random.chance(0.3) ? told : -1;
    const written = items.flatMap((item, at) => [
      at === 0 ? '' : ', ',
      ...(at === flag ? [`GROUPING(${textOf(first.node)})`] : all.includes(at) ? shown(at, item) : [item]),
      ` AS c${at}`,
    ]);
    const rolledUp = (set: readonly number[]): string => (set.length === 0 ? 'IFNULL(MAX(1), 1)' : `(${set.includes(first.at) ? 0 : 1})`);
    const one = (set: readonly number[]): readonly (string | Node)[] => [
      'SELECT ',
      ...items.flatMap((item, at) => [
        at === 0 ? '' : ', ',
        ...(at === flag
          ? [rolledUp(set)]
          : all.includes(at)
            ? shown(at, set.includes(at) ? item : absent(types[at] ?? INT64, set))
            : [item]),
        ` AS c${at}`,
      ]),
      ' FROM ',
      of.node,
      where,
      set.length === 0 ? '' : ` GROUP BY ${keys.flatMap((k) => (set.includes(k.at) ? [textOf(k.node)] : [])).join(', ')}`,
      having,
    ];
    return {
      parts: ['SELECT ', ...written, ' FROM ', of.node, where, ' GROUP BY ', ...by, having],
      reference: sets.flatMap((set, i) => [i === 0 ? '(' : ' UNION ALL (', ...one(set), ')']),
    };
  }

  return { grouped, groupingSets };
}
