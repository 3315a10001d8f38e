// Results in Redis: entries as in the cache's files, each for its own time, and one run at a time for all servers.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedStore, SharedTurn } from '../../cache/shared-store.ts';
import type { Redis } from './redis.ts';

interface SharedResultsOptions {
  readonly redis: Redis;
  /** Seconds after the TTL in which old rows may still be given. */
  readonly graceSeconds: () => number;
  /** How long a run may take, with its wait for the engine: nobody waits longer for another server's. */
  readonly longestRunMs: number;
  /** Default: 4 MiB. */
  readonly mostBytes?: number;
}

/** Larger entries stay in the files of the server that made them. */
const MOST_BYTES = 4 * 1024 * 1024;
/** A server that is killed holds a turn for so long. */
const TURN_MS = 5000;
const RENEW_MS = 1500;
/** Those who looked for the rows just before they came still find out where they are. */
const DONE_MS = 2000;
const FIRST_LOOK_MS = 10;
const LOOK_MS = 100;

/** Takes the turn, or tells who has it, or had it a moment ago. */
const TAKE = `
local held = redis.call('GET', KEYS[1])
if held then return held end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false`;
/** Both for the holder alone. */
const RENEW = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`;
const END = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '' then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;

const RUNNING = 'run ';
const DONE = 'done ';
const NO_TURN: SharedTurn = { end: async () => undefined };

export function sharedResults(options: SharedResultsOptions): SharedStore {
  const { redis, graceSeconds, longestRunMs, mostBytes = MOST_BYTES } = options;

  const turnOf = (lock: string, token: string): SharedTurn => {
    const renewal = setInterval(() => void redis.ask((commands) => commands.eval(RENEW, 1, lock, token, TURN_MS)), RENEW_MS).unref();
    return {
      async end(key) {
        clearInterval(renewal);
        await redis.ask((commands) => commands.eval(END, 1, lock, token, key === undefined ? '' : `${DONE}${key}`, DONE_MS));
      },
    };
  };

  return {
    async read(kind, name) {
      return (await redis.ask((commands) => commands.get(redis.key(kind, name)))) ?? undefined;
    },
    async write(kind, name, text, ttlSeconds) {
      if (Buffer.byteLength(text) > mostBytes) return;
      await redis.ask((commands) => commands.set(redis.key(kind, name), text, 'EX', Math.ceil(ttlSeconds + graceSeconds())));
    },
    async remove(kind, name) {
      await redis.ask((commands) => commands.unlink(redis.key(kind, name)));
    },
    async turn(name, signal) {
      const lock = redis.key('turn', name);
      const token = `${RUNNING}${randomUUID()}`;
      const taken = await redis.ask((commands) => commands.eval(TAKE, 1, lock, token, TURN_MS));
      if (taken === undefined) return NO_TURN;
      if (taken === null) return turnOf(lock, token);
      let state: unknown = taken;
      const untilMs = performance.now() + longestRunMs;
      for (let pauseMs = FIRST_LOOK_MS; state === taken && performance.now() < untilMs; pauseMs = Math.min(2 * pauseMs, LOOK_MS)) {
        if (typeof state === 'string' && state.startsWith(DONE)) break;
        await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
        state = await redis.ask((commands) => commands.get(lock));
      }
      // The other has failed or died, or there was nothing to share: waiting once is enough.
      return typeof state === 'string' && state.startsWith(DONE) ? { ...NO_TURN, key: state.slice(DONE.length) } : NO_TURN;
    },
  };
}
