// Random whole queries whose rows hang on the data alone.
import type { Random } from '../../../src/cli/demo/random.ts';
import { arrayOf, INT64, STRING, type Type, typeName } from '../../../src/sql/types.ts';
import { literal } from '../literal.ts';
import type { Argument } from '../outcome.ts';
import { atom, EMPTY, type Expression, leaf, listOf, type Node, optional, textOf } from '../tree.ts';
import { aggregates } from './aggregates.ts';
import { otherForm } from './more-forms.ts';
import { type Making, ofArray, PLAIN, type Relation, type WithTable } from './names.ts';
import { scalars } from './scalar.ts';
import { anyValue } from './values.ts';

export interface Generated {
  readonly query: Node;
  readonly ordered: boolean;
  /** The same rows in any order, where the order is fixed. */
  readonly unordered?: Node;
}

/** Makes a relation out of a table under a name of its own. */
export type Readable = (alias: string, random: Random) => Relation;

interface Place {
  readonly depth: number;
  readonly withTables: readonly WithTable[];
}

export function generateQuery(random: Random, readables: readonly Readable[], args: readonly Argument[]): Generated {
  if (random.chance(0.06)) return { query: otherForm(random), ordered: false };
  let names = 0;
  const name = (): string => `q${++names}`;
  const withTables: WithTable[] = [];
  const making: Making = { random, name, args, withTables, tables: readables.map((readable) => () => readable(name(), random)) };
  const table = (): Relation => random.pick(making.tables)();
  const scalar = scalars(making, table);
  const { aggregate, windowCall } = aggregates(making, scalar);
  const someTypes = (most: number): readonly Type[] => Array.from({ length: 1 + random.below(most) }, () => random.pick(PLAIN));
  const columnsOf = (alias: string, types: readonly Type[]): readonly Expression[] =>
    types.map((type, at) => atom(type, `${alias}.c${at}`));

  function relation(place: Place): Relation {
    const { depth } = place;
    if (place.withTables.length > 0 && random.chance(0.6)) {
      const { name: of, types } = random.pick(place.withTables);
      const alias = name();
      return { node: leaf(`${of} AS ${alias}`), columns: columnsOf(alias, types), key: undefined };
    }
    if (depth > 0 && random.chance(0.25)) {
      const types = someTypes(3);
      const alias = name();
      return {
        node: { parts: ['(', select(types, { ...place, depth: depth - 1 }), `) AS ${alias}`] },
        columns: columnsOf(alias, types),
        key: undefined,
      };
    }
    if (random.chance(0.1)) {
      const [e, o] = [name(), name()];
      const type = random.pick([INT64, STRING]);
      const array = literal(arrayOf(type), anyValue(random, arrayOf(type), { mild: true, nulls: 0 }));
      return { node: leaf(`UNNEST(${array}) AS ${e} WITH OFFSET AS ${o}`), columns: [atom(type, e), atom(INT64, o)], key: [o] };
    }
    return table();
  }

  function from(place: Place): Relation {
    let whole = relation(place);
    const joins = random.weighted([
      [0, 5],
      [1, 5],
      [2, 2],
    ]);
    for (let i = 0; i < joins; i++) whole = joined(whole, place);
    return whole;
  }

  function joined(left: Relation, place: Place): Relation {
    const arrays = ofArray(left.columns, 'INT64').concat(ofArray(left.columns, 'STRING'));
    if (arrays.length > 0 && random.chance(0.25)) {
      const array = random.pick(arrays);
      const [e, o] = [name(), name()];
      const element = array.type.kind === 'ARRAY' ? array.type.element : INT64;
      const outer = random.chance(0.5);
      const join: Node = optional(
        outer ? ' LEFT JOIN UNNEST(' : ' CROSS JOIN UNNEST(',
        array,
        `) AS ${e} WITH OFFSET AS ${o}`,
        outer ? (random.chance(0.1) ? ` ON ${o} < 2` : ' ON TRUE') : '',
      );
      return {
        node: { parts: [left.node, join] },
        columns: [...left.columns, atom(element, e), atom(INT64, o)],
        key: left.key && [...left.key, o],
      };
    }
    let right = relation({ ...place, depth: Math.min(place.depth, 1) });
    while (right.first === true) right = table();
    const kind = random.pick([' JOIN ', ' LEFT JOIN ', ' LEFT JOIN ', ' RIGHT JOIN ', ' FULL JOIN ', ' CROSS JOIN ']);
    const on = kind === ' CROSS JOIN ' ? [] : [' ON ', scalar.joining(left.columns, right.columns)];
    return {
      node: { parts: [left.node, optional(kind, right.node, ...on)] },
      columns: [...left.columns, ...right.columns],
      // Of outer joins the key has NULLs, and stays one.
      key: left.key && right.key && [...left.key, ...right.key],
    };
  }

  /** A SELECT, or several, with the columns c0, c1, … of the types. */
  function select(types: readonly Type[], place: Place): Node {
    const { depth } = place;
    if (depth > 0 && random.chance(0.15)) {
      const deeper = { ...place, depth: depth - 1 };
      const op = random.pick([' UNION ALL ', ' UNION ALL ', ' UNION DISTINCT ', ' INTERSECT DISTINCT ', ' EXCEPT DISTINCT ']);
      const [a, b] = [select(types, deeper), select(types, deeper)];
      return { parts: ['(', a, ')', op, '(', b, ')'], instead: [a, b] };
    }
    const of = from(place);
    const seen = { columns: of.columns, depth: 2 };
    const where = random.chance(0.5) ? optional(' WHERE ', scalar.condition(seen)) : EMPTY;
    const form = random.weighted([
      ['plain', 5],
      ['grouped', 4],
      ['window', 3],
      ['sets', 1],
    ]);
    if (form === 'grouped') return grouped(types, of, where);
    if (form === 'sets') return groupingSets(types, of, where);
    const items = types.map((type, at): Node => {
      const item =
        form === 'window' && random.chance(0.7) ? windowCall(type, { columns: of.columns, depth: 1 }, of.key) : scalar.value(type, seen);
      return { parts: [item, ` AS c${at}`] };
    });
    const distinct = random.chance(0.15) ? optional('DISTINCT ') : EMPTY;
    const qualify =
      form === 'window' && random.chance(0.3)
        ? optional(' QUALIFY ', windowCall(INT64, { columns: of.columns, depth: 0 }, of.key), ' <= 2')
        : EMPTY;
    const limit =
      place.depth < 3 && random.chance(0.12)
        ? optional(` ORDER BY ${types.map((_, at) => `c${at}`).join(', ')} LIMIT ${1 + random.below(4)}`)
        : EMPTY;
    return { parts: ['SELECT ', distinct, listOf(items), ' FROM ', of.node, where, qualify, limit] };
  }

  function grouped(types: readonly Type[], of: Relation, where: Node): Node {
    const inside = { columns: of.columns, depth: 1 };
    const keys: string[] = [];
    const items = types.map((type, at): Node => {
      const fitting = of.columns.filter((c) => c.type.kind === type.kind);
      if (fitting.length > 0 && random.chance(0.4)) {
        keys.push(`c${at}`);
        return { parts: [random.pick(fitting), ` AS c${at}`] };
      }
      return { parts: [aggregate(type, inside, of.key), ` AS c${at}`] };
    });
    const by = keys.length === 0 ? EMPTY : leaf(` GROUP BY ${keys.join(', ')}`);
    const having = random.chance(0.25)
      ? optional(' HAVING ', aggregate(INT64, inside, of.key), random.pick([' > 1', ' IS NOT NULL', ' < 5']))
      : EMPTY;
    return { parts: ['SELECT ', listOf(items), ' FROM ', of.node, where, by, having] };
  }

  /** The reference has no grouping sets: for it they are written out as a UNION ALL. */
  function groupingSets(types: readonly Type[], of: Relation, where: Node): Node {
    const taken = new Set<string>();
    const keys = types.slice(0, 2).flatMap((type, at) => {
      // No expression, which might be a constant, and so a position; and a key that is said twice is one key.
      const fitting = of.columns
        .filter((c) => c.type.kind === type.kind)
        .map((c) => textOf(c))
        .filter((c) => !taken.has(c));
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
    const written = items.flatMap((item, at) => [at === 0 ? '' : ', ', item, ` AS c${at}`]);
    const keyList = keys.flatMap((k, i) => (i === 0 ? [k.node] : [', ', k.node]));
    const by = word === 'GROUPING SETS' ? [' GROUP BY GROUPING SETS((', ...keyList, '), ())'] : [` GROUP BY ${word}(`, ...keyList, ')'];
    // An aggregate, so that over all rows there is one row.
    const absent = (type: Type, { length }: readonly number[]): string => `${length === 0 ? 'MAX' : ''}(CAST(NULL AS ${typeName(type)}))`;
    const one = (set: readonly number[]): readonly (string | Node)[] => [
      'SELECT ',
      ...items.flatMap((item, at) => [
        at === 0 ? '' : ', ',
        all.includes(at) && !set.includes(at) ? absent(types[at] ?? INT64, set) : item,
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

  function withClause(): Node {
    const tables: Node[] = [];
    for (let i = 1 + random.below(2); i > 0; i--) {
      const types = someTypes(3);
      const of = `w${withTables.length}`;
      tables.push({ parts: [`${of} AS (`, select(types, { depth: 1, withTables: [...withTables] }), ')'] });
      withTables.push({ name: of, types });
    }
    return optional('WITH ', listOf(tables), ' ');
  }

  const clause = random.chance(0.25) ? withClause() : EMPTY;
  const types = someTypes(4);
  const body = select(types, { depth: 2, withTables });
  const ordered = random.chance(0.3);
  if (!ordered) return { query: { parts: [clause, body] }, ordered };
  const by = types.map((_, at) => `c${at}${random.pick(['', ' DESC', ' ASC NULLS LAST', ' DESC NULLS FIRST'])}`).join(', ');
  const limit = random.chance(0.4) ? optional(` LIMIT ${1 + random.below(5)}${random.pick(['', ' OFFSET 1'])}`) : EMPTY;
  const whole: Node = { parts: [clause, 'SELECT * FROM (', body, ') ORDER BY ', by, limit] };
  return { query: whole, ordered, unordered: { parts: [clause, body] } };
}
