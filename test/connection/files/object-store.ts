// As much of an object store's HTTP interface as the engine needs to read from it, over the files of a folder: HEAD, GET with a range, and lists.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface ObjectStore {
  readonly url: string;
  /** Of each request for a file or a list: the Authorization header, or 'none'. */
  readonly logins: Set<string>;
  /** Keys that it does not know. */
  readonly unknown: Set<string>;
  close(): Promise<void>;
}

/** Buckets are folders of `folder`. */
export async function objectStore(folder: string): Promise<ObjectStore> {
  const logins = new Set<string>();
  const unknown = new Set<string>();
  const keys = (bucket: string): readonly string[] =>
    readdirSync(join(folder, bucket), { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name).slice(join(folder, bucket).length + 1)] : [],
    );
  const list = (bucket: string, prefix: string): string => {
    const found = keys(bucket).filter((key) => key.startsWith(prefix));
    const contents = found.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>"1"</ETag><Size>${statSync(join(folder, bucket, key)).size}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
    );
    return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><Prefix>${prefix}</Prefix><KeyCount>${found.length}</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`;
  };
  const bytesOf = (request: IncomingMessage): { readonly status: number; readonly body: Buffer; readonly range?: string } => {
    if (unknown.has(/Credential=([^/]+)/.exec(request.headers.authorization ?? '')?.[1] ?? ''))
      return {
        status: 403,
        body: Buffer.from('<Error><Code>InvalidAccessKeyId</Code><Message>No such key in our records.</Message></Error>'),
      };
    const url = new URL(request.url ?? '/', 'http://store');
    const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/');
    if (rest.join('/') === '') return { status: 200, body: Buffer.from(list(bucket, url.searchParams.get('prefix') ?? '')) };
    if (!keys(bucket).includes(rest.join('/'))) return { status: 404, body: Buffer.from('<Error><Code>NoSuchKey</Code></Error>') };
    const whole = readFileSync(join(folder, bucket, ...rest));
    const [, from, to] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    if (from === undefined) return { status: 200, body: whole };
    const body = whole.subarray(Number(from), to === '' ? undefined : Number(to) + 1);
    return { status: 206, body, range: `bytes ${from}-${Number(from) + body.length - 1}/${whole.length}` };
  };
  const server = createServer((request, response) => {
    if (request.url !== '/') logins.add(request.headers.authorization?.split('/')[0] ?? 'none');
    const { status, body, range } = bytesOf(request);
    response.writeHead(status, {
      'content-length': body.length,
      etag: '"1"',
      'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
      'accept-ranges': 'bytes',
      ...(range === undefined ? {} : { 'content-range': range }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    logins,
    unknown,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}
