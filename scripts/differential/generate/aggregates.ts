// Aggregate and window calls whose value hangs on the rows alone, not on their order.
import { arrayOf, BOOL, FLOAT64, INT64, NUMERIC, STRING, type Type } from '../../../src/sql/base/types.ts';
import { atom, type Expression, type Node, optional } from '../tree.ts';
import { type Making, ofArray, PLAIN } from './names.ts';
import type { Scalars, Seen } from './scalar.ts';
import { type WindowsOf, windowsOf } from './windows.ts';

export interface Aggregates {
  /** An aggregate of the type over rows with these columns; `key` puts them in order. */
  aggregate(type: Type, seen: Seen, key: readonly string[] | undefined): Expression;
  readonly windows: WindowsOf;
}

export function aggregates(making: Making, scalars: Scalars): Aggregates {
  const { random } = making;
  const { value, condition } = scalars;
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
        () => atom(FLOAT64, `${random.pick(['STDDEV', 'VAR_POP', 'VAR_SAMP', 'STDDEV_POP'])}(`, one(), ')'),
        () => atom(FLOAT64, `${random.pick(['CORR', 'COVAR_POP', 'COVAR_SAMP'])}(`, one(), ', ', one(), ')'),
        () => atom(FLOAT64, 'AVG(DISTINCT ', one(INT64), ')'),
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
    const distinctOnes = (of: Type): Node => {
      const one = value(of, seen);
      return { parts: ['DISTINCT ', one, ' IGNORE NULLS ORDER BY ', one, random.pick(['', ' DESC']), limit()] };
    };
    const arrays = ofArray(seen.columns, 'INT64');
    if (type.kind === 'STRING')
      more.push(
        () => atom(STRING, 'STRING_AGG(', value(STRING, seen), `, ',' ${by}`, limit(), ')'),
        () => atom(STRING, 'ARRAY_TO_STRING(ARRAY_AGG(', distinctOnes(STRING), "), '|')"),
        () => {
          const one = value(STRING, seen);
          return atom(STRING, 'STRING_AGG(DISTINCT ', one, ", '|' ORDER BY ", one, limit(), ')');
        },
      );
    if (type.kind === 'INT64' && arrays.length > 0)
      more.push(() => atom(INT64, 'ARRAY_LENGTH(ARRAY_CONCAT_AGG(', random.pick(arrays), ` ${by}`, limit(), '))'));
    if (PLAIN.some(({ kind }) => kind === type.kind))
      more.push(
        () => atom(type, 'ARRAY_AGG(', value(type, seen), ` ${by}`, limit(), `)[SAFE_OFFSET(${random.below(2)})]`),
        () =>
          atom(type, `(ARRAY_AGG(STRUCT(`, value(type, seen), ' AS x, ', value(INT64, seen), ` AS y) ${by}`, limit(), '))[OFFSET(0)].x'),
        () => atom(type, 'ARRAY_AGG(', distinctOnes(type), ')[SAFE_OFFSET(0)]'),
      );
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
    if (key.length === 1)
      more.push(
        () => atom(type, 'ANY_VALUE(', value(type, seen), ` HAVING ${random.pick(['MAX', 'MIN'])} ${key[0]})`),
        () =>
          atom(
            type,
            `${random.pick(['MAX', 'MIN'])}(`,
            value(type, seen),
            ` HAVING ${random.pick(['MAX', 'MIN'])} `,
            value(INT64, seen),
            ')',
          ),
      );
    return more;
  }

  function aggregate(type: Type, seen: Seen, key: readonly string[] | undefined): Expression {
    if (type.kind === 'ARRAY') {
      const by = key === undefined ? '1' : key.join(', ');
      return atom(arrayOf(type.element), 'ARRAY_AGG(', value(type.element, seen), ` IGNORE NULLS ORDER BY ${by})`);
    }
    return random.pick([...plain(type, seen), ...plain(type, seen), ...(key === undefined ? [] : ordered(type, seen, key))])();
  }

  return { aggregate, windows: windowsOf(making, scalars, plain) };
}
