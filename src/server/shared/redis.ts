// A Redis or Valkey server that several `quern serve` share. What it cannot do now is as if nobody had asked it: it never costs a reply.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Redis as Client } from 'ioredis';
import { messageOf, QuernError } from '../../base/errors.ts';

export interface RedisAddress {
  /** `redis://user:password@host:port/database`; `rediss:` for TLS. */
  readonly url: string;
  /** In place of the one in the address. */
  readonly password?: string | undefined;
  /** PEM file of the authority that signed the server's certificate. */
  readonly caFile?: string | undefined;
  /** How all keys begin: servers that have the same share what lies below it. */
  readonly prefix: string;
}

/** Each piece of work is one command or script. */
type Commands = Pick<Client, 'get' | 'set' | 'unlink' | 'hgetall' | 'eval'>;

export type Redis = Awaited<ReturnType<typeof openRedis>>;

interface RedisOptions {
  readonly address: RedisAddress;
  /** Called when the server goes away, when it is back, and when it refuses a command. */
  readonly onTrouble: (message: string) => void;
  readonly onBack: (message: string) => void;
}

/** Of the keys: a version with others leaves these alone. */
const VERSION = 1;
const COMMAND_MS = 2000;
const CONNECT_MS = 3000;
const RETRY_MS = 2000;
const KEEP_ALIVE_MS = 10_000;
/** A command that is refused is refused many times: it is reported once in so many milliseconds. */
const TELL_EVERY_MS = 60_000;

/**
 * The connection, once it is known whether there is one: a server that is away now may come later. Throws QuernError `usage` where the client is
 * not installed, `config` for what no waiting mends, and `unreachable` for a login that is refused.
 */
export async function openRedis(options: RedisOptions) {
  const { address } = options;
  const place = shownRedis(address.url);
  const client = await connect(address);
  const reportedAt = new Map<string, number>();
  let last: Error | undefined;
  let up = false;
  let closed = false;
  let away = false;

  const goneAway = (reason: string): void => {
    up = false;
    if (away || closed) return;
    away = true;
    options.onTrouble(`Redis at ${place} is away (${reason}): until it is back, this server shares nothing with others`);
  };
  /** What came of the first try, where it failed. */
  const first = new Promise<Error | undefined>((resolve) => {
    client.on('ready', () => {
      up = true;
      last = undefined;
      if (away) options.onBack(`Redis at ${place} is back`);
      away = false;
      resolve(undefined);
    });
    client.on('error', (error) => {
      last ??= error; // those that follow come of it
      resolve(error);
    });
  });
  client.on('close', () => {
    goneAway(last?.message ?? 'the connection was closed');
    last = undefined;
  });

  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Error>((resolve) => {
    timer = setTimeout(() => resolve(new Error(`no answer within ${CONNECT_MS / 1000} s`)), CONNECT_MS);
  });
  const trouble = await Promise.race([first, late]);
  clearTimeout(timer);
  const hopeless = trouble === undefined ? undefined : beyondWaiting(trouble, place);
  if (hopeless !== undefined) {
    closed = true;
    client.disconnect();
    throw hopeless;
  }
  if (trouble !== undefined) goneAway(trouble.message);

  const failed = (error: Error): void => {
    if (error.name !== 'ReplyError') {
      // It accepts connections and says nothing, perhaps: nobody else is to wait for that.
      if (up && error.message === 'Command timed out') {
        goneAway(`no answer within ${COMMAND_MS / 1000} s`);
        client.disconnect(true);
      }
      return;
    }
    const nowMs = performance.now();
    const kind = error.message.split(' ', 1)[0] ?? '';
    if (nowMs - (reportedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < TELL_EVERY_MS) return;
    reportedAt.set(kind, nowMs);
    options.onTrouble(`Redis at ${place} refuses a command: ${error.message}`);
  };

  return {
    /** True while it can be reached. */
    get up() {
      return up;
    },
    /** Returns the result of `work`. Undefined when the server cannot do it, which has been reported; never rejects. */
    async ask<T>(work: (commands: Commands) => Promise<T>): Promise<T | undefined> {
      if (!up) return undefined;
      try {
        return await work(client);
      } catch (error) {
        failed(error as Error); // the client throws nothing else
        return undefined;
      }
    },
    /** The full name of a key. */
    key: (...parts: readonly string[]) => [address.prefix, VERSION, ...parts].join(':'),
    close() {
      closed = true;
      up = false;
      client.disconnect();
    },
  };
}

/** One question of a command. Throws QuernError when it is not answered, whatever the reason. */
export async function askRedis<T>(address: RedisAddress, question: (redis: Redis) => Promise<T | undefined>): Promise<T> {
  let trouble = '';
  const redis = await openRedis({ address, onTrouble: (message) => (trouble = message), onBack: () => undefined });
  try {
    const answer = await question(redis);
    if (answer !== undefined) return answer;
    throw new QuernError('unreachable', trouble.replace(/ is away \((.*)\): .*/, ' cannot be reached: $1'), {
      hint: 'check redis_url, and what its user may do',
    });
  } finally {
    redis.close();
  }
}

/** The address, for `quern doctor`, once all that servers do there has been done. Throws as askRedis does. */
export async function pingRedis(address: RedisAddress): Promise<string> {
  await askRedis(address, async (redis) => {
    const probe = redis.key('doctor');
    return redis.ask(async (commands) => {
      await commands.set(probe, 'x', 'EX', 10);
      await commands.eval("return redis.call('GET', KEYS[1])", 1, probe);
      return commands.unlink(probe);
    });
  });
  return shownRedis(address.url);
}

/** The address without a login. */
export function shownRedis(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

async function connect({ url, password, caFile }: RedisAddress): Promise<Client> {
  const { Redis: RedisClient } = await import('ioredis').catch((cause: unknown) => {
    throw new QuernError('usage', 'redis_url needs the package ioredis, which is not installed', {
      hint: 'run `npm install ioredis` where quern is installed (with --global if quern is)',
      cause,
    });
  });
  const { protocol, hostname, port, username, password: inUrl, pathname } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const name = isIP(host) === 0 ? { servername: host } : {};
  return new RedisClient({
    host,
    port: port === '' ? 6379 : Number(port),
    username: username === '' ? undefined : decodeURIComponent(username),
    password: password ?? (inUrl === '' ? undefined : decodeURIComponent(inUrl)),
    db: Number(pathname.slice(1)),
    tls: protocol === 'rediss:' ? { ...name, ...(caFile === undefined ? {} : { ca: readCa(caFile) }) } : undefined,
    protocol: 2,
    connectionName: 'quern',
    connectTimeout: COMMAND_MS,
    commandTimeout: COMMAND_MS,
    keepAlive: KEEP_ALIVE_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(50 * 2 ** times, RETRY_MS),
    // After a failover the old address may lead to a replica that only reads.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  });
}

function readCa(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new QuernError('config', `redis_ca_file cannot be read: ${messageOf(cause)}`, {
      hint: 'check the path, and the rights of the user that runs quern',
      cause,
    });
  }
}

const LOGIN = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR (?:invalid password|AUTH ))/;

/** Returns the error of a server that waiting does not help; undefined for one that may come later. */
function beyondWaiting(error: Error, place: string): QuernError | undefined {
  const { message } = error;
  if (LOGIN.test(message)) {
    return new QuernError('unreachable', `Redis at ${place} refuses the login: ${message}`, {
      hint: 'check the user and password in redis_url, or the password in QUERN_REDIS_PASSWORD',
      cause: error,
    });
  }
  if (/DB index/.test(message))
    return new QuernError('config', `Redis at ${place} does not have that database: ${message}`, { cause: error });
  if (/RESP type|Protocol error/.test(message))
    return new QuernError('config', `the server at ${place} does not speak the protocol of Redis`, {
      hint: 'check redis_url; for TLS it starts with rediss://',
      cause: error,
    });
  if (/certificate|CERT|altnames|SSL|wrong version number/i.test(`${message} ${String((error as NodeJS.ErrnoException).code ?? '')}`))
    return new QuernError('config', `Redis at ${place} cannot be reached with TLS: ${message}`, {
      hint: 'name the certificate of its authority in redis_ca_file, or use redis:// if it does not speak TLS',
      cause: error,
    });
  return undefined;
}
