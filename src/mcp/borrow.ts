// The parts of the program for as long as somebody uses them: an agent's server runs for days, and a store can be used by one process at a time.
import type { Services } from '../services.ts';
import { StoreElsewhere } from './elsewhere.ts';

/** Milliseconds after the last use until the engine is closed. */
const IDLE_MS = 2000;

export function lender(open: () => Services, idleMs = IDLE_MS) {
  let services: Services | undefined;
  let users = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Services must be closed before they are opened again. */
  let closing: Promise<void> = Promise.resolve();
  const close = (): Promise<void> => {
    const closed = services;
    services = undefined;
    closing = closing.then(() => closed?.close());
    return closing;
  };
  return {
    async use<T>(work: (services: Services) => Promise<T>): Promise<T> {
      users++;
      clearTimeout(timer);
      try {
        await closing;
        services ??= open();
        return await work(services);
      } catch (error) {
        // What they remember of the store holds no longer than it is elsewhere.
        if (error instanceof StoreElsewhere) services = undefined;
        throw error;
      } finally {
        users--;
        if (users === 0) timer = setTimeout(() => void close(), idleMs);
        timer?.unref();
      }
    },
    close() {
      clearTimeout(timer);
      return close();
    },
  };
}
