// Tables made step by step, as reports are: WITH tables that filter, compute, group, number, join and stack what those before them have.
import { INT64, STRING, type Type, typeName } from '../../../../src/sql/base/types.ts';
import { atom, type Expression, listOf, type Node, optional } from '../../tree.ts';
import { type Idiom, instead, type Maker, ordered, sql } from './maker.ts';

interface Step {
  readonly name: string;
  /** What it has: `id` is of type INT64. */
  readonly columns: readonly { readonly name: string; readonly type: Type }[];
  /** `id` is in no two rows, and never NULL. */
  readonly unique: boolean;
}

const columnsUnder = (alias: string, { columns }: Step): readonly Expression[] =>
  columns.map(({ name, type }) => atom(type, `${alias}.${name}`));

/** A condition on columns. */
function test(m: Maker, from: readonly Expression[]): Node {
  const one = m.random.pick(from);
  return m.some(
    () => sql`${one} IS NOT NULL`,
    () => sql`${one} ${m.some('=', '!=', '<', '>=')} ${m.part(one.type, from, 0)}`,
    () => sql`${one} ${m.some('=', '!=')} ${m.constant(one.type)}`,
    () => sql`(${one} IS NULL OR ${m.condition(from)})`,
    () => sql`${m.part(one.type, from, 0)} IN (${m.constant(one.type)}, ${m.part(one.type, from, 0)})`,
  )();
}

const item = (value: Node, name: string): Node => ({ parts: [value, ` AS ${name}`] });

function firstStep(m: Maker): readonly [Node, Step] {
  const types = [m.key(), m.key()];
  const columns = [{ name: 'id', type: INT64 }, ...types.map((type, at) => ({ name: `c${at}`, type }))];
  const items = types.map((type, at) => item(m.value(type, 'a'), `c${at}`));
  const query = sql`SELECT a.id, ${listOf(items)} FROM ${m.some('t1', 't2', 't1')} AS a${m.where('a')}`;
  return [query, { name: 'w0', columns, unique: true }];
}

/** A table made of those before it. */
function nextStep(m: Maker, name: string, before: readonly Step[]): readonly [Node, Step] {
  const last = m.random.chance(0.75) ? before[before.length - 1] : m.random.pick(before);
  if (last === undefined) return firstStep(m);
  const from = columnsUnder('p', last);
  const keys = last.columns.filter(({ name: n }) => n !== 'id');
  const key = m.random.pick(keys);
  const other = m.random.pick(before);
  const forms: readonly (() => readonly [Node, Step])[] = [
    () => [
      sql`SELECT * FROM ${last.name} AS p WHERE ${test(m, from)}${m.random.chance(0.3) ? optional(' AND ', test(m, from)) : ''}`,
      { ...last, name },
    ],
    () => {
      const type = m.key();
      const columns = [...last.columns.slice(0, 3), { name: `n${before.length}`, type }];
      const items = [...from.slice(0, 3), item(m.value(type, from), `n${before.length}`)];
      return [sql`SELECT ${listOf(items, ', ', items.length)} FROM ${last.name} AS p`, { ...last, name, columns }];
    },
    () => {
      const of = m.random.pick(from);
      const columns = [
        { name: 'id', type: INT64 },
        { name: 'g', type: key?.type ?? INT64 },
        { name: 'm', type: of.type },
        { name: 'n', type: INT64 },
      ];
      return [
        sql`SELECT MIN(p.id) AS id, p.${key?.name ?? 'id'} AS g, ${m.some('MAX', 'MIN')}(${of}) AS m, COUNT(${m.some('*', 'p.id')}) AS n FROM ${last.name} AS p${m.random.chance(0.3) ? sql` WHERE ${test(m, from)}` : ''} GROUP BY g${m.some('', '', ' HAVING n > 1', ' HAVING COUNT(*) < 3')}`,
        { name, columns, unique: last.unique },
      ];
    },
    () => {
      const of = m.random.pick(from);
      const part = key !== undefined && key.type.kind !== 'FLOAT64' && m.random.chance(0.6) ? sql`PARTITION BY p.${key.name} ` : '';
      const [call, type] = m.some<readonly [Node, Type]>(
        [sql`LAG(${of}) OVER (${part}ORDER BY p.id)`, of.type],
        [sql`ROW_NUMBER() OVER (${part}ORDER BY p.id)`, INT64],
        [sql`COUNT(${of}) OVER (${part}ORDER BY p.id)`, INT64],
        [sql`MAX(${of}) OVER (${part})`, of.type],
        [sql`FIRST_VALUE(${of} IGNORE NULLS) OVER (${part}ORDER BY p.id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`, of.type],
      );
      if (!last.unique)
        return [sql`SELECT *, COUNT(*) OVER (PARTITION BY p.id) AS r${name} FROM ${last.name} AS p`, added(last, name, INT64)];
      return [sql`SELECT *, ${call} AS r${name} FROM ${last.name} AS p`, added(last, name, type)];
    },
    () => {
      const right = columnsUnder('q', other);
      const both = [...from.slice(0, 2), ...right.slice(1, 3)];
      const columns = [{ name: 'id', type: INT64 }, ...both.slice(1).map(({ type }, at) => ({ name: `j${before.length}${at}`, type }))];
      const items = [from[0] ?? sql`p.id`, ...both.slice(1).map((value, at) => item(value, `j${before.length}${at}`))];
      const on = m.some(
        () => sql`p.id = q.id`,
        () => sql`p.id = q.id AND ${test(m, right)}`,
        () => {
          const k = m.random.pick(from);
          return sql`${k} = ${m.part(k.type, right, 0)}`;
        },
        () => sql`p.id ${m.some('<', '>')} q.id AND ${test(m, [...from, ...right])}`,
      )();
      return [
        sql`SELECT ${listOf(items, ', ', items.length)} FROM ${last.name} AS p ${m.some('JOIN', 'LEFT JOIN', 'LEFT JOIN')} ${other.name} AS q ON ${on}`,
        { name, columns, unique: false },
      ];
    },
    () => [
      sql`SELECT * FROM ${last.name} AS p WHERE ${m.some('', 'NOT ')}EXISTS(SELECT 1 FROM ${other.name} AS q WHERE q.id = p.id AND ${test(m, [...columnsUnder('q', other), ...from])})`,
      { ...last, name },
    ],
    () => {
      const k = m.random.pick(from);
      return [
        sql`SELECT * FROM ${last.name} AS p WHERE ${k} ${m.some('IN', 'NOT IN')} (SELECT ${m.value(k.type, columnsUnder('q', other), 0)} FROM ${other.name} AS q WHERE ${test(m, columnsUnder('q', other))})`,
        { ...last, name },
      ];
    },
    () => {
      const list = last.columns.map(({ name: n }) => n).join(', ');
      const turned = last.columns.map(({ name: n, type }) =>
        n === 'id' ? 'p.id + 100' : m.random.chance(0.3) ? `CAST(NULL AS ${typeName(type)})` : `p.${n}`,
      );
      return [
        sql`SELECT ${list} FROM ${last.name} UNION ALL SELECT ${turned.join(', ')} FROM ${last.name} AS p WHERE ${test(m, from)}`,
        { ...last, name, unique: last.unique },
      ];
    },
    () => [
      sql`SELECT * FROM ${last.name} AS p WHERE TRUE QUALIFY ROW_NUMBER() OVER (PARTITION BY ${key === undefined || key.type.kind === 'FLOAT64' ? 'p.id' : `p.${key.name}`} ORDER BY p.id${m.some('', ' DESC')}${last.unique ? '' : `, ${last.columns.map(({ name: n }) => `TO_JSON_STRING(p.${n})`).join(', ')}`}) = 1`,
      { ...last, name },
    ],
    () => [
      sql`SELECT id, ${keys.map(({ name: n }) => `MAX(p.${n}) AS ${n}`).join(', ') || 'COUNT(*) AS n'} FROM ${last.name} AS p GROUP BY id`,
      keys.length === 0 ? { name, columns: [...last.columns, { name: 'n', type: INT64 }], unique: true } : { ...last, name, unique: true },
    ],
    () => {
      const type = m.key();
      return [
        sql`SELECT p.*, (SELECT ${m.some('MAX', 'MIN')}(${m.value(type, 'b')}) FROM t2 AS b WHERE b.${m.some('k', 'id')} = p.id) AS s${name} FROM ${last.name} AS p`,
        { ...last, name, columns: [...last.columns, { name: `s${name}`, type }] },
      ];
    },
    () => {
      const list = last.columns.map(({ name: n }) => `p.${n}`).join(', ');
      return [
        sql`SELECT ${list}, x AS x${name} FROM ${last.name} AS p ${m.some('CROSS JOIN', 'LEFT JOIN')} UNNEST([p.id, ${m.some('1', 'NULL', 'p.id + 1')}]) AS x`,
        { name, columns: [...last.columns, { name: `x${name}`, type: INT64 }], unique: false },
      ];
    },
  ];
  return m.random.pick(forms)();
}

const added = (last: Step, name: string, type: Type): Step => ({ ...last, name, columns: [...last.columns, { name: `r${name}`, type }] });

export const STEP_IDIOMS: Readonly<Record<string, Idiom>> = {
  steps(m) {
    const [first, step] = firstStep(m);
    const steps = [step];
    const tables: Node[] = [sql`w0 AS (${first})`];
    for (let at = 1 + m.random.below(4); at > 0; at--) {
      const name = `w${steps.length}`;
      const [query, made] = nextStep(m, name, steps);
      tables.push(sql`${name} AS (${query})`);
      steps.push(made);
    }
    const last = steps[steps.length - 1] ?? step;
    const end = m.random.pick(steps);
    const list = last.columns.map(({ name }) => name).join(', ');
    const with_ = sql`WITH ${listOf(tables, ', ', tables.length)} `;
    const key = m.random.pick(last.columns).name;
    return m.some<() => Node | ReturnType<typeof ordered>>(
      () => sql`${with_}SELECT * FROM ${last.name}`,
      () => sql`${with_}SELECT ${key}, COUNT(*) AS n FROM ${last.name} GROUP BY ${key}`,
      () => sql`${with_}SELECT COUNT(*) AS n, COUNT(${key}) AS c, MAX(${key}) AS y FROM ${last.name}`,
      () =>
        sql`${with_}SELECT p.id, q.id AS o, q.${m.random.pick(end.columns).name} AS y FROM ${last.name} AS p ${m.some('JOIN', 'LEFT JOIN', 'FULL JOIN')} ${end.name} AS q ON p.id = q.id`,
      () =>
        sql`${with_}SELECT ${key} FROM ${last.name} WHERE ${test(
          m,
          last.columns.map(({ name, type }) => atom(type, name)),
        )}`,
      () =>
        ordered(
          sql`${with_}SELECT * FROM ${last.name} ORDER BY ${last.columns.map(({ name }) => `TO_JSON_STRING(${name})`).join(', ')} LIMIT 3`,
        ),
      () =>
        instead(
          sql`${with_}FROM ${last.name} |> AGGREGATE COUNT(*) AS n, MIN(id) AS y GROUP BY ${key}`,
          sql`${with_}SELECT ${key}, COUNT(*) AS n, MIN(id) AS y FROM ${last.name} GROUP BY ${key}`,
        ),
      () => sql`${with_}SELECT DISTINCT ${list} FROM ${last.name}`,
    )();
  },
  /** Rows that are none: of tables, sides of joins, groups, arrays. */
  ofNoRows(m) {
    const k = m.key();
    const none = m.some('WHERE FALSE', 'WHERE a.id > 1000', 'LIMIT 0', 'WHERE a.k IS NULL', 'WHERE CAST(NULL AS BOOL)');
    const empty = sql`(SELECT a.id, a.c, ${m.value(k, 'a', 0)} AS y FROM t1 AS a ${none})`;
    return m.some(
      () => sql`SELECT COUNT(*) AS n, COUNT(y) AS c, MAX(y) AS y, SUM(id) AS s, ARRAY_LENGTH(ARRAY_AGG(y IGNORE NULLS)) AS l FROM ${empty}`,
      () => sql`SELECT c, COUNT(*) AS n FROM ${empty} GROUP BY c`,
      () => sql`SELECT 1 AS one, COUNT(*) AS n FROM ${empty} HAVING COUNT(*) ${m.some('= 0', '> 0')}`,
      () =>
        sql`SELECT b.id, e.y, e.id AS o FROM t2 AS b ${m.some('LEFT JOIN', 'FULL JOIN', 'RIGHT JOIN', 'JOIN', 'LEFT JOIN')} ${empty} AS e ON ${m.some('b.id = e.id', 'b.k < e.id', 'TRUE', 'b.c')}`,
      () =>
        sql`SELECT b.id, (SELECT MAX(e.y) FROM ${empty} AS e WHERE e.id = b.id) AS y0, (SELECT COUNT(*) FROM ${empty} AS e WHERE e.id <= b.id) AS y1, b.id IN (SELECT e.id FROM ${empty} AS e) AS y2, b.i NOT IN (SELECT e.id FROM ${empty} AS e) AS y3, EXISTS(SELECT 1 FROM ${empty} AS e WHERE e.id = b.id) AS y4 FROM t2 AS b`,
      () =>
        sql`SELECT b.id, (SELECT e.y FROM ${empty} AS e) AS y0, (SELECT COUNT(*) FROM ${empty}) AS y1, IFNULL((SELECT SUM(id) FROM ${empty}), -1) AS y2, ARRAY_LENGTH(ARRAY(SELECT e.id FROM ${empty} AS e)) AS y3 FROM t2 AS b`,
      () => sql`SELECT b.id, e.n, e.y FROM t2 AS b CROSS JOIN (SELECT COUNT(*) AS n, MAX(y) AS y FROM ${empty}) AS e`,
      () =>
        sql`SELECT b.id, e.n, e.y FROM t2 AS b LEFT JOIN (SELECT c, COUNT(*) AS n, MAX(y) AS y FROM ${empty} GROUP BY c) AS e ON b.c = e.c`,
      () => sql`SELECT y FROM ${empty} UNION ALL SELECT ${m.value(k, 'b', 0)} FROM t2 AS b`,
      () =>
        sql`SELECT ${m.value(k, 'b', 0)} AS y FROM t2 AS b ${m.some('EXCEPT DISTINCT', 'INTERSECT DISTINCT', 'UNION DISTINCT')} SELECT y FROM ${empty}`,
      () => sql`SELECT y, ROW_NUMBER() OVER (ORDER BY id) AS r FROM ${empty}`,
      () =>
        sql`SELECT STRING_AGG(CAST(id AS STRING)) AS y0, LOGICAL_AND(c) AS y1, COUNTIF(c) AS y2, AVG(id) AS y3, ANY_VALUE(y) AS y4, STDDEV(id) AS y5 FROM ${empty}`,
      () => sql`SELECT * FROM ${empty} PIVOT(COUNT(y) FOR id IN (1 AS one, 2 AS two))`,
      () =>
        sql`WITH e AS (SELECT * FROM ${empty}) SELECT (SELECT COUNT(*) FROM e) AS n, (SELECT AS STRUCT MAX(id) AS x FROM e).x AS y, EXISTS(SELECT * FROM e) AS z`,
    )();
  },
  /** Values of types that differ, compared and chosen from. */
  ofTwoTypes(m) {
    const numbers: readonly Type[] = [{ kind: 'INT64' }, { kind: 'FLOAT64' }, { kind: 'NUMERIC' }, { kind: 'BIGNUMERIC' }];
    const [k, l] = [m.random.pick(numbers), m.random.pick(numbers)];
    const text = m.some("'2024-02-29'", "'1970-01-01'", "'2023-12-31'");
    return m.some(
      () =>
        sql`SELECT a.id, ${m.part(k, 'a')} ${m.some('=', '<', '>=', '!=', 'IS DISTINCT FROM')} ${m.part(l, 'a')} AS y0, ${m.part(k, 'a')} IN (${m.part(l, 'a')}, ${m.constant(k)}, 1) AS y1 FROM t1 AS a`,
      () =>
        sql`SELECT a.id, COALESCE(${m.value(k, 'a')}, ${m.value(l, 'a')}, 0) AS y0, IF(${m.condition('a')}, ${m.value(k, 'a')}, ${m.value(l, 'a')}) AS y1, GREATEST(${m.value(k, 'a')}, ${m.value(l, 'a')}) AS y2 FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ${m.part(k, 'a')} BETWEEN ${m.part(l, 'a')} AND ${m.part(m.random.pick(numbers), 'a')} AS y0, CASE ${m.value(k, 'a')} WHEN ${m.value(l, 'a')} THEN 1 ELSE 0.5 END AS y1 FROM t1 AS a`,
      () =>
        sql`SELECT a.id, b.id AS o FROM t1 AS a ${m.some('JOIN', 'LEFT JOIN', 'FULL JOIN')} t2 AS b ON ${m.part(k, 'a')} = ${m.part(l, 'b')}`,
      () => sql`SELECT a.id, ${m.part(k, 'a')} ${m.some('IN', 'NOT IN')} (SELECT ${m.value(l, 'b')} FROM t2 AS b) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, a.d ${m.some('=', '<', '>=')} ${text} AS y0, a.t ${m.some('<', '>')} ${text} AS y1, a.d BETWEEN ${text} AND '2299-12-31' AS y2, a.t IN (${text}, '2024-02-29 12:34:56.789') AS y3, IF(a.d IS NULL, ${text}, a.d) AS y4, COALESCE(a.t, TIMESTAMP ${text}) AS y5 FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ARRAY_LENGTH([${m.value(k, 'a')}, ${m.value(l, 'a')}, NULL]) AS n, [${m.value(k, 'a')}, ${m.value(l, 'a')}][OFFSET(1)] AS y FROM t1 AS a`,
      () =>
        sql`SELECT y, COUNT(*) AS n FROM (SELECT ${m.value(k, 'a')} AS y FROM t1 AS a UNION ALL SELECT ${m.value(l, 'b')} FROM t2 AS b) GROUP BY y`,
      () =>
        sql`SELECT a.id, ${m.part(k, 'a')} ${m.some('+', '-', '*')} ${m.part(l, 'a')} AS y0, SAFE_DIVIDE(${m.value(k, 'a')}, ${m.value(l, 'a')}) AS y1, CONCAT(${m.value(STRING, 'a')}, CAST(${m.value(k, 'a')} AS STRING)) AS y2 FROM t1 AS a`,
      () =>
        sql`SELECT a.id, STRUCT(${m.value(k, 'a', 0)} AS x, 1 AS y) = STRUCT(${m.value(l, 'a', 0)} AS x, a.k AS y) AS y0, (${m.value(k, 'a', 0)}, a.k) IN ((${m.value(l, 'a', 0)}, 1), (1, 2)) AS y1 FROM t1 AS a`,
    )();
  },
  /** Money, and the numbers that people write beside it. */
  decimals(m) {
    const money = m.some('a.n', 'a.p', 'a.m', 'SUM(a.n)', 'AVG(a.n)', 'MAX(a.p)');
    const number = () => m.some('0.1', '1.5', '-0.5', '100.0', '2.5', '1e2', '0.0', '(0.1 + 0.2)', '2', 'a.k', 'a.f');
    const n = money.includes('(') ? () => m.some('0.1', '1.5', '-0.5', '100.0', '2', 'COUNT(*)') : number;
    const y = m.some(
      () => `${money} ${m.some('+', '-', '*')} ${n()}`,
      () => `${n()} ${m.some('+', '-', '*')} ${money}`,
      () => `SAFE_DIVIDE(${money}, ${n()})`,
      () => `${money} / ${m.some('2.5', '100.0', '0.3', '4')}`,
      () => `ROUND(${money} * ${n()}, ${m.some('0', '1', '2')})`,
      () => `IF(${money} > ${n()}, ${money}, ${n()})`,
      () => `COALESCE(${money} * ${n()}, ${n()})`,
      () => `GREATEST(${money}, ${n()}, 0.5)`,
      () => `CASE WHEN ${money} IN (${n()}, 0.5, 1) THEN ${money} * 1.1 ELSE 0.5 END`,
      () => `TO_JSON_STRING(${money} * ${n()})`,
      () => `CAST(${money} * ${n()} AS STRING)`,
    )();
    return money.includes('(')
      ? sql`SELECT a.c, ${y} AS y FROM t1 AS a${m.where('a')} GROUP BY a.c${m.some('', ' HAVING SUM(a.n) * 0.5 > 0.1')}`
      : sql`SELECT a.id, ${y} AS y FROM t1 AS a${m.some('', ' WHERE a.n * 0.1 > 0.05', ' WHERE a.n >= 0.5')}`;
  },
  pivots(m) {
    const k = m.key();
    const [x, y] = [m.constant(k), m.constant(k)];
    const from = sql`(SELECT ${m.value(k, 'a')} AS f, a.k AS v, ${m.value(m.key(), 'a')} AS u${m.some('', ', a.c', ', a.w')} FROM t1 AS a${m.where('a')})`;
    return m.some(
      () =>
        sql`SELECT * FROM (SELECT f, v${m.some('', ', u')} FROM ${from}) PIVOT(${m.some('SUM', 'MAX', 'COUNT', 'AVG')}(v) AS s, COUNT(*) AS n FOR f IN (${x} AS p0, ${y} AS p1))`,
      () =>
        sql`SELECT q.s_p0, b.id FROM (SELECT * FROM (SELECT f, v FROM ${from}) PIVOT(SUM(v) AS s FOR f IN (${x} AS p0, ${y} AS p1))) AS q ${m.some('JOIN', 'LEFT JOIN')} t2 AS b ON q.s_p0 ${m.some('=', '>')} b.k`,
      () =>
        sql`SELECT * FROM (SELECT f, v, u FROM ${from}) PIVOT(ANY_VALUE(v HAVING MAX v) FOR f IN (${x} AS p0)) WHERE p0 IS ${m.some('', 'NOT ')}NULL`,
      () =>
        sql`SELECT n, MAX(v) AS v, COUNT(*) AS c FROM (SELECT a.id + 0 AS id, a.i AS x, a.j AS y, a.k AS z FROM t1 AS a) UNPIVOT${m.some('', ' INCLUDE NULLS', ' EXCLUDE NULLS')}(v FOR n IN (x, y, z)) GROUP BY n`,
      () =>
        sql`SELECT * FROM (SELECT a.id + 0 AS id, a.i + 0 AS x, a.s || '' AS xs, a.j + 0 AS y, a.u || '' AS ys FROM t1 AS a) UNPIVOT${m.some('', ' INCLUDE NULLS')}((n, t) FOR which IN ((x, xs) AS 'first', (y, ys) AS 'second'))`,
      () => sql`SELECT f, v, w FROM (SELECT f, COUNT(*) AS p, MAX(v) AS q FROM ${from} GROUP BY f) UNPIVOT(v FOR w IN (p AS 1, q AS 2))`,
    )();
  },
};
