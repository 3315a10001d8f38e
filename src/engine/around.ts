// An engine in front of another, whose questions have something done before them, or their failures told otherwise.
import type { Engine, EngineQuery } from './engine.ts';

type Asked = string | EngineQuery;
type Method<T> = (asked: Asked, ...others: readonly unknown[]) => T;

interface Around {
  /** Waited for before SQL is run. */
  readonly before?: (sql: string) => Promise<void>;
  /** Throws the failure in another form. */
  readonly failed?: (error: unknown, asked: Asked) => Promise<never>;
}

const PROMISING = ['execute', 'rows', 'command', 'writeFile'];
const STREAMING = ['stream', 'trustedStream'];

/** Returns the engine with what `how` says around each of its questions. */
export function around<E extends Engine>(engine: E, how: Around): E {
  const { before = async () => undefined, failed = (error) => Promise.reject(error) } = how;
  const ready = (asked: Asked): Promise<void> => before(typeof asked === 'string' ? asked : asked.sql);
  const wrapped = Object.entries(engine as object).map(([name, given]) => {
    if (given === undefined) return [name, given];
    if (PROMISING.includes(name)) {
      const method = given as Method<Promise<unknown>>;
      return [
        name,
        async (asked: Asked, ...others: readonly unknown[]) => {
          await ready(asked);
          return method(asked, ...others).catch((error: unknown) => failed(error, asked));
        },
      ];
    }
    if (!STREAMING.includes(name)) return [name, given];
    const method = given as Method<AsyncIterable<unknown>>;
    return [
      name,
      async function* (asked: Asked, ...others: readonly unknown[]) {
        await ready(asked);
        try {
          yield* method(asked, ...others);
        } catch (error) {
          await failed(error, asked);
        }
      },
    ];
  });
  return Object.fromEntries(wrapped) as E;
}
