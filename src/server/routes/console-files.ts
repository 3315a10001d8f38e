// The pages of the console and their files, as the build left them. They hold no data, so whoever reaches the server may read them.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, type CompressCallback, constants, gzip } from 'node:zlib';
import type { Encoding } from '../answers/answer.ts';
import type { Failure } from '../http/failure.ts';
import { acceptedEncoding } from '../http/negotiate.ts';
import { noSuchPath } from '../http/refusal.ts';
import type { PlainReply } from '../http/reply.ts';
import type { Question, Route } from './route.ts';

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

/** The playground loads quern/translate, which is next to the console's folder, under the name that the build gave it (scripts/console.mjs). */
const TRANSLATOR = /^translate-/;

const NOT_BUILT: Failure = {
  status: 404,
  code: 'not-found',
  message: 'the console has not been built',
  hint: 'build it with `npm run build`; endpoints are described at /openapi.json',
};

const FOREVER = 'public, max-age=31536000, immutable';

/** Undefined for a file that is not there. */
type Find = (folder: string, name: string, encoding: Encoding) => Promise<Buffer | undefined>;

const COMPRESS = {
  br: promisify((bytes: Buffer, done: CompressCallback) =>
    brotliCompress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }, done),
  ),
  gzip: promisify((bytes: Buffer, done: CompressCallback) => gzip(bytes, { level: 9 }, done)),
};

/** They are compressed when they are first asked for: compressed before, they would be a seventh of the package. */
function compressedWhenAsked(): Find {
  const known = new Map<string, Buffer>();
  return async (folder, name, encoding) => {
    const file = join(folder, name);
    const body = known.get(`${encoding} ${file}`) ?? (await (TRANSLATOR.test(name) ? translator(folder, name) : readIfThere(file)));
    if (body === undefined || encoding === 'identity' || known.has(`${encoding} ${file}`)) return body;
    const compressed = await COMPRESS[encoding](body);
    // Another build has other files of the names without a hash.
    if (ASSET.test(name)) known.set(`${encoding} ${file}`, compressed);
    return compressed;
  };
}

const find = compressedWhenAsked();

async function file({ request }: Question, folder: string, name: string, cacheControl: string): Promise<PlainReply | undefined> {
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  const body = await find(folder, name, encoding);
  if (body === undefined) return undefined;
  const contentType = CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? '';
  const encoded: Readonly<Record<string, string>> = encoding === 'identity' ? {} : { 'content-encoding': encoding };
  return { headers: { ...HEADERS, 'cache-control': cacheControl, vary: 'Accept-Encoding', 'content-type': contentType, ...encoded }, body };
}

/** Its name stays the same when the files it names change. */
const page = (path: string, name: string): Route => ({
  method: 'GET',
  path,
  access: 'anybody',
  open:
    ({ consoleFolder }) =>
    async (question) =>
      (await file(question, consoleFolder, name, 'no-cache')) ?? NOT_BUILT,
});

const assets: Route = {
  method: 'GET',
  path: '/console/:file',
  access: 'anybody',
  open:
    ({ consoleFolder }) =>
    async (question) => {
      const { params, url } = question.request;
      const { file: name } = params as { readonly file: string }; // as the path says
      const found = ASSET.test(name) ? await file(question, consoleFolder, name, FOREVER) : undefined;
      return found ?? noSuchPath(url.split('?', 1)[0] ?? '');
    },
};

export const consoleFiles: readonly Route[] = [page('/', 'index.html'), page('/playground', 'playground.html'), assets];

/** quern/translate, unless the name is that of another build. */
async function translator(folder: string, name: string): Promise<Buffer | undefined> {
  const body = await readIfThere(join(folder, '../translate.js'));
  return body && name === `translate-${createHash('sha256').update(body).digest('base64url').slice(0, 8)}.js` ? body : undefined;
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
