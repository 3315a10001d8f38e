// What the runs of each key have cost, in Redis: all servers add to the same counts by minute. A server knows them as they were a second ago, and
// keeps what it could not add until it can.
import { addCost, type Cost, MINUTES, minuteOf, ofLastHour, type Spending, type SpentByMinute } from '../keys/spending.ts';
import type { Redis } from './redis.ts';

interface SharedSpendingOptions {
  readonly redis: Redis;
  readonly now: () => number;
}

/** Adds to the counts, forgets those of more than an hour ago, and gives what is there then. */
const ADD = `
for i = 2, #ARGV, 2 do redis.call('HINCRBYFLOAT', KEYS[1], ARGV[i], ARGV[i + 1]) end
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if (tonumber(string.match(field, '^%d+')) or 0) <= tonumber(ARGV[1]) then redis.call('HDEL', KEYS[1], field) end
end
redis.call('EXPIRE', KEYS[1], 3660)
return redis.call('HGETALL', KEYS[1])`;

const READ_EVERY_MS = 1000;

interface Known {
  /** As Redis had it. */
  there: SpentByMinute;
  askedAtMs: number;
  /** What is not added there yet, or on its way. */
  readonly unsent: Map<number, Cost>;
  /** One question at a time: what comes meanwhile goes with the next. */
  asking?: Promise<void> | undefined;
}

export function sharedSpending({ redis, now }: SharedSpendingOptions): Spending {
  const keys = new Map<string, Known>();
  const knownOf = (key: string): Known => {
    const known = keys.get(key) ?? { there: new Map(), askedAtMs: Number.NEGATIVE_INFINITY, unsent: new Map() };
    keys.set(key, known);
    return known;
  };

  const send = async (key: string, known: Known): Promise<void> => {
    known.askedAtMs = now();
    const sent = [...known.unsent];
    const oldest = minuteOf(now()) - MINUTES;
    const added = sent.flatMap(([minute, { rows, ms }]) => [`${minute} rows`, rows, `${minute} ms`, ms]);
    const found = await redis.ask((commands) => commands.eval(ADD, 1, redis.key('spent', key), oldest, ...added));
    const there = spentIn(found);
    if (there === undefined) return;
    known.there = there;
    for (const [minute, { rows, ms }] of sent) {
      const { rows: allRows, ms: allMs } = known.unsent.get(minute) ?? { rows, ms };
      if (allRows === rows && allMs === ms) known.unsent.delete(minute);
      else known.unsent.set(minute, { rows: allRows - rows, ms: allMs - ms });
    }
  };
  const ask = (key: string, known: Known): Promise<void> => {
    known.asking ??= send(key, known).finally(() => {
      known.asking = undefined;
    });
    return known.asking;
  };
  const isOld = ({ askedAtMs }: Known): boolean => Math.abs(now() - askedAtMs) >= READ_EVERY_MS;

  return {
    add(key, cost) {
      const known = knownOf(key);
      addCost(known.unsent, minuteOf(now()), cost);
      void ask(key, known);
    },
    spent(key) {
      const known = knownOf(key);
      if (isOld(known)) void ask(key, known);
      return ofLastHour([...known.there, ...known.unsent], minuteOf(now()));
    },
    async learn(key) {
      const known = knownOf(key);
      if (known.asking !== undefined || isOld(known)) await ask(key, known);
    },
    async close() {
      await Promise.all([...keys.values()].map(({ asking }) => asking));
      for (const [key, known] of keys) if (known.unsent.size > 0) await ask(key, known);
    },
  };
}

/** What all servers have counted for a key; for commands. Undefined while Redis cannot be asked. */
export async function readSharedSpending(redis: Redis, key: string, nowMs: number): Promise<SpentByMinute | undefined> {
  return spentIn(await redis.ask((commands) => commands.eval(ADD, 1, redis.key('spent', key), minuteOf(nowMs) - MINUTES)));
}

/** Fields and values in turn; what others have written there counts as nothing. */
function spentIn(reply: unknown): SpentByMinute | undefined {
  if (!Array.isArray(reply)) return undefined;
  const spent = new Map<number, Cost>();
  for (let at = 0; at < reply.length; at += 2) {
    const [, digits, name] = /^(\d+) (rows|ms)$/.exec(String(reply[at])) ?? [];
    const value = Number(reply[at + 1]);
    if (digits === undefined || !(value >= 0)) continue;
    addCost(spent, Number(digits), name === 'rows' ? { rows: value, ms: 0 } : { rows: 0, ms: value });
  }
  return spent;
}
