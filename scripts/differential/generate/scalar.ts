// Values and conditions inside of queries: of columns, constants, parameters, and subqueries that look at the rows outside.
import { BOOL, FLOAT64, INT64, NUMERIC, STRING, type Type } from '../../../src/sql/types.ts';
import { literal } from '../literal.ts';
import { atom, compound, type Expression, type Node, operand, optional } from '../tree.ts';
import { type Making, ofArray, ofType, PLAIN, type Relation } from './names.ts';
import { anyValue } from './values.ts';

/** Sees the columns; `depth` counts how much may still nest. */
export interface Seen {
  readonly columns: readonly Expression[];
  readonly depth: number;
}

export interface Scalars {
  value(type: Type, seen: Seen): Expression;
  condition(seen: Seen): Expression;
  /** A condition that two relations are joined by. */
  joining(left: readonly Expression[], right: readonly Expression[]): Expression;
}

/** `relation` makes what a subquery reads. */
export function scalars({ random, name, args }: Making, relation: () => Relation): Scalars {
  const inner = ({ columns, depth }: Seen): Seen => ({ columns, depth: depth - 1 });

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
    const one = (of: Type = type): Expression => value(of, inner(seen));
    const common: (() => Expression)[] = [
      () => atom(type, 'IFNULL(', one(), ', ', one(), ')'),
      () => atom(type, 'COALESCE(', one(), ', ', one(), ')'),
      () => atom(type, 'NULLIF(', one(), ', ', one(), ')'),
      () => atom(type, 'IF(', condition(inner(seen)), ', ', one(), ', ', one(), ')'),
      () => atom(type, 'CASE WHEN ', condition(inner(seen)), ' THEN ', one(), ' END'),
      () => scalarSubquery(type, seen),
      () => scalarSubquery(type, seen),
    ];
    const own: Partial<Record<Type['kind'], (() => Expression)[]>> = {
      INT64: [
        () => compound(INT64, operand(one()), random.pick([' + ', ' - ', ' * ']), operand(one())),
        () => atom(INT64, 'LENGTH(', one(STRING), ')'),
        () => atom(INT64, 'ABS(', one(), ')'),
        ...(ofArray(columns, 'INT64').length === 0 ? [] : [() => arraySubquery(seen)]),
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
    return random.pick([...common, ...(own[type.kind] ?? []), ...(own[type.kind] ?? [])])();
  }

  /** `FROM … WHERE …` of a subquery, with its relation. */
  function reading(seen: Seen): { readonly of: Relation; readonly from: Node; readonly inside: Seen } {
    const of = relation();
    const inside = { columns: [...of.columns, ...of.columns, ...seen.columns], depth: Math.min(1, seen.depth - 1) };
    const correlated = random.chance(0.75) ? joining(of.columns, seen.columns) : condition({ ...inside, depth: 0 });
    return { of, from: { parts: [' FROM ', of.node, optional(' WHERE ', correlated)] }, inside };
  }

  function scalarSubquery(type: Type, seen: Seen): Expression {
    const { of, from, inside } = reading(seen);
    const of1 = (t: Type = type): Expression => value(t, inside);
    const limited =
      of.key === undefined || random.chance(0.7)
        ? []
        : [() => atom(type, '(SELECT ', of1(), from, ` ORDER BY ${of.key?.join(', ')} LIMIT 1)`)];
    const forms: (() => Expression)[] = [
      () => atom(type, `(SELECT ${random.pick(['MIN', 'MAX'])}(`, of1(), ')', from, ')'),
      ...(random.chance(0.3) ? [() => atom(type, '(SELECT IFNULL(MAX(', of1(), '), ', constant(type), ')', from, ')')] : []),
      ...limited,
    ];
    if (type.kind === 'INT64')
      forms.push(
        () => atom(type, '(SELECT COUNT(*)', from, ')'),
        () => atom(type, random.chance(0.2) ? '(SELECT COUNT(*) + 1' : '(SELECT COUNT(*)', from, ')'),
        () => atom(type, '(SELECT SUM(', of1(), ')', from, ')'),
      );
    if (type.kind === 'BOOL') forms.push(() => atom(type, '(SELECT LOGICAL_OR(', of1(), ')', from, ')'));
    return random.pick(forms)();
  }

  function arraySubquery({ columns }: Seen): Expression {
    const e = name();
    const array = random.pick(ofArray(columns, 'INT64'));
    const aggregate = random.pick([`COUNT(${e})`, `SUM(${e})`, `MAX(${e})`, 'COUNT(*)', `COUNTIF(${e} > 1)`]);
    const where = optional(' WHERE ', condition({ columns: [atom(INT64, e), ...columns], depth: 0 }));
    return atom(INT64, `(SELECT ${aggregate} FROM UNNEST(`, array, `) AS ${e}`, where, ')');
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
    if (args.length > 0) {
      const given = random.pick(args);
      forms.push(() => compound(BOOL, `@${given.name} IS NULL OR `, operand(value(given.type, inner(seen))), ` = @${given.name}`));
    }
    if (depth > 0)
      forms.push(
        () => compound(BOOL, operand(condition(inner(seen))), random.pick([' AND ', ' OR ']), operand(condition(inner(seen)))),
        () => compound(BOOL, operand(condition(inner(seen))), ' AND ', operand(condition(inner(seen)))),
        () => compound(BOOL, 'NOT ', operand(condition(inner(seen)))),
        () => compound(BOOL, operand(one(BOOL)), random.pick([' IS TRUE', ' IS NOT TRUE', ' IS FALSE'])),
        () => membership(seen),
        () => membership(seen),
      );
    return random.pick(forms)();
  }

  function membership(seen: Seen): Expression {
    const { from, inside } = reading(seen);
    if (random.chance(0.5)) return compound(BOOL, random.pick(['EXISTS(SELECT 1', 'NOT EXISTS(SELECT 1']), from, ')');
    const type = random.pick(PLAIN);
    return compound(
      BOOL,
      operand(value(type, inner(seen))),
      random.pick([' IN (SELECT ', ' NOT IN (SELECT ']),
      value(type, { ...inside, depth: 0 }),
      from,
      ')',
    );
  }

  function joining(left: readonly Expression[], right: readonly Expression[]): Expression {
    const both = PLAIN.filter((type) => ofType(left, type).length > 0 && ofType(right, type).length > 0);
    const equal = (): Expression => {
      const type = both.length === 0 ? INT64 : random.pick(both);
      return compound(BOOL, operand(leafOf(type, left)), ' = ', operand(leafOf(type, right)));
    };
    const more = (): Expression => condition({ columns: [...left, ...right], depth: 0 });
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

  return { value, condition, joining };
}
