// Files at an address, as the engine's own table functions and table engines read them.
// https://clickhouse.com/docs/sql-reference/table-functions/s3 and /url
import { QuernError } from '../../base/errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface RemoteFiles {
  /** The table function; the engine of tables is called the same, but for its letters. */
  readonly kind: 's3' | 'url';
  /** What comes before the format, as texts. */
  readonly args: readonly string[];
  /** Of an object store: what stands before the bucket. */
  readonly store: string;
  /** Nobody signs the request: the files are public. */
  readonly unsigned?: true;
}

/** Where the keys of a store stand in the environment. */
const KEYS = {
  s3: { id: 'AWS_ACCESS_KEY_ID', secret: 'AWS_SECRET_ACCESS_KEY', session: 'AWS_SESSION_TOKEN' },
  gs: { id: 'GS_ACCESS_KEY_ID', secret: 'GS_SECRET_ACCESS_KEY', session: '' },
} as const;

/**
 * How `address` is read: https:// as it stands, s3:// and gs:// with the keys in `env`, or as public files. On a server that is its own affair: nothing is said of keys. Throws
 * QuernError `config` for an address without a bucket and a path.
 */
export function remoteFiles(address: string, env: Environment, onServer = false): RemoteFiles {
  if (/^https:/i.test(address)) return { kind: 'url', store: '', args: [address] };
  const [, scheme = '', bucket = '', key = ''] = /^(\w+):\/\/([^/]+)\/(.+)$/.exec(address) ?? [];
  if (bucket === '') throw new QuernError('config', `${address} names no file`, { hint: 'write s3://bucket/path/*.parquet' });
  const place = scheme.toLowerCase() === 'gs' ? 'gs' : 's3';
  const store = place === 'gs' ? 'https://storage.googleapis.com' : s3Store(env);
  const files = { kind: 's3', store, args: [`${store}/${bucket}/${key}`] } as const;
  if (onServer) return files;
  const { id, secret, session } = KEYS[place];
  const [user, password, token] = [env[id] ?? '', env[secret] ?? '', env[session] ?? ''];
  if (user === '' || password === '') return { ...files, unsigned: true };
  return { ...files, args: [...files.args, user, password, ...(token === '' ? [] : [token])] };
}

/** The file of that path, `bucket/key`, in the store that `files` are in. */
export const remoteFile = (files: RemoteFiles, path: string): RemoteFiles => ({
  ...files,
  args: [`${files.store}/${path}`, ...files.args.slice(1)],
});

function s3Store(env: Environment): string {
  const endpoint = env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'];
  if (endpoint) return endpoint.replace(/\/$/, '');
  return `https://s3.${env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1'}.amazonaws.com`;
}

/** What of `env` nobody may see, whatever an error repeats. */
export const remoteSecrets = (env: Environment): readonly string[] =>
  Object.values(KEYS).flatMap(({ secret, session }) => [secret, session].flatMap((name) => env[name] ?? []));
