// Log events, in a table of one layout after the other; the reference has their records as arrays of structs.

import type { Value } from '../../../src/base/result.ts';
import type { Random } from '../../../src/cli/demo/random.ts';
import { arrayOf, FLOAT64, INT64, STRING, structOf, TIMESTAMP, type Type } from '../../../src/sql/base/types.ts';
import { LAYOUTS } from '../../../test/sql/layouts-tables.ts';
import { quoted } from '../literal.ts';
import type { Table } from '../outcome.ts';
import type { EngineTable } from '../place.ts';
import { atom, EMPTY, type Expression, type Node, optional, textOf } from '../tree.ts';
import type { Readable } from './query.ts';
import type { TablePair } from './tables.ts';

/** A record by field: a scalar type, or the fields of a record in it. */
interface Shape {
  readonly [field: string]: Type | Shape;
}
type Event = { readonly [field: string]: Value | Event };

const METADATA = {
  region: STRING,
  weight: STRING,
  request: {
    method: STRING,
    path: STRING,
    host: STRING,
    headers: { user_agent: STRING, content_length: STRING, x_custom: STRING },
    cf: { country: STRING },
  },
  response: { status_code: INT64, origin_time: FLOAT64 },
} satisfies Shape;

const isType = (field: Type | Shape): field is Type => typeof field['kind' as keyof typeof field] === 'string';
const recordsOf = (shape: Shape): Type =>
  arrayOf(structOf(Object.entries(shape).map(([name, field]) => ({ name, type: isType(field) ? field : recordsOf(field) }))));

const COLUMNS: Table['columns'] = [
  { name: 'id', type: STRING },
  { name: 'timestamp', type: TIMESTAMP },
  { name: 'project', type: STRING },
  { name: 'event_message', type: STRING },
  { name: 'metadata', type: recordsOf(METADATA) },
];

function randomEvent(random: Random): Event {
  const maybe = (chance: number, fields: Event): Event => (random.chance(chance) ? fields : {});
  return {
    region: random.pick(['eu', 'us', 'é']),
    ...maybe(0.6, { weight: random.pick(['1', '2', 'x']) }),
    ...maybe(0.75, {
      request: {
        method: random.pick(['GET', 'POST']),
        ...maybe(0.8, { path: random.pick(['/', '/a', '/rest/v1', '']) }),
        ...maybe(0.5, { host: random.pick(['a', 'b.c']) }),
        ...maybe(0.6, {
          headers: {
            x_custom: random.pick(['a', '']),
            ...maybe(0.5, { user_agent: random.pick(['curl', "it's"]) }),
            ...maybe(0.6, { content_length: String(random.below(4)) }),
          },
        }),
        ...maybe(0.5, { cf: { country: random.pick(['DE', 'US']) } }),
      },
    }),
    ...maybe(0.7, {
      response: { status_code: random.pick([200n, 404n, 500n]), ...maybe(0.7, { origin_time: random.pick([0.5, 1, 2.25]) }) },
    }),
  };
}

/** A record as the reference has it: what is absent is NULL, or an empty array. */
const asValue = (shape: Shape, event: Event): Value =>
  Object.entries(shape).map(([name, field]): Value => {
    const value = event[name] ?? null;
    if (isType(field)) return value as Value;
    return value === null ? [] : [asValue(field, value as Event)];
  });

const asJson = (value: unknown): unknown =>
  typeof value === 'bigint'
    ? Number(value)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, asJson(v)]))
      : value;

/** The events of a batch of queries, held in one layout. */
export function eventTables(
  random: Random,
  batch: number,
): { readonly tables: readonly TablePair[]; readonly readables: readonly Readable[] } {
  const layouts = Object.values(LAYOUTS);
  const layout = layouts[batch % layouts.length] ?? LAYOUTS.nested;
  const events = Array.from({ length: 6 }, () => randomEvent(random));
  const rows = events.map((event, at): Table['rows'][number] => [
    `e${at}`,
    `2026-03-1${at % 3}T0${at}:00:00.500000Z`,
    random.pick(['alpha', 'beta']),
    random.pick(['GET | /', 'x']),
    [asValue(METADATA, event)],
  ]);
  const table: Table = { name: 'edge_logs', columns: COLUMNS, rows };
  const engine = (some: Table['rows']): EngineTable => {
    const columns = `id String, timestamp DateTime64(6, 'UTC'), project LowCardinality(String), event_message String, ${layout.edge}`;
    const lines = some.map((row) => {
      const [id, timestamp, project, event_message] = row;
      const event = events[Number(String(id).slice(1))] ?? {};
      return JSON.stringify({ id, timestamp, project, event_message, ...layout.columns([asJson(event)]) });
    });
    const settings = "date_time_input_format = 'best_effort', input_format_json_read_numbers_as_strings = 1";
    return {
      name: 'edge_logs',
      statements: [
        `CREATE TABLE x.edge_logs (${columns}) ENGINE = MergeTree ORDER BY (project, timestamp)`,
        ...(lines.length === 0
          ? []
          : [
              `INSERT INTO x.edge_logs SELECT * FROM format('JSONEachRow', ${quoted(columns)}, ${quoted(`${lines.join('\n')}\n`)}) SETTINGS ${settings}`,
            ]),
      ],
      ...('options' in layout ? { options: layout.options } : {}),
    };
  };
  return { tables: [{ table, engine }], readables: [readEvents, readEvents] };
}

const fields = (alias: string, shape: Shape): readonly Expression[] =>
  Object.entries(shape).flatMap(([name, field]) => (isType(field) ? [atom(field, `${alias}.${name}`)] : []));

const readEvents: Readable = (alias, random) => {
  const own = [atom(STRING, `${alias}.id`), atom(TIMESTAMP, `${alias}.timestamp`), atom(STRING, `${alias}.project`)];
  const outer = random.chance(0.4);
  const join = (record: string, as: string): Node => {
    const [offset, on] = [random.chance(0.2) ? ` WITH OFFSET AS ${as}o` : '', outer ? ' ON TRUE' : ''];
    const node: Node = { parts: [`${outer ? ' LEFT' : ' CROSS'} JOIN UNNEST(${record}) AS ${as}${offset}${on}`] };
    if (offset !== '') columns.push(atom(INT64, `${as}o`));
    return optional(node);
  };
  const columns: Expression[] = [...own, ...fields(`${alias}m`, METADATA)];
  const joins: Node[] = [join(`${alias}.metadata`, `${alias}m`)];
  if (random.chance(0.8)) {
    joins.push(join(`${alias}m.request`, `${alias}r`));
    const request = fields(`${alias}r`, METADATA.request);
    // Fields that the source declares for one record alone need no name of their record; host it declares for the headers too.
    const bare = random.chance(0.2);
    columns.push(...request.map((c) => (bare ? atom(c.type, String(c.parts[0]).replace(/^.*\.(?=(?:method|path)$)/, '')) : c)));
    if (random.chance(0.4)) {
      joins.push(join(`${alias}r.headers`, `${alias}h`));
      columns.push(...fields(`${alias}h`, METADATA.request.headers));
    }
  }
  if (random.chance(0.5)) {
    joins.push(join(`${alias}m.response`, `${alias}s`));
    columns.push(...fields(`${alias}s`, METADATA.response));
  }
  const key = [`${alias}.id`];
  const hasRequest = joins.length > 1 && textOf(joins[1] ?? EMPTY).includes('.request)');
  if (!hasRequest || !random.chance(0.12)) return { node: { parts: [`edge_logs AS ${alias}`, ...joins] }, columns, key, first: true };
  const kind = random.pick(['JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN']);
  const names = `(SELECT 'GET' AS method, 1 AS times UNION ALL SELECT 'x', 2) AS ${alias}u`;
  const others = columns.filter((c) => !/\bmethod$/.test(String(c.parts[0])));
  return {
    node: { parts: [`edge_logs AS ${alias}`, ...joins, ` ${kind} ${names} USING (method)`] },
    columns: [...others, atom(STRING, 'method'), atom(STRING, 'method'), atom(INT64, `${alias}u.times`)],
    key: /LEFT|^JOIN/.test(kind) ? key : undefined,
    first: true,
  };
};
