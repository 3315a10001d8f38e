// The runs that this tab has made lately, as addresses: like the key they end with it, and no server sees them.
import { listIn, storedText } from './stored.ts';

const MOST = 8;
const stored = storedText('sessionStorage', 'quern-recent');

/** Stands for the query of a run on the SQL page; no saved query is called so. */
export const SQL_RUN = '~sql';

interface RecentRun {
  readonly endpoint: string;
  /** Of the page, as writeAddress gives it. */
  readonly hash: string;
}

/** Newest first. */
export const recentRuns = (): readonly RecentRun[] => listIn(stored.get(), isRun).slice(0, MOST);

export function rememberRun(run: RecentRun): void {
  const others = recentRuns().filter(({ hash }) => hash !== run.hash);
  stored.set(JSON.stringify([run, ...others].slice(0, MOST)));
}

export const forgetRuns = (): void => stored.set('');

function isRun(value: unknown): value is RecentRun {
  const { endpoint, hash } = Object(value) as Readonly<Record<string, unknown>>;
  return typeof endpoint === 'string' && typeof hash === 'string' && hash.startsWith('#/');
}
