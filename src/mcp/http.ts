// The server for agents over HTTP, one request at a time.
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { mcpServer } from './server.ts';
import type { Toolbox } from './toolbox.ts';

interface McpRequest {
  /** Its path. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, parsed. */
  readonly message: unknown;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer to one message of a client, which is JSON and no stream of events. */
export async function answerMcp(toolbox: Toolbox, version: string, { url, headers, message }: McpRequest): Promise<Answer> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = mcpServer(toolbox, version);
  await server.connect(transport);
  try {
    const request = new Request(new URL(url, 'http://localhost'), { method: 'POST', headers: { ...headers } });
    const response = await transport.handleRequest(request, { parsedBody: message });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  } finally {
    await server.close();
  }
}
