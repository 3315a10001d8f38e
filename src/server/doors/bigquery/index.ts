// The door for clients of BigQuery: its REST API (v2), as far as queries and what they read need it.
import { isFailure } from '../../http/failure.ts';
import type { PlainRoute, Route, RouteParts } from '../../routes/route.ts';
import { projectRoutes } from './catalog/projects.ts';
import { routineRoutes } from './catalog/routines.ts';
import { tableRoutes } from './catalog/tables.ts';
import { discoveryRoutes } from './discovery.ts';
import { bigQueryError, inGooglesForm } from './errors.ts';
import type { Json } from './job-request.ts';
import { jobRoutes } from './job-routes.ts';
import { Jobs } from './jobs.ts';
import { withFields } from './partial-reply.ts';
import { readQueryParameters } from './query-parameters.ts';
import { tokenRoute } from './token.ts';

/** Clients that are told of another host ask with the base path; Node's, told so by BIGQUERY_EMULATOR_HOST, without. */
const BASES = ['/bigquery/v2', ''] as const;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const ELSEWHERE = [
  '/bigquery/v2',
  '/bigquery/v2/*',
  '/upload/bigquery/v2/*',
  '/resumable/upload/bigquery/v2/*',
  '/batch/bigquery/v2',
  '/batch',
] as const;

/** Returns the rows of the table of routes; each server has its own. */
export function bigQueryRoutes(): readonly Route[] {
  const ofServers = new WeakMap<RouteParts['pages'], Jobs>();
  const jobsOf = (server: RouteParts): Jobs => {
    const jobs = ofServers.get(server.pages) ?? new Jobs(server);
    ofServers.set(server.pages, jobs);
    return jobs;
  };
  const methods = [
    ...jobRoutes({ jobsOf, readParameters: readQueryParameters }),
    ...projectRoutes,
    ...tableRoutes(jobsOf),
    ...routineRoutes,
  ];
  const served = new Set(methods.map(({ method, path }) => `${method} ${path}`));
  const others = METHODS.flatMap((method) =>
    ['/projects', '/projects/*'].flatMap((path) => (served.has(`${method} ${path}`) ? [] : [refusing(method, path)])),
  );
  return [
    ...BASES.flatMap((base) =>
      [...methods, ...others].map(({ name, ...row }) => doorRoute(name, { ...row, path: `${base}${row.path}`, access: 'bigquery' })),
    ),
    ...METHODS.flatMap((method) => ELSEWHERE.map((path) => doorRoute('bigquery.other', { ...refusing(method, path), access: 'bigquery' }))),
    tokenRoute,
    ...discoveryRoutes.map((row) => doorRoute('bigquery.discovery', { ...row, access: 'anybody' })),
  ];
}

const doorRoute = (name: string, row: Omit<PlainRoute, 'door'>): Route => ({
  ...row,
  open: (server) => {
    const answer = row.open(server);
    return (question) => {
      const query = question.request.query as Json; // as Fastify reads addresses
      if (query['fields'] === undefined) return answer(question);
      return Promise.resolve(answer(question)).then((reply) => (isFailure(reply) ? reply : withFields(reply, query)));
    };
  },
  door: { name, failure: inGooglesForm },
});

const refusing = (method: PlainRoute['method'], path: string) => ({
  name: 'bigquery.other',
  method,
  path,
  open: () => () => {
    throw bigQueryError(501, 'notImplemented', INSTEAD);
  },
});

const INSTEAD =
  'quern does not support this method of the BigQuery API: it answers queries, and what clients read of datasets, tables and routines; load data with `quern load`, or where they are kept';
