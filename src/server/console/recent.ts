// The runs that this tab has made lately, as addresses: like the key they end with it, and no server sees them.

const [KEY, MOST] = ['quern-recent', 8];

interface RecentRun {
  readonly endpoint: string;
  /** Of the page, as writeAddress gives it. */
  readonly hash: string;
}

/** Newest first. */
export function recentRuns(): readonly RecentRun[] {
  try {
    const held: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return Array.isArray(held) ? held.filter(isRun).slice(0, MOST) : [];
  } catch {
    return []; // not ours, or not allowed
  }
}

export function rememberRun(run: RecentRun): void {
  const others = recentRuns().filter(({ hash }) => hash !== run.hash);
  try {
    sessionStorage.setItem(KEY, JSON.stringify([run, ...others].slice(0, MOST)));
  } catch {
    // A browser that keeps nothing has no recent runs.
  }
}

export function forgetRuns(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing is kept.
  }
}

function isRun(value: unknown): value is RecentRun {
  const { endpoint, hash } = Object(value) as Readonly<Record<string, unknown>>;
  return typeof endpoint === 'string' && typeof hash === 'string' && hash.startsWith('#/');
}
