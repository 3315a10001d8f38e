// The addresses of endpoints: quern's own, those that Logflare's clients know, and the one of the console that takes SQL over all tables.
import { endpointOperation } from './openapi-endpoint.ts';
import type { Route } from './route.ts';

const PATH = '/api/endpoints/:reference';
const OTHER_PATHS = ['/api/endpoints/query/:reference', '/api/endpoints/query/name/:reference', '/endpoints/query/:reference'];

const at = (path: string): readonly Route[] =>
  (['GET', 'POST'] as const).map((method) => ({ method, path, access: 'endpoint', open: ({ endpoints }) => endpoints }));

export const endpointRoutes: readonly Route[] = [
  ...at(PATH).map((route) => ({ ...route, openApi: endpointOperation(route.method) })),
  ...OTHER_PATHS.flatMap(at),
  { method: 'POST', path: '/api/console/query', access: 'endpoint', open: ({ endpoints }) => endpoints },
];
