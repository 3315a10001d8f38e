// Time as the server sees it, passed in so that tests move it.

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls `action` once, `ms` from now; returns a function that calls it off. It does not keep the process alive. */
  readonly after: (ms: number, action: () => void) => () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  after: (ms, action) => {
    const timer = setTimeout(action, ms).unref();
    return () => clearTimeout(timer);
  },
};
