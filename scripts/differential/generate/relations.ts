// What a FROM reads: tables, WITH tables, subqueries, arrays, structs, and joins of all kinds.
import { arrayOf, INT64, STRING, type Type } from '../../../src/sql/base/types.ts';
import { literal } from '../literal.ts';
import { atom, type Expression, leaf, type Node, optional } from '../tree.ts';
import { type Making, ofArray, PLAIN, type Relation, type WithTable } from './names.ts';
import type { Scalars } from './scalar.ts';
import { shapes } from './shapes.ts';
import { anyValue } from './values.ts';

/** Where in a query something is made: how deep subqueries may still go, and which WITH tables it sees. */
export interface Place {
  readonly depth: number;
  readonly withTables: readonly WithTable[];
}

export interface Relations {
  from(place: Place): Relation;
}

interface Parts {
  readonly table: () => Relation;
  readonly scalar: Scalars;
  /** A query with the columns c0, c1, … of the types. */
  readonly select: (types: readonly Type[], place: Place) => Node;
}

export function relations(making: Making, parts: Parts): Relations {
  const { random, name } = making;
  const { table, scalar, select } = parts;
  const shaped = shapes(making, parts);
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
      const query = select(types, { ...place, depth: depth - 1 });
      const star = random.pick(['', '', '', 'SELECT * FROM (', types.length > 1 ? 'SELECT * EXCEPT (c0), c0 FROM (' : '']);
      return {
        node: { parts: ['(', star, query, star === '' ? '' : ')', `) AS ${alias}`] },
        columns: columnsOf(alias, types),
        key: undefined,
      };
    }
    if (depth > 0 && random.chance(0.1)) {
      const made = shaped({ ...place, depth: depth - 1 });
      if (made !== undefined) return made;
    }
    if (random.chance(0.1)) {
      const [e, o] = [name(), name()];
      const type = random.pick([INT64, STRING]);
      const array = literal(arrayOf(type), anyValue(random, arrayOf(type), { mild: true, nulls: 0 }));
      return { node: leaf(`UNNEST(${array}) AS ${e} WITH OFFSET AS ${o}`), columns: [atom(type, e), atom(INT64, o)], key: [o] };
    }
    return random.chance(0.1) ? ofValues() : table();
  }

  /** Structs, arrays and arrays of structs that a subquery makes, and what is read of them. */
  function ofValues(): Relation {
    const of = table();
    const alias = name();
    const types = [random.pick(PLAIN), random.pick(PLAIN)] as const;
    const [x, y] = types.map((type) => scalar.value(type, { columns: of.columns, depth: 1 }));
    if (x === undefined || y === undefined) return of;
    const where = optional(' WHERE ', scalar.condition({ columns: of.columns, depth: 1 }));
    if (random.chance(0.4)) {
      return {
        node: { parts: ['(SELECT STRUCT(', x, ' AS x, ', y, ' AS y) AS s FROM ', of.node, where, `) AS ${alias}`] },
        columns: [atom(types[0], `${alias}.s.x`), atom(types[1], `${alias}.s.y`)],
        key: undefined,
      };
    }
    const [e, o] = [name(), name()];
    const struct: Node = { parts: ['STRUCT(', x, ' AS x, ', y, ' AS y)'] };
    const array: readonly (string | Node)[] = random.weighted<() => readonly (string | Node)[]>([
      [() => ['[', struct, ', STRUCT(NULL, ', y, ')]'], 2],
      [() => (of.key === undefined ? ['[', struct, ']'] : ['ARRAY_AGG(', struct, ` ORDER BY ${of.key.join(', ')})`]), 2],
      [() => ['ARRAY(SELECT AS STRUCT ', x, ' AS x, ', y, ' AS y FROM UNNEST([1, 2]))'], 1],
    ])();
    const outer = random.chance(0.5);
    const unnest = `${outer ? ' LEFT JOIN' : ' CROSS JOIN'} UNNEST(${alias}.l) AS ${e} WITH OFFSET AS ${o}${outer ? ' ON TRUE' : ''}`;
    return {
      node: { parts: ['(SELECT ', ...array, ' AS l FROM ', of.node, where, `) AS ${alias}`, optional(unnest)] },
      columns: [atom(types[0], `${e}.x`), atom(types[1], `${e}.y`), atom(INT64, o)],
      key: undefined,
      first: true,
    };
  }

  function from(place: Place): Relation {
    let whole = relation(place);
    if (whole.first !== true && random.chance(0.06)) return using(whole);
    const joins = random.weighted([
      [0, 5],
      [1, 5],
      [2, 2],
    ]);
    for (let i = 0; i < joins; i++) whole = joined(whole, place);
    return random.chance(0.05) ? withComma(whole) : whole;
  }

  /** Joined by the names of columns: afterwards these are also there without the name of a table. */
  function using(_: Relation): Relation {
    const [left, right] = [table(), table()];
    if (left.first === true || right.first === true) return left;
    const names = random.pick([['id'], ['id'], ['k'], ['w'], ['i'], ['id', 'k'], ['d'], ['f']]);
    const merged = left.columns.filter((c) => names.some((n) => c.parts[0]?.toString().endsWith(`.${n}`) === true));
    const bare = merged.map((c) => atom(c.type, String(c.parts[0]).replace(/^\w+\./, '')));
    const kind = random.pick([' JOIN ', ' LEFT JOIN ', ' RIGHT JOIN ', ' FULL JOIN ']);
    return {
      node: { parts: [left.node, kind, right.node, ` USING (${names.join(', ')})`] },
      columns: [...bare, ...bare, ...bare, ...left.columns, ...right.columns],
      key: left.key && right.key && [...left.key, ...right.key],
    };
  }

  function withComma(left: Relation): Relation {
    const right = table();
    if (right.first === true) return left;
    return {
      node: { parts: [left.node, optional(', ', right.node)] },
      columns: [...left.columns, ...right.columns],
      key: left.key && right.key && [...left.key, ...right.key],
    };
  }

  function joined(left: Relation, place: Place): Relation {
    const arrays = ofArray(left.columns, 'INT64').concat(ofArray(left.columns, 'STRING'));
    if (arrays.length > 0 && random.chance(0.25)) {
      const array = random.pick(arrays);
      const [e, o] = [name(), name()];
      const element = array.type.kind === 'ARRAY' ? array.type.element : INT64;
      const outer = random.chance(0.5);
      const own = [atom(element, e), atom(INT64, o)];
      const on: readonly (string | Node)[] = random.weighted<() => readonly (string | Node)[]>([
        [() => [' ON TRUE'], 6],
        [() => [` ON ${o} < 2`], 1],
        [() => [' ON ', scalar.condition({ columns: [...own, ...own, ...own, ...left.columns], depth: 0 })], 2],
      ])();
      const join: Node = optional(
        outer ? ' LEFT JOIN UNNEST(' : ' CROSS JOIN UNNEST(',
        array,
        `) AS ${e} WITH OFFSET AS ${o}`,
        ...(outer ? on : []),
      );
      return {
        node: { parts: [left.node, join] },
        columns: [...left.columns, ...own],
        key: left.key && [...left.key, o],
      };
    }
    let right = relation({ ...place, depth: Math.min(place.depth, 1) });
    while (right.first === true) right = table();
    if (random.chance(0.08)) right = inParentheses(right);
    const kind = random.pick([' JOIN ', ' LEFT JOIN ', ' LEFT JOIN ', ' RIGHT JOIN ', ' FULL JOIN ', ' CROSS JOIN ']);
    const on = kind === ' CROSS JOIN ' ? [] : [' ON ', scalar.joining(left.columns, right.columns)];
    return {
      node: { parts: [left.node, optional(kind, right.node, ...on)] },
      columns: [...left.columns, ...right.columns],
      // Of outer joins the key has NULLs, and stays one.
      key: left.key && right.key && [...left.key, ...right.key],
    };
  }

  function inParentheses(left: Relation): Relation {
    const right = table();
    if (right.first === true) return left;
    const kind = random.pick([' JOIN ', ' LEFT JOIN ', ' FULL JOIN ']);
    return {
      node: { parts: ['(', left.node, kind, right.node, ' ON ', scalar.joining(left.columns, right.columns), ')'] },
      columns: [...left.columns, ...right.columns],
      key: left.key && right.key && [...left.key, ...right.key],
    };
  }

  return { from };
}
