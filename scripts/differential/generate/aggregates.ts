// Aggregate and window calls whose value hangs on the rows alone, not on their order.
import { arrayOf, BOOL, FLOAT64, INT64, NUMERIC, STRING, type Type } from '../../../src/sql/types.ts';
import { literal } from '../literal.ts';
import { atom, type Expression, type Node, optional } from '../tree.ts';
import { type Making, PLAIN } from './names.ts';
import type { Scalars, Seen } from './scalar.ts';
import { anyValue } from './values.ts';

export interface Aggregates {
  /** An aggregate of the type over rows with these columns; `key` puts them in order. */
  aggregate(type: Type, seen: Seen, key: readonly string[] | undefined): Expression;
  windowCall(type: Type, seen: Seen, key: readonly string[] | undefined): Expression;
}

export function aggregates({ random }: Making, { value, condition }: Scalars): Aggregates {
  const distinct = (): Node => (random.chance(0.2) ? optional('DISTINCT ') : { parts: [] });

  /** Calls that are also made over windows. */
  function plain(type: Type, seen: Seen): readonly (() => Expression)[] {
    const one = (of: Type = type): Expression => value(of, seen);
    const minMax = (): Expression => atom(type, `${random.pick(['MIN', 'MAX'])}(`, one(), ')');
    const own: Partial<Record<Type['kind'], readonly (() => Expression)[]>> = {
      INT64: [
        () => atom(INT64, 'COUNT(*)'),
        () => atom(INT64, 'COUNT(', distinct(), one(random.pick(PLAIN)), ')'),
        () => atom(INT64, 'COUNTIF(', condition(seen), ')'),
        () => atom(INT64, 'SUM(', distinct(), one(), ')'),
        () => atom(INT64, `${random.pick(['BIT_AND', 'BIT_OR', 'BIT_XOR'])}(`, one(), ')'),
      ],
      FLOAT64: [
        () => atom(FLOAT64, 'SUM(', one(), ')'),
        () => atom(FLOAT64, 'AVG(', one(random.pick([INT64, FLOAT64])), ')'),
        () => atom(FLOAT64, `${random.pick(['STDDEV', 'VAR_POP', 'VAR_SAMP'])}(`, one(), ')'),
      ],
      NUMERIC: [() => atom(NUMERIC, 'SUM(', one(), ')'), () => atom(NUMERIC, 'AVG(', one(), ')')],
      BOOL: [() => atom(BOOL, `${random.pick(['LOGICAL_AND', 'LOGICAL_OR'])}(`, one(), ')')],
    };
    return [minMax, ...(own[type.kind] ?? [])];
  }

  function ordered(type: Type, seen: Seen, key: readonly string[]): readonly (() => Expression)[] {
    const by = `ORDER BY ${key.map((column) => `${column}${random.pick(['', ' DESC'])}`).join(', ')}`;
    const limit = (): Node => (random.chance(0.3) ? optional(` LIMIT ${1 + random.below(3)}`) : { parts: [] });
    const more: (() => Expression)[] = [];
    if (type.kind === 'STRING') more.push(() => atom(STRING, 'STRING_AGG(', value(STRING, seen), `, ',' ${by}`, limit(), ')'));
    if (type.kind === 'INT64')
      more.push(() =>
        atom(
          INT64,
          'IFNULL(ARRAY_LENGTH(ARRAY_AGG(',
          value(random.pick(PLAIN), seen),
          random.pick(['', ' IGNORE NULLS']),
          ` ${by}`,
          limit(),
          ')), 0)',
        ),
      );
    if (key.length === 1) more.push(() => atom(type, 'ANY_VALUE(', value(type, seen), ` HAVING ${random.pick(['MAX', 'MIN'])} ${key[0]})`));
    return more;
  }

  function aggregate(type: Type, seen: Seen, key: readonly string[] | undefined): Expression {
    if (type.kind === 'ARRAY') {
      const by = key === undefined ? '1' : key.join(', ');
      return atom(arrayOf(type.element), 'ARRAY_AGG(', value(type.element, seen), ` IGNORE NULLS ORDER BY ${by})`);
    }
    return random.pick([...plain(type, seen), ...plain(type, seen), ...(key === undefined ? [] : ordered(type, seen, key))])();
  }

  function windowCall(type: Type, seen: Seen, key: readonly string[] | undefined): Expression {
    const partition = random.chance(0.6)
      ? optional('PARTITION BY ', value(random.pick(PLAIN.filter(({ kind }) => kind !== 'FLOAT64')), seen), ' ')
      : { parts: [] };
    const first = random.chance(0.5)
      ? [optional(value(random.pick(PLAIN), seen), random.pick(['', ' DESC', ' NULLS LAST', ' DESC NULLS FIRST']), ', ')]
      : [];
    const total: readonly (string | Node)[] | undefined = key && ['ORDER BY ', ...first, key.join(', ')];
    const over = (call: Expression, order: readonly (string | Node)[], frame: Node | undefined): Expression =>
      atom(type, call, ' OVER (', partition, ...order, ...(frame === undefined ? [] : [frame]), ')');
    const byValue: readonly (string | Node)[] = ['ORDER BY ', value(INT64, seen)];
    if (total !== undefined && random.chance(0.4)) {
      const one = value(type, seen);
      const bare = (text: string): Expression => atom(type, text);
      const forms: (() => Expression)[] = [
        () =>
          over(
            atom(type, `${random.pick(['FIRST_VALUE', 'LAST_VALUE'])}(`, one, random.pick(['', ' IGNORE NULLS']), ')'),
            total,
            frame(true),
          ),
        () => over(atom(type, 'NTH_VALUE(', one, `, ${1 + random.below(3)}${random.pick(['', ' IGNORE NULLS'])})`), total, frame(true)),
        () => over(atom(type, `${random.pick(['LAG', 'LEAD'])}(`, one, `, ${random.below(3)})`), total, undefined),
        () =>
          over(
            atom(type, `${random.pick(['LAG', 'LEAD'])}(`, one, ', 1, ', literal(type, anyValue(random, type, { mild: true })), ')'),
            total,
            undefined,
          ),
      ];
      if (type.kind === 'INT64')
        forms.push(
          () => over(bare('ROW_NUMBER()'), total, undefined),
          () => over(bare(`NTILE(${1 + random.below(4)})`), total, undefined),
        );
      if (type.kind === 'INT64') forms.push(() => over(bare(random.pick(['RANK()', 'DENSE_RANK()'])), byValue, undefined));
      if (type.kind === 'FLOAT64') forms.push(() => over(bare(random.pick(['PERCENT_RANK()', 'CUME_DIST()'])), byValue, undefined));
      return random.pick(forms)();
    }
    const call = random.pick(plain(type, seen))();
    if (JSON.stringify(call).includes('DISTINCT')) return over(call, [], undefined);
    if (total !== undefined && random.chance(0.6)) return over(call, total, frame(true));
    return random.chance(0.4) ? over(call, [], undefined) : over(call, byValue, frame(false));
  }

  function frame(rows: boolean): Node | undefined {
    if (random.chance(0.3)) return undefined;
    const n = 1 + random.below(2);
    const start = random.pick(['UNBOUNDED PRECEDING', `${n} PRECEDING`, 'CURRENT ROW']);
    const end = random.pick(['CURRENT ROW', `${n} FOLLOWING`, 'UNBOUNDED FOLLOWING']);
    return optional(` ${rows ? 'ROWS' : 'RANGE'} BETWEEN ${start} AND ${end}`);
  }

  return { aggregate, windowCall };
}
