// An API key as a server sees it, without its secret, and what it allows.

export interface Key {
  /** Stays the same when the key is rotated. */
  readonly id: string;
  readonly name: string;
  /** How the secret begins; shown so that people recognise a key. */
  readonly prefix: string;
  /** Names of saved queries, in which `*` stands for any text. */
  readonly scopes: readonly string[];
  /** Parameters that the key sets, by name; see pinnedArguments. */
  readonly pins: Readonly<Record<string, string>>;
  /** Upper bound on the rows of an answer, below that of the saved query. */
  readonly maxRows?: number;
  readonly rate?: Rate;
  /** Upper bound on the runs of its callers at the engine at once; others wait. */
  readonly maxConcurrent?: number;
  /** Upper bounds on what the runs of its callers cost in any 60 minutes: rows read from tables, and seconds at the engine. */
  readonly maxScanPerHour?: number;
  readonly maxTimePerHour?: number;
  /** What the key is for, where that is not everything its scopes cover. */
  readonly role?: Role;
  /** What its bearer showed, where that was no API key. */
  readonly credential?: 'token';
  /** The caller may ask for a fresh run. */
  readonly mayRefresh: boolean;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly expiresAt?: string;
}

/** `console`: the key works in the web console only, for people and not for programs. */
export type Role = 'console';

export interface Rate {
  readonly count: number;
  readonly perSeconds: number;
}

/** The word for what a caller showed to be let in. */
export type Credential = 'API key' | 'token';

export const credentialOf = ({ credential }: Pick<Key, 'credential'>): Credential => credential ?? 'API key';

/** Whether a scope of the key covers the saved query: by its name, also where the caller gave its UUID. */
export function keyAllows(key: Pick<Key, 'scopes'>, queryName: string): boolean {
  return key.scopes.some((scope) => !RIGHTS.includes(scope) && scopeCovers(scope, queryName));
}

/** A scope that covers no saved query, but BigQuery's API, where callers send SQL over all tables. `*` does not cover it. */
export const BIGQUERY = 'bigquery';

export const keyUsesBigQuery = ({ scopes }: Pick<Key, 'scopes'>): boolean => scopes.includes(BIGQUERY);

/** A scope that covers no saved query, none of which can have this name, but what the server tells of itself. */
export const OVERSIGHT = '/metrics';

/** A scope that covers no saved query, but the SQL page of the console, which takes SQL over all tables. `*` does not cover it. */
export const SQL_PAGE = '/sql';

/** Whether the key may send SQL over all tables from the console. */
export const keyOpensSqlPage = ({ scopes }: Pick<Key, 'scopes'>): boolean => scopes.includes(SQL_PAGE);

/** The scopes that are no names of saved queries. */
export const RIGHTS: readonly string[] = [BIGQUERY, OVERSIGHT, SQL_PAGE];

/** Whether the key is one of those who run the server. One with pins is a tenant's, however many saved queries it covers. */
export function keyOversees({ scopes, pins }: Pick<Key, 'scopes' | 'pins'>): boolean {
  return (scopes.includes('*') || scopes.includes(OVERSIGHT)) && Object.keys(pins).length === 0;
}

/** `*` stands for any text, the empty one and dots included; everything else for itself. */
export function scopeCovers(scope: string, queryName: string): boolean {
  const [first = '', ...rest] = scope.split('*');
  const last = rest.pop();
  if (last === undefined) return queryName === scope;
  if (!queryName.startsWith(first) || queryName.length < first.length + last.length || !queryName.endsWith(last)) return false;
  const end = queryName.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = queryName.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
