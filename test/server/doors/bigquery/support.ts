// A server with the door for BigQuery's clients, and the official clients pointed at it.
import { BigQuery } from '@google-cloud/bigquery';
import { BigQuery as BigQuery7 } from 'bigquery7';
import type { EmbeddedEngine } from '../../../../src/engine/embedded/embedded.ts';
import { systemClock } from '../../../../src/server/clock.ts';
import { type Served, type ServedOptions, served } from '../../server-support.ts';

// The clients would look for a login in the cloud.
process.env['METADATA_SERVER_DETECTION'] = 'none';

export const PROJECT = 'demo-project';

export interface Door extends Served {
  readonly address: string;
  /** The clients of both majors, without a login. */
  readonly clients: readonly [BigQuery, BigQuery];
}

/** Times of jobs and of waits are real, and a key covers the door. */
export async function door(engine: EmbeddedEngine, { options, key, ...others }: ServedOptions = {}): Promise<Door> {
  const scoped = key === undefined ? {} : { key: { scopes: ['*', 'bigquery'], ...key } };
  const world = await served(engine, { isExact: true, ...others, ...scoped, options: { bigquery: true, clock: systemClock, ...options } });
  const address = await world.server.listen('127.0.0.1', 0);
  const clients = [
    new BigQuery({ projectId: PROJECT, apiEndpoint: address }),
    new BigQuery7({ projectId: PROJECT, apiEndpoint: address }) as unknown as BigQuery,
  ] as const;
  return { ...world, address, clients };
}

/** The reply of a method, as JSON. */
export async function call(
  { server, secret }: Pick<Served, 'server' | 'secret'>,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS',
  path: string,
  body?: object,
) {
  const reply = await server.fastify.inject({
    method,
    url: `/bigquery/v2/projects/${PROJECT}${path}`,
    headers: { host: 'localhost', ...(secret === '' ? {} : { authorization: `Bearer ${secret}` }) },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: reply.statusCode, body: reply.body === '' ? undefined : reply.json() };
}

/** The rows of a reply, without `f` and `v` where they are plain. */
// biome-ignore lint/suspicious/noExplicitAny: rows as they came
export const cells = (body: any): unknown[][] => (body.rows ?? []).map(({ f }: { f: { v: unknown }[] }) => f.map(({ v }) => v));
