// The page of the console and its files, as the build left them. They hold no data, so whoever reaches the server may read them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding } from './negotiate.ts';
import { noSuchPath, type Refusal } from './refusal.ts';

/** Everything the page loads is the server's own, and it can neither be framed nor send anything elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** A name with a hash in it, as the build gives them; it cannot lead out of the folder. */
const ASSET = /^[a-z-]+-[\w-]{8}\.(js|css)$/;

const NOT_BUILT: Refusal = {
  status: 404,
  code: 'not-found',
  message: 'the console has not been built',
  hint: 'npm run build; endpoints are described at /openapi.json',
};

interface ConsoleFilesOptions {
  /** Folder of the build's files. */
  readonly folder: string;
  readonly refuse: (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) => void;
}

export function addConsoleFiles(server: FastifyInstance, { folder, refuse }: ConsoleFilesOptions): void {
  const send = async (request: FastifyRequest, reply: FastifyReply, name: string, cacheControl: string): Promise<boolean> => {
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    const file = encoding === 'identity' ? name : `${name}.${encoding === 'br' ? 'br' : 'gz'}`;
    const bytes = await readIfThere(join(folder, file));
    if (bytes === undefined) return false;
    reply
      .headers({ ...HEADERS, 'cache-control': cacheControl, vary: 'Accept-Encoding' })
      .header('content-type', CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)]);
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    reply.send(bytes);
    return true;
  };

  server.get('/', async (request, reply) => {
    // Its name stays the same when the files it names change.
    if (!(await send(request, reply, 'index.html', 'no-cache'))) refuse(request, reply, NOT_BUILT);
    return reply;
  });

  server.get<{ Params: { readonly file: string } }>('/console/:file', async (request, reply) => {
    const { file } = request.params;
    if (!ASSET.test(file) || !(await send(request, reply, file, 'public, max-age=31536000, immutable'))) {
      refuse(request, reply, noSuchPath(request.url.split('?', 1)[0] ?? ''));
    }
    return reply;
  });
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
