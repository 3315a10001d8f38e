// /openapi.json: the endpoints that the caller may use.

import { preparedIfAny } from '../answers/endpoints.ts';
import { json } from '../http/reply.ts';
import { barredFrom } from './callers-sql.ts';
import { coveredEndpoints } from './covered.ts';
import { openApiDocument } from './openapi-document.ts';
import type { Route } from './route.ts';

export const openApi: Route = {
  method: 'GET',
  path: '/openapi.json',
  access: 'key',
  open:
    (server) =>
    async ({ caller }) => {
      const endpoints = coveredEndpoints(server.table(), caller).map(async (endpoint) => {
        const { query } = endpoint;
        const prepared = await preparedIfAny(endpoint);
        return { query, prepared, takesSql: server.takesSql(query) && barredFrom(caller, prepared ?? query) === undefined };
      });
      return json(openApiDocument(await Promise.all(endpoints), server));
    },
};
