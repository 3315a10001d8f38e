// Grouped SELECTs, also with windows over the groups, and grouping sets.
import { INT64, type Type, typeName } from '../../../src/sql/types.ts';
import { EMPTY, type Expression, leaf, listOf, type Node, optional, textOf } from '../tree.ts';
import type { Aggregates } from './aggregates.ts';
import type { Making, Relation } from './names.ts';

export interface Grouping {
  grouped(types: readonly Type[], of: Relation, where: Node): Node;
  groupingSets(types: readonly Type[], of: Relation, where: Node): Node;
}

export function groupings({ random }: Making, { aggregate }: Aggregates): Grouping {
  function grouped(types: readonly Type[], of: Relation, where: Node): Node {
    const inside = { columns: of.columns, depth: 1 };
    const keys: { readonly at: number; readonly value: Expression }[] = [];
    const items = types.map((type, at): Node => {
      const fitting = of.columns.filter((c) => c.type.kind === type.kind);
      if (fitting.length > 0 && random.chance(0.4)) {
        const value = random.pick(fitting);
        keys.push({ at, value });
        return { parts: [value, ` AS c${at}`] };
      }
      const one = aggregate(type, inside, of.key);
      // A window over the groups.
      const call =
        random.chance(0.12) && type.kind !== 'ARRAY'
          ? { parts: [`${random.pick(['MIN', 'MAX'])}(`, one, `) OVER (${random.pick(['', 'ORDER BY COUNT(*)'])})`] }
          : one;
      return { parts: [call, ` AS c${at}`] };
    });
    const by = keys.length === 0 ? EMPTY : leaf(` GROUP BY ${keys.map(({ at }) => `c${at}`).join(', ')}`);
    const having = random.chance(0.25)
      ? optional(' HAVING ', aggregate(INT64, inside, of.key), random.pick([' > 1', ' IS NOT NULL', ' < 5']))
      : EMPTY;
    const standard: readonly (string | Node)[] = ['SELECT ', listOf(items), ' FROM ', of.node, where, by, having];
    const calls = items.filter((_, at) => keys.every((k) => k.at !== at));
    const windows = items.some((item) => textOf(item).includes(' OVER ('));
    if (having !== EMPTY || windows || calls.length === 0 || !random.chance(0.15)) return { parts: standard };
    // As a pipe, which the reference does not know.
    const names = types.map((_, at) => `c${at}`).join(', ');
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
      ` |> SELECT ${names}`,
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
    const [word, sets]: readonly [string, readonly (readonly number[])[]] = random.pick([
      ['ROLLUP', second === undefined ? [[first.at], []] : [[first.at, second.at], [first.at], []]],
      ['CUBE', second === undefined ? [[first.at], []] : [[first.at, second.at], [first.at], [second.at], []]],
      ['GROUPING SETS', [all, []]],
    ]);
    const keyList = keys.flatMap((k, i) => (i === 0 ? [k.node] : [', ', k.node]));
    const by = word === 'GROUPING SETS' ? [' GROUP BY GROUPING SETS((', ...keyList, '), ())'] : [` GROUP BY ${word}(`, ...keyList, ')'];
    // An aggregate, so that over all rows there is one row.
    const absent = (type: Type, { length }: readonly number[]): string => `${length === 0 ? 'MAX' : ''}(CAST(NULL AS ${typeName(type)}))`;
    // Whether a key is rolled up, in the place of an aggregate.
    const told = types.findIndex((type, at) => type.kind === 'INT64' && !all.includes(at));
    const flag = told >= 0 && random.chance(0.3) ? told : -1;
    const written = items.flatMap((item, at) => [
      at === 0 ? '' : ', ',
      at === flag ? `GROUPING(${textOf(first.node)})` : item,
      ` AS c${at}`,
    ]);
    const one = (set: readonly number[]): readonly (string | Node)[] => [
      'SELECT ',
      ...items.flatMap((item, at) => [
        at === 0 ? '' : ', ',
        at === flag
          ? // An aggregate, so that over all rows there is one row.
            set.length === 0
            ? 'IFNULL(MAX(1), 1)'
            : `(${set.includes(first.at) ? 0 : 1})`
          : all.includes(at) && !set.includes(at)
            ? absent(types[at] ?? INT64, set)
            : item,
        ` AS c${at}`,
      ]),
      ' FROM ',
      of.node,
      where,
      set.length === 0 ? '' : ` GROUP BY ${set.map((at) => `c${at}`).join(', ')}`,
    ];
    return {
      parts: ['SELECT ', ...written, ' FROM ', of.node, where, ...by],
      reference: sets.flatMap((set, i) => [i === 0 ? '(' : ' UNION ALL (', ...one(set), ')']),
    };
  }

  return { grouped, groupingSets };
}
