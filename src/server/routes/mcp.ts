// /mcp: the endpoints that the caller may use, as tools of agents, over the Model Context Protocol's Streamable HTTP. Without sessions: each
// request stands for itself, and what it runs goes through the endpoint as any other request with its key does.

import { type ErrorCode, QuernError } from '../../base/errors.ts';
import { printJson } from '../../engine/lossless-json.ts';
import type { OfferedQuery, Toolbox } from '../../mcp/toolbox.ts';
import { preparedIfAny } from '../answers/endpoints.ts';
import type { PlainReply } from '../http/reply.ts';
import { ANYBODY, type Caller } from '../keys/authentication.ts';
import { pinsFor } from './console.ts';
import { coveredEndpoints } from './covered.ts';
import type { Question, Route, RouteParts } from './route.ts';

export const mcp: Route = {
  method: 'POST',
  path: '/mcp',
  access: 'key',
  open: (server) => async (question) => {
    const { answerMcp } = await import('../../mcp/http.ts');
    const { request } = question;
    const { url, headers } = request;
    const asked = { url, headers: textsOf(headers), message: JSON.parse(printJson((request.body ?? null) as never)) as unknown }; // addBodies reads JSON
    const { status, headers: own, body } = await answerMcp(toolboxOf(server, question), server.version, asked);
    return { statusCode: status, headers: { 'cache-control': 'no-store', ...own }, body } satisfies PlainReply;
  },
};

const textsOf = (headers: Question['request']['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));

/** The headers of the caller that the endpoint needs. */
const PASSED_ON = ['x-api-key', 'authorization', 'host', 'x-request-id', 'lf-endpoint-redact-pii'] as const;

function toolboxOf(server: RouteParts, { request, caller }: Question): Toolbox {
  const offered = () => coveredEndpoints(server.table(), caller);
  return {
    takesAsOf: false,
    queries: async () =>
      Promise.all(
        offered().map(async (endpoint): Promise<OfferedQuery> => {
          const { name, description, maxRows, parameters } = endpoint.query;
          const all = (await preparedIfAny(endpoint))?.parameters ?? parameters;
          return { name, description, maxRows, parameters: withoutPins(caller, name, all) };
        }),
      ),
    async run(query, given) {
      const headers = Object.fromEntries(
        PASSED_ON.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]])),
      );
      const { statusCode, body } = await server.ask({
        method: 'POST',
        url: `/api/endpoints/${encodeURIComponent(query)}.json`,
        remoteAddress: request.ip,
        headers: { ...headers, 'content-type': 'application/json' },
        payload: JSON.stringify(given),
      });
      if (statusCode === 200) return body.trim();
      throw failureIn(body, statusCode);
    },
    async explain(query) {
      const endpoint = offered().find((one) => one.query.name === query);
      if (endpoint === undefined) throw new QuernError('unknown-query', `there is no endpoint ${query}`);
      const { sql, columns = [], maxRows, sources } = await endpoint.prepared();
      return { sql, columns, sources, maxRows };
    },
  };
}

/** Leaves out the parameters that the key sets itself. */
function withoutPins(caller: Caller, name: string, parameters: OfferedQuery['parameters']): OfferedQuery['parameters'] {
  if (caller === ANYBODY) return parameters;
  const pinned = pinsFor(caller, name, parameters);
  return parameters.filter((parameter) => pinned[parameter.name] === undefined);
}

/** The reply of an endpoint that could not answer. */
function failureIn(body: string, status: number): QuernError {
  try {
    const { error } = JSON.parse(body) as {
      readonly error: { readonly code: ErrorCode; readonly message: string; readonly hint?: string };
    }; // replyWith wrote it
    const { code, message, ...details } = error;
    return new QuernError(code, message, details);
  } catch {
    return new QuernError('engine', `the endpoint replied with status ${status}`);
  }
}
