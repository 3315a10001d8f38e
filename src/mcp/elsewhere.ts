// A toolbox whose store is used by another process: what it cannot do here is done there.
import type { Toolbox } from './toolbox.ts';

/** Thrown in place of waiting for a store that another process uses. Nothing is wrong, so it is no QuernError. */
export class StoreElsewhere extends Error {
  readonly store: string;

  constructor(store: string) {
    super(`another process uses the store in ${store}`);
    this.store = store;
  }
}

/** A call of one of the toolbox's functions, as JSON has it. */
export interface ToolCall {
  readonly method: 'queries' | 'run' | 'explain' | 'translate' | 'query' | 'list' | 'read';
  readonly args: readonly unknown[];
}

/** Does the call. The one who sent it has read its arguments. */
export async function callOn(toolbox: Toolbox, { method, args }: ToolCall, signal: AbortSignal): Promise<unknown> {
  const [first, second, third] = args as [string, object, object]; // as sharedToolbox writes them
  switch (method) {
    case 'queries':
      return toolbox.queries();
    case 'run':
      return toolbox.run(first, { ...second }, { ...third, signal });
    case 'explain':
      return toolbox.explain(first);
    case 'translate':
      return toolbox.translate?.(first);
    case 'query':
      return toolbox.query?.(first, { maxRows: 0, ...second, signal });
    case 'list':
      return toolbox.sources?.list();
    case 'read':
      return toolbox.sources?.read(first);
  }
}

/** A process may leave the store between the question who has it and the answer. */
const MOST_ATTEMPTS = 5;

/** Does the work, or has the process that uses the store do it. `elsewhere` returns undefined where that process has just left the store. */
export async function hereOrElsewhere<T>(
  here: () => Promise<T>,
  elsewhere: (store: string) => Promise<{ readonly result: T } | undefined>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await here();
    } catch (error) {
      if (!(error instanceof StoreElsewhere) || attempt === MOST_ATTEMPTS) throw error;
      const done = await elsewhere(error.store);
      if (done !== undefined) return done.result;
    }
  }
}

export function sharedToolbox(
  here: Toolbox,
  elsewhere: (store: string, call: ToolCall, signal: AbortSignal) => Promise<{ readonly result: unknown } | undefined>,
): Toolbox {
  const never = new AbortController().signal;
  const call = (method: ToolCall['method'], args: readonly unknown[], signal = never): Promise<unknown> =>
    hereOrElsewhere(
      () => callOn(here, { method, args }, signal),
      (store) => elsewhere(store, { method, args }, signal),
    );
  const typed = call as <T>(...given: Parameters<typeof call>) => Promise<T>; // each function returns there what it returns here
  const { sources } = here;
  return {
    takesAsOf: here.takesAsOf,
    queries: () => typed('queries', []),
    run: (query, given, { signal, ...how }) => typed('run', [query, given, how], signal),
    explain: (query) => typed('explain', [query]),
    ...(here.translate === undefined ? {} : { translate: (sql: string) => typed<object>('translate', [sql]) }),
    ...(here.query === undefined ? {} : { query: (sql, { signal, ...how }) => typed<string>('query', [sql, how], signal) }),
    ...(sources === undefined ? {} : { sources: { list: () => typed('list', []), read: (name) => typed('read', [name]) } }),
  };
}
