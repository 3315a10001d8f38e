// Random BigQuery queries over one table: most of them mean something, so that they get as far as lowering.
import { findFunction, functionNames } from '../../../src/sql/functions/index.ts';
import { type Pattern, signaturesOf } from '../../../src/sql/functions/signature.ts';
import type { Random } from './random.ts';

/** The table that generated queries read. Each column is called after its type. */
export const TABLE = `SELECT 1 AS int64, 1.5 AS float64, TRUE AS bool, 'a b' AS string, b'a' AS bytes, DATE '2024-02-29' AS date,
DATETIME '2024-02-29 23:59:59.5' AS datetime, TIMESTAMP '2024-02-29 23:59:59+00' AS timestamp, TIME '01:02:03' AS time,
NUMERIC '1.25' AS numeric, JSON '{"a": [1, "b"]}' AS json, [1, 2] AS ints, ['x', NULL] AS strings, STRUCT(1 AS a, 'x' AS b) AS struct_
UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, [], [], NULL`;

const PARTS = [
  'YEAR',
  'QUARTER',
  'MONTH',
  'WEEK',
  'WEEK(MONDAY)',
  'ISOWEEK',
  'ISOYEAR',
  'DAY',
  'HOUR',
  'MINUTE',
  'SECOND',
  'MICROSECOND',
  'DAYOFWEEK',
];
const LITERALS: Readonly<Record<string, readonly string[]>> = {
  INT64: ['0', '1', '-1', '7', '9223372036854775807', '0xFF', 'NULL'],
  FLOAT64: ['0.0', '1.5', '-2e3', '1e308', "CAST('nan' AS FLOAT64)", "CAST('-inf' AS FLOAT64)"],
  NUMERIC: ["NUMERIC '1.5'", "NUMERIC '-99999999999999999999999999999.999999999'"],
  BIGNUMERIC: ["BIGNUMERIC '1.5'"],
  BOOL: ['TRUE', 'FALSE', 'NULL'],
  STRING: ["''", "'abc'", "'é\\n\\'x'", "r'a\\d+'", "'''q'''", "'UTC'", "'$.a'", "'%Y-%m-%d'", "'2024-01-02'", 'NULL'],
  BYTES: ["b''", "b'abc'", "b'\\xff\\x00'"],
  DATE: ["DATE '2024-02-29'", "DATE '1970-01-01'", 'CURRENT_DATE()'],
  DATETIME: ["DATETIME '2024-02-29 12:34:56.789'"],
  TIMESTAMP: ["TIMESTAMP '2024-02-29 12:34:56+00'", 'CURRENT_TIMESTAMP()', "TIMESTAMP '2024-03-10 02:30:00 America/Los_Angeles'"],
  TIME: ["TIME '12:34:56.789'"],
  INTERVAL: ['INTERVAL 1 DAY', 'INTERVAL -3 MONTH', "INTERVAL '1-2 3 4:5:6' YEAR TO SECOND", 'INTERVAL 90 SECOND'],
  JSON: ['JSON \'{"a": 1}\'', "JSON '[]'", "JSON 'null'"],
};
const TYPES = Object.keys(LITERALS);
const NAMES = functionNames();

export interface Generator {
  query(depth: number): string;
}

export function generator(random: Random): Generator {
  /** Windows and aggregates may stand here. */
  let grouped = false;
  let inner = 0;

  const typed = (type: string, depth: number): string => {
    if (random.chance(0.03)) return typed(random.pick(TYPES), depth);
    if (depth <= 0 || random.chance(0.3)) {
      return random.chance(0.6) && !['BIGNUMERIC', 'INTERVAL'].includes(type)
        ? `${random.chance(0.2) ? 't.' : ''}${type.toLowerCase()}`
        : random.pick(LITERALS[type] ?? ['NULL']);
    }
    const sub = (of: string): string => typed(of, depth - 1);
    const common: readonly (() => string)[] = [
      () => `IF(${sub('BOOL')}, ${sub(type)}, ${sub(type)})`,
      () => `CASE WHEN ${sub('BOOL')} THEN ${sub(type)} ELSE ${sub(type)} END`,
      () => `COALESCE(${sub(type)}, ${sub(type)})`,
      () => `SAFE_CAST(${sub(random.pick(TYPES))} AS ${type})`,
      () => `[${sub(type)}, ${sub(type)}][SAFE_OFFSET(${sub('INT64')})]`,
      () => `(SELECT AS STRUCT ${sub(type)} AS v).v`,
      () => `(SELECT ${sub(type)} ${random.chance(0.5) ? 'FROM UNNEST([1]) AS one' : ''} ${random.chance(0.3) ? 'LIMIT 1' : ''})`,
      call(type, depth),
      call(type, depth),
      call(type, depth),
    ];
    const own: Readonly<Record<string, readonly (() => string)[]>> = {
      BOOL: [
        () => `${sub('BOOL')} ${random.pick(['AND', 'OR'])} NOT ${sub('BOOL')}`,
        () => {
          const of = random.pick(TYPES);
          return `${sub(of)} ${random.pick(['=', '<', '>=', '<>', 'IS DISTINCT FROM'])} ${sub(of)}`;
        },
        () => `${sub(random.pick(TYPES))} IS ${random.pick(['', 'NOT '])}NULL`,
        () => `${sub('INT64')} IN (${sub('INT64')}, ${sub('INT64')})`,
        () => `${sub('STRING')} IN UNNEST(strings)`,
        () => `${sub('INT64')} IN (SELECT ${sub('INT64')})`,
        () => `EXISTS (SELECT 1 FROM UNNEST(ints) AS i WHERE i = ${sub('INT64')})`,
        () => `${sub('STRING')} LIKE ${sub('STRING')}`,
        () => `${sub('DATE')} BETWEEN ${sub('DATE')} AND ${sub('DATE')}`,
      ],
      INT64: [
        () => `(${sub('INT64')} ${random.pick(['+', '-', '*', '&', '|', '<<'])} ${sub('INT64')})`,
        () => `EXTRACT(${random.pick(PARTS)} FROM ${sub(random.pick(['DATE', 'TIMESTAMP', 'DATETIME']))})`,
        () => '(SELECT COUNT(*) FROM UNNEST(ints))',
        () => 'struct_.a',
      ],
      FLOAT64: [() => `(${sub('FLOAT64')} ${random.pick(['+', '-', '*', '/'])} ${sub('FLOAT64')})`],
      STRING: [
        () => `(${sub('STRING')} || ${sub('STRING')})`,
        () => 'strings[SAFE_ORDINAL(1)]',
        () => `CAST(${sub(random.pick(TYPES))} AS STRING)`,
      ],
      TIMESTAMP: [() => `(${sub('TIMESTAMP')} + ${sub('INTERVAL')})`],
      DATE: [() => `(${sub('DATE')} + ${sub('INT64')})`],
    };
    return random.pick([...common, ...(own[type] ?? [])])();
  };

  /** A call of any function whose result may be `type`. */
  const call = (type: string, depth: number) => (): string => {
    for (let attempt = 0; attempt < 40; attempt++) {
      const name = random.pick(NAMES);
      const definition = findFunction(name);
      if (definition === undefined || (definition.kind !== 'function' && (!grouped || inner > 0))) continue;
      const signature = random.pick(signaturesOf(definition.signature));
      const { result } = signature;
      if (result.kind === 'type' && result.type.kind !== type) continue;
      if (definition.kind !== 'function') inner++;
      const args = signature.parameters.flatMap(({ pattern, optional, repeated }) =>
        optional && random.chance(0.5)
          ? []
          : Array.from({ length: repeated ? 1 + random.below(3) : 1 }, () => argument(pattern, type, depth - 1)),
      );
      if (definition.kind !== 'function') inner--;
      const over = definition.kind === 'window' ? ' OVER (PARTITION BY string ORDER BY int64)' : '';
      return `${definition.kind === 'function' && random.chance(0.1) ? 'SAFE.' : ''}${name}(${args.join(', ')})${over}`;
    }
    return random.pick(LITERALS[type] ?? ['NULL']);
  };

  const argument = (pattern: Pattern, variable: string, depth: number): string => {
    switch (pattern.kind) {
      case 'type':
        return pattern.type.kind === 'ARRAY' ? `[${typed(pattern.type.element.kind, depth)}]` : typed(pattern.type.kind, depth);
      case 'array':
        return random.chance(0.3) ? 'ints' : `[${argument(pattern.element, variable, depth)}]`;
      case 'part':
        return random.pick(PARTS);
      case 'lambda':
        return `${pattern.parameters.length > 1 ? '(e, i)' : 'e'} -> e = e`;
      case 'variable':
        return typed(variable, depth);
      default:
        return typed(random.pick(TYPES), depth);
    }
  };

  const select = (depth: number): string => {
    const items = Array.from(
      { length: 1 + random.below(3) },
      (_, i) => `${typed(random.pick(TYPES), depth)}${random.chance(0.7) ? ` AS c${i}` : ''}`,
    );
    const source = depth > 1 && random.chance(0.3) ? `(SELECT * FROM t WHERE ${typed('BOOL', 1)}) AS t` : 't';
    const join = random.chance(0.25) ? ` ${random.pick(['CROSS JOIN', 'INNER JOIN', 'LEFT JOIN', 'FULL JOIN'])} t AS u` : '';
    const on = join === '' || join.includes('CROSS') ? '' : ` ON u.int64 = t.int64`;
    const unnest =
      join === '' && random.chance(0.3)
        ? ` ${random.pick([', UNNEST(t.ints) AS item', 'LEFT JOIN UNNEST(t.strings) AS item WITH OFFSET AS position'])}`
        : '';
    const where = random.chance(0.5) ? ` WHERE ${typed('BOOL', depth)}` : '';
    const tail = random.chance(0.3) ? ` ORDER BY 1 ${random.pick(['', 'DESC', 'NULLS LAST'])} LIMIT ${random.below(5)}` : '';
    return `SELECT ${random.chance(0.1) ? 'DISTINCT ' : ''}${items.join(', ')} FROM ${source}${unnest}${join}${on}${where}${tail}`;
  };

  const aggregate = (depth: number): string => {
    const key = typed(random.pick(TYPES), 1);
    grouped = true;
    const items = Array.from({ length: 1 + random.below(3) }, (_, i) => `${call(random.pick(TYPES), depth)()} AS a${i}`);
    grouped = false;
    return `SELECT ${key} AS k, ${items.join(', ')} FROM t GROUP BY ${random.pick(['k', '1', 'ROLLUP(k)'])}${random.chance(0.2) ? ' HAVING COUNT(*) > 0' : ''}`;
  };

  const pipe = (depth: number): string => {
    const step = (): string =>
      random.pick([
        () => `WHERE ${typed('BOOL', depth)}`,
        () => `EXTEND ${typed(random.pick(TYPES), depth)} AS e${random.below(9)}`,
        () => `SET int64 = ${typed('INT64', depth)}`,
        () => 'DROP bytes',
        () => 'AS t',
        () => `LIMIT ${random.below(9)}`,
        () => 'ORDER BY int64',
      ])();
    return `FROM t ${Array.from({ length: 1 + random.below(4) }, () => `|> ${step()}`).join(' ')} ${random.chance(0.5) ? '|> AGGREGATE COUNT(*) AS n GROUP BY string' : '|> SELECT 1 AS one'}`;
  };

  const body = (depth: number): string =>
    random.chance(0.15)
      ? `(${body(depth - 1)}) ${random.pick(['UNION ALL', 'UNION DISTINCT', 'INTERSECT DISTINCT', 'EXCEPT DISTINCT'])} (${body(depth - 1)})`
      : random.pick([select, select, aggregate, pipe])(depth);

  return { query: (depth) => `WITH t AS (${TABLE}) ${random.chance(0.2) ? `, u AS (${select(1)}) ` : ''}${body(depth)}` };
}
