// The OpenAPI document, made from the table of routes: https://spec.openapis.org/oas/v3.1.0
import type { DescribedEndpoint, Operation, RouteParts, Schema } from './route.ts';

type DocumentOptions = Pick<RouteParts, 'routes' | 'version' | 'compat' | 'authentication'>;

/** An OpenAPI 3.1 document. */
export function openApiDocument(endpoints: readonly DescribedEndpoint[], server: DocumentOptions): Schema {
  const { version, authentication } = server;
  const schemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
    bearer: { type: 'http', scheme: 'bearer' },
  };
  return {
    openapi: '3.1.0',
    info: { title: 'quern', version, description: 'Saved queries, each an endpoint.' },
    paths: pathsOf(endpoints, server),
    components: { schemas: { Error: ERROR }, responses: RESPONSES, ...(authentication ? { securitySchemes: schemes } : {}) },
    ...(authentication ? { security: [{ key: [] }, { bearer: [] }] } : {}),
  };
}

function pathsOf(endpoints: readonly DescribedEndpoint[], server: DocumentOptions): Schema {
  const paths = new Map<string, Record<string, Schema>>();
  const add = (path: string, method: string, operation: Operation): void => {
    const item = paths.get(path) ?? {};
    item[method.toLowerCase()] = { ...operation, responses: { ...operation.responses, ...FAILURES } };
    paths.set(path, item);
  };
  for (const { method, path, access, openApi } of server.routes) {
    if (typeof openApi === 'function') {
      for (const endpoint of endpoints) add(path.replace(':reference', endpoint.query.name), method, openApi(endpoint, server));
    } else if (openApi !== undefined) {
      const open = server.authentication && access === 'anybody' ? { security: [] } : {};
      add(path.replace(/:(\w+)/g, '{$1}'), method, { ...openApi, ...open });
    }
  }
  return Object.fromEntries(paths);
}

const ERROR: Schema = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        hint: { type: 'string' },
        position: {
          type: 'object',
          properties: { file: { type: 'string' }, line: { type: 'integer' }, column: { type: 'integer' } },
        },
        problems: {
          type: 'array',
          items: { type: 'object', properties: { kind: { type: 'string' }, name: { type: 'string' }, message: { type: 'string' } } },
        },
      },
      required: ['code', 'message'],
    },
  },
  required: ['error'],
};

const FAILURE_TEXTS: Readonly<Record<string, string>> = {
  400: 'Parameters are missing or invalid.',
  401: 'There is no API key, or it is not valid.',
  403: 'The API key does not cover this endpoint.',
  422: 'The caller’s SQL is wrong or refused, or the query failed on a value or at a limit.',
  429: 'The API key has made too many requests.',
  500: 'The server or the saved query has an error.',
  502: 'The engine reported an error of its own.',
  503: 'The engine cannot be reached, or is overloaded.',
  504: 'The query took too long.',
};

const RESPONSES: Schema = Object.fromEntries(
  Object.entries(FAILURE_TEXTS).map(([status, description]) => [
    `E${status}`,
    { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ]),
);

const FAILURES: Schema = Object.fromEntries(
  Object.keys(FAILURE_TEXTS).map((status) => [status, { $ref: `#/components/responses/E${status}` }]),
);
