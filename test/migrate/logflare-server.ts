// A small server that answers as Logflare's management API does.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export const TOKEN = 'private-token';

export interface LogflareServer {
  readonly url: string;
  /** What GET /api/endpoints answers with next: JSON values, or a way of its own. */
  answer(with_: unknown | ((request: IncomingMessage, response: ServerResponse) => void)): void;
  readonly seen: { readonly path: string; readonly authorization: string | undefined }[];
  stop(): Promise<void>;
}

export async function startLogflare(): Promise<LogflareServer> {
  let answer: unknown = [];
  const seen: { path: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    seen.push({ path: request.url ?? '', authorization: request.headers.authorization });
    if (typeof answer === 'function') return void answer(request, response);
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value));
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return void json(401, { error: 'Unauthorized' });
    if (request.method !== 'GET' || request.url !== '/api/endpoints') return void json(404, { error: 'Not Found' });
    json(200, answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    answer(value) {
      answer = value;
    },
    seen,
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** An endpoint with all that the API lists of one. */
export const endpoint = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  id: 1,
  token: '11111111-2222-4333-8444-555555555555',
  name: 'requests.by-path',
  description: null,
  query: 'select count(*) as n from edge_logs',
  language: 'bq_sql',
  source_mapping: {},
  sandboxable: false,
  cache_duration_seconds: 0,
  proactive_requerying_seconds: 0,
  max_limit: 1000,
  enable_auth: true,
  labels: null,
  redact_pii: false,
  ...fields,
});
