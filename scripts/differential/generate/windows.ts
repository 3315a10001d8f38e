// Calls over windows: named ones, frames of rows and of values, and functions that only windows have. What is called does not hang on the order of equal rows.
import { FLOAT64, INT64, NUMERIC, type Type } from '../../../src/sql/base/types.ts';
import { literal } from '../literal.ts';
import { atom, EMPTY, type Expression, type Node, optional } from '../tree.ts';
import { type Making, ofArray, PLAIN } from './names.ts';
import type { Scalars, Seen } from './scalar.ts';
import { anyValue } from './values.ts';

type Parts = readonly (string | Node)[];

/** The windows of a SELECT, some of which its WINDOW clause names. */
export interface Windows {
  call(type: Type): Expression;
  /** ` WINDOW …`, or nothing. */
  readonly clause: Node;
}

/** `plain` makes aggregates that windows have too. */
export type WindowsOf = (seen: Seen, key: readonly string[] | undefined, mayName?: boolean) => Windows;

export function windowsOf(
  { random }: Making,
  { value }: Scalars,
  plain: (type: Type, seen: Seen) => readonly (() => Expression)[],
): WindowsOf {
  return (seen, key, mayName = false) => {
    const partition = (): Node =>
      random.chance(0.6) ? optional('PARTITION BY ', value(random.pick(PLAIN.filter(({ kind }) => kind !== 'FLOAT64')), seen), ' ') : EMPTY;
    const direction = (): string => random.pick(['', ' DESC', ' NULLS LAST', ' DESC NULLS FIRST']);
    const totalOrder = (): Parts | undefined => {
      const first = random.chance(0.5) ? [optional(value(random.pick(PLAIN), seen), direction(), ', ')] : [];
      return key && ['ORDER BY ', ...first, key.join(', ')];
    };
    const named = mayName && random.chance(0.3) ? { partition: partition(), order: totalOrder() } : undefined;

    /** `order` is total where the window has one of its own. */
    function over(call: Node, type: Type, order: Parts | undefined, frame: Node = EMPTY): Expression {
      if (named === undefined || order === undefined) return atom(type, call, ' OVER (', partition(), ...(order ?? []), frame, ')');
      if (order.length === 0) return atom(type, call, named.order === undefined ? ' OVER win' : ' OVER base');
      if (named.order === undefined || order !== total) return atom(type, call, ' OVER (', partition(), ...order, frame, ')');
      return random.chance(0.5) && frame === EMPTY ? atom(type, call, ' OVER win') : atom(type, call, ' OVER (win ', frame, ')');
    }
    const total = named === undefined ? totalOrder() : named.order;

    function ofRows(type: Type, order: Parts): Expression {
      const one = value(type, seen);
      const ignore = random.pick(['', ' IGNORE NULLS']);
      const forms: (() => Expression)[] = [
        () => over(atom(type, `${random.pick(['FIRST_VALUE', 'LAST_VALUE'])}(`, one, ignore, ')'), type, order, rows()),
        () => over(atom(type, 'NTH_VALUE(', one, `, ${1 + random.below(3)}${ignore})`), type, order, rows()),
        () => over(atom(type, `${random.pick(['LAG', 'LEAD'])}(`, one, `, ${random.below(3)})`), type, order),
        () =>
          over(
            atom(type, `${random.pick(['LAG', 'LEAD'])}(`, one, ', 1, ', literal(type, anyValue(random, type, { mild: true })), ')'),
            type,
            order,
          ),
      ];
      const bare = (text: string): Expression => over(atom(type, text), type, order);
      if (type.kind === 'INT64')
        forms.push(
          () => bare(random.pick(['ROW_NUMBER()', 'RANK()'])),
          () => bare(`NTILE(${1 + random.below(4)})`),
          () => {
            const all = over(atom(type, 'ARRAY_AGG(', value(random.pick(PLAIN), seen), ')'), type, order, rows());
            return atom(type, 'IFNULL(ARRAY_LENGTH(', all, '), -1)');
          },
        );
      if (type.kind === 'STRING') forms.push(() => over(atom(type, 'STRING_AGG(', one, ", '|')"), type, order, rows()));
      const arrays = ofArray(seen.columns, 'INT64');
      if (type.kind === 'INT64' && arrays.length > 0)
        forms.push(() => atom(type, 'ARRAY_LENGTH(', over(atom(type, 'LAG(', random.pick(arrays), ')'), type, order), ')'));
      return random.pick(forms)();
    }

    function ofValues(type: Type): Expression {
      const number = random.pick([INT64, INT64, FLOAT64, NUMERIC]);
      const by: Parts = ['ORDER BY ', value(number, seen), direction()];
      const forms: (() => Expression)[] = [() => over(random.pick(plain(type, seen))(), type, by, ranges(number))];
      if (type.kind === 'INT64') forms.push(() => over(atom(type, random.pick(['RANK()', 'DENSE_RANK()'])), type, by));
      if (type.kind === 'FLOAT64') forms.push(() => over(atom(type, random.pick(['PERCENT_RANK()', 'CUME_DIST()'])), type, by));
      if (type.kind === 'FLOAT64' || type.kind === 'NUMERIC')
        forms.push(() => {
          const share = random.pick(['0', '0.25', '0.5', '1']);
          const fraction = type.kind === 'NUMERIC' ? `NUMERIC '${share}'` : share;
          const nulls = random.pick(['', ' RESPECT NULLS', ' IGNORE NULLS']);
          return over(atom(type, 'PERCENTILE_CONT(', value(type, seen), `, ${fraction}${nulls})`), type, []);
        });
      forms.push(() => over(atom(type, 'PERCENTILE_DISC(', value(type, seen), `, ${random.pick(['0', '0.3', '0.5', '1'])})`), type, []));
      return random.pick(forms)();
    }

    function call(type: Type): Expression {
      if (total !== undefined && random.chance(0.45)) return ofRows(type, total);
      if (random.chance(0.35)) return ofValues(type);
      const made = random.pick(plain(type, seen))();
      if (JSON.stringify(made).includes('DISTINCT')) return over(made, type, []);
      if (total !== undefined && random.chance(0.6)) return over(made, type, total, rows());
      return over(made, type, []);
    }

    const bound = (): number => random.below(3);

    function rows(): Node {
      if (random.chance(0.3)) return EMPTY;
      return optional(` ROWS ${bounds(() => String(bound()))}`);
    }

    /** Of values: from the row's own value on, or among equal ones only. */
    function ranges(type: Type): Node {
      if (random.chance(0.3)) return EMPTY;
      const exact = type.kind === 'INT64' ? ['0', '1', '2', '5'] : ['0', '0.5', '1', '2.5'];
      return optional(` RANGE ${bounds(() => (type.kind === 'NUMERIC' ? `NUMERIC '${random.pick(exact)}'` : random.pick(exact)))}`);
    }

    /** All that are allowed: also those that hold no row. */
    function bounds(some: () => string): string {
      if (random.chance(0.15)) return random.pick(['UNBOUNDED PRECEDING', 'CURRENT ROW', `${some()} PRECEDING`]);
      const start = random.pick([
        'UNBOUNDED PRECEDING',
        `${some()} PRECEDING`,
        `${some()} PRECEDING`,
        'CURRENT ROW',
        `${some()} FOLLOWING`,
      ]);
      const ends = [`${some()} FOLLOWING`, 'UNBOUNDED FOLLOWING'];
      if (!start.endsWith('FOLLOWING')) ends.push('CURRENT ROW');
      if (start.endsWith('PRECEDING')) ends.push(`${some()} PRECEDING`);
      return `BETWEEN ${start} AND ${random.pick(ends)}`;
    }

    const clause =
      named === undefined
        ? EMPTY
        : named.order === undefined
          ? { parts: [' WINDOW win AS (', named.partition, ')'] }
          : { parts: [' WINDOW base AS (', named.partition, '), win AS (base ', ...named.order, ')'] };
    return { call, clause };
  };
}
