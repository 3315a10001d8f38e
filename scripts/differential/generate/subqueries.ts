// Subqueries inside of expressions, most of which read the rows around them: aggregates, ordered rows, arrays, structs, groups, windows, set operations.
import { BOOL, INT64, STRING, type Type } from '../../../src/sql/base/types.ts';
import { atom, compound, type Expression, type Node, operand, optional } from '../tree.ts';
import { type Making, ofArray, PLAIN, type Relation } from './names.ts';
import type { Scalars, Seen } from './scalar.ts';

export interface Subqueries {
  scalar(type: Type, seen: Seen): Expression;
  /** EXISTS, IN, and their opposites. */
  membership(seen: Seen): Expression;
  /** An aggregate over the elements of an array of the rows around. */
  ofElements(seen: Seen): Expression;
}

interface Reading {
  readonly of: Relation;
  /** `FROM … WHERE …` */
  readonly from: Node;
  readonly inside: Seen;
}

/** `relation` makes what a subquery reads. */
export function subqueries(
  { random, name }: Making,
  relation: () => Relation,
  scalars: Scalars,
  constant: (type: Type) => Expression,
): Subqueries {
  const { value, condition, joining } = scalars;

  function source(seen: Seen): Relation {
    const arrays = ofArray(seen.columns, 'INT64').concat(ofArray(seen.columns, 'STRING'));
    if (arrays.length > 0 && random.chance(0.15)) {
      const array = random.pick(arrays);
      const [e, o] = [name(), name()];
      return {
        node: { parts: ['UNNEST(', array, `) AS ${e} WITH OFFSET AS ${o}`] },
        columns: [atom(array.type.kind === 'ARRAY' ? array.type.element : INT64, e), atom(INT64, o)],
        key: [o],
      };
    }
    const of = relation();
    if (of.first === true || random.chance(0.75)) return of;
    if (random.chance(0.5)) {
      const other = relation();
      if (other.first === true) return of;
      const kind = random.pick([' JOIN ', ' LEFT JOIN ', ' FULL JOIN ']);
      return {
        node: { parts: [of.node, optional(kind, other.node, ' ON ', joining(of.columns, other.columns))] },
        columns: [...of.columns, ...other.columns],
        key: of.key && other.key && [...of.key, ...other.key],
      };
    }
    // A subquery in FROM, which itself may read what is around.
    const alias = name();
    const types = [INT64, random.pick(PLAIN)];
    const items = types.map((type, at): Node => ({ parts: [value(type, { columns: of.columns, depth: 0 }), ` AS c${at}`] }));
    const correlated = joining(of.columns, random.chance(0.5) ? seen.columns : of.columns);
    return {
      node: {
        parts: [
          '(SELECT ',
          ...items.flatMap((item, at) => (at === 0 ? [item] : [', ', item])),
          ' FROM ',
          of.node,
          optional(' WHERE ', correlated),
          `) AS ${alias}`,
        ],
      },
      columns: types.map((type, at) => atom(type, `${alias}.c${at}`)),
      key: undefined,
    };
  }

  function reading(seen: Seen): Reading {
    const of = source(seen);
    const inside = { columns: [...of.columns, ...of.columns, ...seen.columns], depth: Math.min(1, seen.depth - 1) };
    const correlated = random.chance(0.75) ? joining(of.columns, seen.columns) : condition({ ...inside, depth: 0 });
    return { of, from: { parts: [' FROM ', of.node, optional(' WHERE ', correlated)] }, inside };
  }

  const ordering = (key: readonly string[]): string =>
    ` ORDER BY ${key.map((column) => `${column}${random.pick(['', ' DESC'])}`).join(', ')}`;
  /** A few of the rows in a fixed order. */
  const some = (key: readonly string[], rows = 1): string => `${ordering(key)} LIMIT ${rows}${random.pick(['', '', ' OFFSET 1'])}`;

  function scalar(type: Type, seen: Seen): Expression {
    const { of, from, inside } = reading(seen);
    const one = (t: Type = type): Expression => value(t, inside);
    const extreme = random.pick(['MIN', 'MAX']);
    const forms: (() => Expression)[] = [
      () => atom(type, `(SELECT ${extreme}(`, one(), ')', from, ')'),
      () => atom(type, `(SELECT ${extreme}(`, one(), ')', from, ')'),
    ];
    const seldom: (() => Expression)[] = [
      () => atom(type, `(SELECT IFNULL(${extreme}(`, one(), '), ', constant(type), ')', from, ')'),
      () => atom(type, `(SELECT ${extreme}(`, one(), ')', from, ' HAVING COUNT(*) > 1)'),
      () => atom(type, `(SELECT ${extreme}(x) FROM (SELECT DISTINCT `, one(), ' AS x', from, '))'),
      () =>
        atom(
          type,
          `(SELECT ${extreme}(x) FROM (SELECT ${extreme}(`,
          one(),
          ') AS x',
          from,
          ' GROUP BY ',
          random.pick(of.columns.filter(({ type: { kind } }) => kind !== 'ARRAY')),
          '))',
        ),
      () =>
        atom(
          type,
          `(SELECT ${extreme}(x) FROM (SELECT `,
          one(),
          ' AS x',
          from,
          random.pick([' UNION ALL SELECT ', ' UNION DISTINCT SELECT ']),
          leafOf(type, seen),
          '))',
        ),
    ];
    const { key } = of;
    if (key !== undefined)
      seldom.push(
        () => atom(type, '(SELECT ', one(), from, `${some(key)})`),
        () => atom(type, '(SELECT ', one(), from, `${some(key)})`),
        () => atom(type, '(SELECT AS STRUCT ', one(), ' AS x, ', one(INT64), ' AS y', from, `${some(key)}).x`),
        () => atom(type, 'ARRAY(SELECT ', one(), from, `${ordering(key)})[SAFE_OFFSET(${random.below(2)})]`),
        () =>
          atom(
            type,
            `(SELECT ${extreme}(x) FROM (SELECT `,
            one(),
            ` AS x, ROW_NUMBER() OVER (${ordering(key).trim()}) AS r`,
            from,
            ') WHERE r <= 2)',
          ),
        () => atom(type, `(SELECT ${extreme}(x) FROM (SELECT `, one(), ' AS x', from, `${some(key, 2)}))`),
      );
    if (type.kind === 'INT64') {
      const count = (what: string): Expression => atom(type, `(SELECT ${what}`, from, ')');
      forms.push(
        () => count('COUNT(*)'),
        () => count('COUNT(*)'),
        () => atom(type, '(SELECT SUM(', one(), ')', from, ')'),
      );
      seldom.push(
        () => count('COUNT(*) + 1'),
        () => atom(type, '(SELECT COUNT(DISTINCT ', one(random.pick(PLAIN)), ')', from, ')'),
        () => atom(type, 'ARRAY_LENGTH(ARRAY(SELECT DISTINCT ', one(random.pick(PLAIN)), from, '))'),
        () => atom(type, 'ARRAY_LENGTH(ARRAY(SELECT AS STRUCT ', one(), ' AS x, ', one(STRING), ' AS y', from, '))'),
        () =>
          atom(
            type,
            '(SELECT SUM(n) FROM (SELECT COUNT(*) AS n',
            from,
            ' GROUP BY ',
            random.pick(of.columns.filter(({ type: { kind } }) => kind !== 'ARRAY')),
            ' HAVING COUNT(*) >= 1))',
          ),
        () => atom(type, '(SELECT SUM(IF(', condition({ ...inside, depth: 0 }), ', 1, 0))', from, ')'),
      );
    }
    if (type.kind === 'BOOL') forms.push(() => atom(type, '(SELECT LOGICAL_OR(', one(), ')', from, ')'));
    if (type.kind === 'STRING' && key !== undefined)
      seldom.push(
        () => atom(type, '(SELECT STRING_AGG(', one(), `, ','${ordering(key)})`, from, ')'),
        () => atom(type, 'ARRAY_TO_STRING(ARRAY(SELECT ', one(), from, `${ordering(key)}), ',')`),
      );
    return random.pick(random.chance(0.6) ? forms : seldom)();
  }

  const leafOf = (type: Type, { columns }: Seen): Expression => {
    const fitting = columns.filter((c) => c.type.kind === type.kind);
    return fitting.length > 0 && random.chance(0.6) ? random.pick(fitting) : constant(type);
  };

  function membership(seen: Seen): Expression {
    const { of, from, inside } = reading(seen);
    if (random.chance(0.45)) {
      const tail = random.chance(0.75)
        ? ''
        : random.pick([' LIMIT 1', ' LIMIT 0', ' GROUP BY 1', ' HAVING COUNT(*) > 0', ' LIMIT 1 OFFSET 1']);
      return compound(BOOL, random.pick(['EXISTS(SELECT 1', 'NOT EXISTS(SELECT 1']), from, `${tail})`);
    }
    const type = random.pick(PLAIN);
    const left = operand(value(type, { ...seen, depth: seen.depth - 1 }));
    const isIn = random.pick([' IN (', ' NOT IN (']);
    const column = value(type, { ...inside, depth: 0 });
    const rows = random.weighted<() => readonly (string | Node)[]>([
      [() => ['SELECT ', column, from], 6],
      [() => ['SELECT DISTINCT ', column, from], 1],
      [() => [`SELECT ${random.pick(['MIN', 'MAX'])}(`, column, ')', from], 1],
      [() => ['SELECT ', column, from, ' UNION ALL SELECT ', leafOf(type, seen)], 1],
      [() => (of.key === undefined ? ['SELECT ', column, from] : ['SELECT ', column, from, some(of.key, 2)]), 1],
    ])();
    return compound(BOOL, left, isIn, ...rows, ')');
  }

  function ofElements({ columns }: Seen): Expression {
    const e = name();
    const array = random.pick(ofArray(columns, 'INT64'));
    const aggregate = random.pick([`COUNT(${e})`, `SUM(${e})`, `MAX(${e})`, 'COUNT(*)', `COUNTIF(${e} > 1)`, `COUNT(DISTINCT ${e})`]);
    const where = optional(' WHERE ', condition({ columns: [atom(INT64, e), ...columns], depth: 0 }));
    return atom(INT64, `(SELECT ${aggregate} FROM UNNEST(`, array, `) AS ${e}`, where, ')');
  }

  return { scalar, membership, ofElements };
}
