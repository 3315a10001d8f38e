// What the page shows, as the part of its address behind `#`: it can be shared, and the back button goes through it. Servers never see it.

export type View = 'rows' | 'chart' | 'sql' | 'elsewhere';
export const VIEWS: readonly View[] = ['rows', 'chart', 'sql', 'elsewhere'];

export interface Address {
  readonly endpoint?: string;
  /** Values of parameters as they stand in the form; several for a list. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** The caller's own SQL. */
  readonly sql?: string;
  readonly view: View;
  /** The query has been run with these values. */
  readonly run: boolean;
  /** Runs again every so many seconds. */
  readonly live?: number;
}

export const LIVE_SECONDS: readonly number[] = [5, 15, 60, 300];

/** Own names begin with a character that no parameter's name can have. */
const OWN = '~';

export function readAddress(hash: string): Address {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const values: Record<string, string[]> = Object.create(null);
  const own = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (name.startsWith(OWN)) own.set(name.slice(1), value);
    else values[name] = [...(values[name] ?? []), value];
  }
  const endpoint = decoded(path);
  const sql = own.get('sql');
  const live = LIVE_SECONDS.find((seconds) => String(seconds) === own.get('live'));
  return {
    ...(endpoint === '' ? {} : { endpoint }),
    values,
    ...(sql === undefined || sql === '' ? {} : { sql }),
    view: VIEWS.find((view) => view === own.get('view')) ?? 'rows',
    run: own.has('run'),
    ...(live === undefined ? {} : { live }),
  };
}

export function writeAddress({ endpoint, values, sql, view, run, live }: Address): string {
  if (endpoint === undefined) return '#/';
  const search = new URLSearchParams();
  for (const [name, list] of Object.entries(values)) for (const value of list) search.append(name, value);
  if (sql !== undefined) search.set(`${OWN}sql`, sql);
  if (view !== 'rows') search.set(`${OWN}view`, view);
  if (live !== undefined) search.set(`${OWN}live`, String(live));
  if (run) search.set(`${OWN}run`, '1');
  const text = search.toString().replaceAll('%7E', OWN); // no browser needs it escaped
  return `#/${encodeURIComponent(endpoint)}${text === '' ? '' : `?${text}`}`;
}

/** Text with a % that stands for nothing is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
