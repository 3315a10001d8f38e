// Identical work wanted by several callers at once is done once, and shared.
import { departure } from '../base/departure.ts';

interface SingleFlight<T> {
  /**
   * Joins the work under way for `key`, or starts it. A caller whose `signal` aborts leaves at once with QuernError `timeout` or
   * `interrupted` (or the one given as the reason); the work itself is aborted only when nobody waits for it any more.
   */
  share(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface Flight<T> {
  readonly outcome: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  const start = (key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> => {
    const abort = new AbortController();
    const outcome = work(abort.signal);
    const flight: Flight<T> = { outcome, abort, waiting: 0 };
    flights.set(key, flight);
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    outcome.then(land, land);
    return flight;
  };

  return {
    async share(key, work, signal) {
      if (signal?.aborted) throw departure(signal.reason);
      const flight = flights.get(key) ?? start(key, work);
      flight.waiting++;
      if (signal === undefined) return flight.outcome;
      return new Promise<T>((resolve, reject) => {
        const leave = () => {
          flight.waiting--;
          if (flight.waiting > 0) {
            reject(departure(signal.reason));
            return;
          }
          // The last one to leave stops the work, and gets its failure. A newcomer must not join work that is being stopped.
          if (flights.get(key) === flight) flights.delete(key);
          flight.abort.abort(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        flight.outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
      });
    },
  };
}
