// The server of the Model Context Protocol: saved queries for agents. It answers to whatever transport it is connected with.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { QuernError } from '../base/errors.ts';
import { positionAt } from '../base/source-text.ts';
import type { Toolbox } from './toolbox.ts';
import { toolsOf } from './tools.ts';

const INSTRUCTIONS =
  'Saved analytics queries on ClickHouse, read-only. Tools that run a query return its rows as JSON; if a call is wrong, its result says why. Times are UTC, in ISO 8601.';

const SOURCE = 'quern://sources/';

export function mcpServer(toolbox: Toolbox, version: string): Server {
  const { sources } = toolbox;
  const server = new Server(
    { name: 'quern', version },
    { capabilities: { tools: {}, ...(sources === undefined ? {} : { resources: {} }) }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: (await toolsOf(toolbox)).map(({ tool }) => tool) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }, { signal }) => {
    const found = (await told(() => toolsOf(toolbox))).find(({ tool }) => tool.name === name);
    if (found === undefined) throw protocolError(ErrorCode.InvalidParams, `there is no tool ${name}`);
    try {
      const { text, data } = await found.call(given, signal);
      return {
        content: [{ type: 'text', text }],
        ...(data === undefined ? {} : { structuredContent: { ...data } }),
      } satisfies CallToolResult;
    } catch (error) {
      if (!(error instanceof QuernError)) throw error;
      return { isError: true, content: [{ type: 'text', text: errorText(error) }] } satisfies CallToolResult;
    }
  });
  if (sources === undefined) return server;
  server.setRequestHandler(ListResourcesRequestSchema, async () => {
    const all = await told(() => sources.list());
    return {
      resources: all.map(({ name, description }) => ({
        uri: `${SOURCE}${encodeURIComponent(name)}`,
        name,
        description,
        mimeType: 'application/json',
      })),
    };
  });
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const name = uri.startsWith(SOURCE) ? decodeURIComponent(uri.slice(SOURCE.length)) : undefined;
    const data = name === undefined ? undefined : await told(() => sources.read(name));
    if (data === undefined) throw protocolError(ErrorCode.InvalidParams, `there is no source ${uri}`);
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
  });
  return server;
}

/** An error of the protocol's own. The SDK's class would put its words before the message, and clients put them there again. */
const protocolError = (code: ErrorCode, message: string): Error => Object.assign(new Error(message), { code });

/** Turns errors that the user must hear of into errors of the protocol. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof QuernError ? protocolError(ErrorCode.InternalError, errorText(error)) : error;
  }
}

/** As the command line says it, without the picture. */
function errorText({ code, message, details: { hint, problems = [], span, source, notes = [] } }: QuernError): string {
  const place = span === undefined || source === undefined ? undefined : positionAt(source.text, span.start);
  return [
    `error[${code}]: ${message}`,
    place === undefined ? [] : `at ${place.line}:${place.column} of ${source?.name}`,
    problems.map(({ kind, name, message: said }) => `${kind} ${name}: ${said}`),
    notes.map((note) => `note: ${note}`),
    hint === undefined ? [] : `hint: ${hint}`,
  ]
    .flat()
    .join('\n');
}
