// Values and conditions inside of queries: of columns, constants, parameters, and subqueries that look at the rows outside.
import { BOOL, FLOAT64, INT64, NUMERIC, STRING, type Type } from '../../../src/sql/base/types.ts';
import { literal } from '../literal.ts';
import { atom, compound, type Expression, type Node, operand } from '../tree.ts';
import { callsOf } from './functions.ts';
import { type Making, ofArray, ofType, PLAIN, type Relation } from './names.ts';
import { subqueries } from './subqueries.ts';
import { anyValue } from './values.ts';

/** Sees the columns; `depth` counts how much may still nest. */
export interface Seen {
  readonly columns: readonly Expression[];
  readonly depth: number;
  /** The columns are calls of aggregates or windows, which no subquery can read. */
  readonly calls?: true;
}

export interface Scalars {
  value(type: Type, seen: Seen): Expression;
  condition(seen: Seen): Expression;
  /** A condition that two relations are joined by. */
  joining(left: readonly Expression[], right: readonly Expression[]): Expression;
}

/** `relation` makes what a subquery reads. */
export function scalars(making: Making, relation: () => Relation): Scalars {
  const { random, args } = making;
  const inner = (seen: Seen): Seen => ({ ...seen, depth: seen.depth - 1 });

  function constant(type: Type): Expression {
    const text = literal(type, anyValue(random, type, { mild: true, nulls: 0.08 }));
    return text.startsWith('-') ? compound(type, text) : atom(type, text);
  }

  function leaf(type: Type, columns: readonly Expression[]): Expression {
    const fitting = ofType(columns, type);
    const given = args.filter((a) => a.type.kind === type.kind);
    if (given.length > 0 && random.chance(0.08)) return atom(type, `@${random.pick(given).name}`);
    return fitting.length > 0 && random.chance(0.85) ? random.pick(fitting) : constant(type);
  }

  function value(type: Type, seen: Seen): Expression {
    const { columns, depth } = seen;
    if (depth <= 0 || random.chance(0.45)) return leaf(type, columns);
    // Of constants alone: what is the same for all rows is computed and written in ways of its own.
    if (columns.length > 0 && random.chance(0.04)) return value(type, { ...seen, columns: [], depth: depth + 1 });
    const one = (of: Type = type): Expression => value(of, inner(seen));
    const common: (() => Expression)[] = [
      () => atom(type, 'IFNULL(', one(), ', ', one(), ')'),
      () => atom(type, 'COALESCE(', one(), ', ', one(), ')'),
      () => atom(type, 'NULLIF(', one(), ', ', one(), ')'),
      () => atom(type, 'IF(', condition(inner(seen)), ', ', one(), ', ', one(), ')'),
      () => atom(type, 'CASE WHEN ', condition(inner(seen)), ' THEN ', one(), ' END'),
      ...(seen.calls === true ? [] : [() => inQuery.scalar(type, seen), () => inQuery.scalar(type, seen)]),
    ];
    const own: Partial<Record<Type['kind'], (() => Expression)[]>> = {
      INT64: [
        () => compound(INT64, operand(one()), random.pick([' + ', ' - ', ' * ']), operand(one())),
        () => atom(INT64, 'LENGTH(', one(STRING), ')'),
        () => atom(INT64, 'ABS(', one(), ')'),
        ...(ofArray(columns, 'INT64').length === 0
          ? []
          : [
              () => inQuery.ofElements(seen),
              () => atom(INT64, 'ARRAY_LENGTH(', random.pick(ofArray(columns, 'INT64')), ')'),
              () => atom(INT64, random.pick(ofArray(columns, 'INT64')), `[SAFE_OFFSET(${random.below(3)})]`),
            ]),
      ],
      STRING: [
        () => atom(STRING, 'CONCAT(', one(), ', ', one(), ')'),
        () => atom(STRING, 'UPPER(', one(), ')'),
        () => atom(STRING, 'CAST(', one(INT64), ' AS STRING)'),
      ],
      BOOL: [() => condition(seen)],
      FLOAT64: [
        () => atom(FLOAT64, 'SAFE_DIVIDE(', one(INT64), ', ', one(INT64), ')'),
        () => compound(FLOAT64, operand(one()), ' + ', operand(one())),
      ],
      NUMERIC: [() => compound(NUMERIC, operand(one()), ' + ', operand(one()))],
    };
    const calls = callsOf(random, type, one);
    if (calls.length > 0 && random.chance(0.25)) return random.pick(calls)();
    return random.pick([...common, ...(own[type.kind] ?? []), ...(own[type.kind] ?? [])])();
  }

  function condition(seen: Seen): Expression {
    const { depth, columns } = seen;
    const type = random.pick(PLAIN);
    const one = (of: Type = type): Expression => value(of, inner(seen));
    const forms: (() => Expression)[] = [
      () => compound(BOOL, operand(one()), ` ${random.pick(['=', '!=', '<', '<=', '>', '>='])} `, operand(one())),
      () => compound(BOOL, operand(one()), ' IS NULL'),
      () => compound(BOOL, operand(one()), ' IS NOT NULL'),
      () => compound(BOOL, operand(one()), random.pick([' IN (', ' NOT IN (']), constant(type), ', ', one(), ')'),
      () => compound(BOOL, operand(one()), ' BETWEEN ', operand(one()), ' AND ', operand(one())),
      () => compound(BOOL, operand(one()), ' IS NOT DISTINCT FROM ', operand(one())),
      () => leaf(BOOL, columns),
    ];
    const arrays = ofArray(columns, 'INT64');
    const given = args.filter((a) => a.type.kind === 'ARRAY').map((a) => atom(a.type, `@${a.name}`));
    if (arrays.length + given.length > 0)
      forms.push(() =>
        compound(BOOL, operand(one(INT64)), random.pick([' IN', ' NOT IN']), ' UNNEST(', random.pick([...arrays, ...given]), ')'),
      );
    if (arrays.length > 0)
      forms.push(() => {
        const array = random.pick(arrays);
        return random.pick([
          compound(BOOL, array, random.pick([' IS NULL', ' IS NOT NULL'])),
          compound(BOOL, 'ARRAY_LENGTH(', array, ') > 1'),
        ]);
      });
    // Structs are compared field by field.
    forms.push(() => {
      const pair = (): readonly (string | Node)[] => ['(', one(), ', ', leaf(INT64, columns), ')'];
      return random.pick([
        () => compound(BOOL, ...pair(), random.pick([' = ', ' != ']), ...pair()),
        () => compound(BOOL, ...pair(), random.pick([' IN (', ' NOT IN (']), ...pair(), ', ', ...pair(), ')'),
      ])();
    });
    const optionals = args.filter((a) => a.type.kind !== 'ARRAY');
    if (optionals.length > 0) {
      const given = random.pick(optionals);
      forms.push(() => compound(BOOL, `@${given.name} IS NULL OR `, operand(value(given.type, inner(seen))), ` = @${given.name}`));
    }
    if (depth > 0)
      forms.push(
        () => compound(BOOL, operand(condition(inner(seen))), random.pick([' AND ', ' OR ']), operand(condition(inner(seen)))),
        () => compound(BOOL, operand(condition(inner(seen))), ' AND ', operand(condition(inner(seen)))),
        () => compound(BOOL, 'NOT ', operand(condition(inner(seen)))),
        () => compound(BOOL, operand(one(BOOL)), random.pick([' IS TRUE', ' IS NOT TRUE', ' IS FALSE'])),
        ...(seen.calls === true ? [] : [() => inQuery.membership(seen), () => inQuery.membership(seen)]),
      );
    return random.pick(forms)();
  }

  function joining(left: readonly Expression[], right: readonly Expression[]): Expression {
    const both = PLAIN.filter((type) => ofType(left, type).length > 0 && ofType(right, type).length > 0);
    const equal = (): Expression => {
      const type = both.length === 0 ? INT64 : random.pick(both);
      return compound(BOOL, operand(leafOf(type, left)), ' = ', operand(leafOf(type, right)));
    };
    const more = (): Expression => condition({ columns: [...left, ...right], depth: random.chance(0.1) ? 1 : 0 });
    return random.weighted<() => Expression>([
      [equal, 6],
      [() => compound(BOOL, operand(equal()), ' AND ', operand(more())), 4],
      [() => compound(BOOL, operand(equal()), ' OR ', operand(more())), 1],
      [more, 1],
    ])();
  }

  const leafOf = (type: Type, columns: readonly Expression[]): Expression => {
    const fitting = ofType(columns, type);
    return fitting.length === 0 ? constant(type) : random.pick(fitting);
  };

  const made: Scalars = { value, condition, joining };
  const inQuery = subqueries(making, relation, made, constant);
  return made;
}
