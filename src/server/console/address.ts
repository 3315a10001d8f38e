// What the page shows, as the part of its address behind `#`: it can be shared, and the back button goes through it. Servers never see it.

import { type Filter, NO_FILTER } from './filter.ts';

export type View = 'logs' | 'rows' | 'chart' | 'sql' | 'elsewhere' | 'file';
const VIEWS: readonly View[] = ['logs', 'rows', 'chart', 'sql', 'elsewhere', 'file'];

/** The pages beside those of saved queries. */
const PAGES = ['sql', 'tables', 'boards'] as const;
type PageName = (typeof PAGES)[number];

/** How a chart is drawn. */
export interface Look {
  readonly columns: boolean;
  readonly log: boolean;
}

/** A range of time that queries share; texts as fields for times take them. */
export interface Range {
  readonly from?: string;
  readonly to?: string;
  /** What counts as now. */
  readonly asOf?: string;
}

export interface Address {
  readonly endpoint?: string;
  /** A page of another kind, and the table or the board that it shows. */
  readonly page?: PageName;
  readonly name?: string;
  /** Values of parameters as they stand in the form; several for a list. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** The caller's own SQL. */
  readonly sql?: string;
  /** Of the SQL page: how parameters are typed that are no texts, and how many rows are wanted. */
  readonly types: Readonly<Record<string, string>>;
  readonly rows?: number;
  /** What was chosen to be seen; the rows, in the way that suits them, where nothing was. */
  readonly view?: View;
  readonly look: Look;
  /** Which of the rows are shown. */
  readonly filter: Filter;
  /** The part of the shared range of time for which this query has no parameter. */
  readonly range: Range;
  /** The query has been run with these values. */
  readonly run: boolean;
  /** Runs again every so many seconds. */
  readonly live?: number;
}

export const LIVE_SECONDS: readonly number[] = [5, 15, 60, 300];

export const ROW_COUNTS: readonly number[] = [1000, 10_000, 100_000];

export const START: Address = { values: {}, types: {}, look: { columns: false, log: false }, filter: NO_FILTER, range: {}, run: false };

/** Own names begin with a character that no parameter's name, and no saved query's, can have. */
const OWN = '~';

export function readAddress(hash: string): Address {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const values: Record<string, string[]> = Object.create(null);
  const own = new Map<string, readonly string[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (name.startsWith(OWN)) own.set(name.slice(1), [...(own.get(name.slice(1)) ?? []), value]);
    else values[name] = [...(values[name] ?? []), value];
  }
  const text = (name: string): string | undefined => own.get(name)?.at(-1) || undefined;
  const types = (own.get('type') ?? []).flatMap((given) => {
    const [, name = '', type = ''] = /^(\w+):(.+)$/s.exec(given) ?? [];
    return name === '' ? [] : [[name, type] as const];
  });
  const rows = ROW_COUNTS.find((count) => String(count) === text('rows'));
  const view = VIEWS.find((one) => one === text('view'));
  const live = LIVE_SECONDS.find((seconds) => String(seconds) === text('live'));
  const [sql, from, to, asOf] = [text('sql'), text('from'), text('to'), text('as-of')];
  return {
    ...placeAt(path),
    values,
    types: Object.fromEntries(types),
    ...(rows === undefined ? {} : { rows }),
    ...(sql === undefined ? {} : { sql }),
    ...(view === undefined ? {} : { view }),
    look: { columns: text('chart') === 'columns', log: text('scale') === 'log' },
    filter: { find: text('find') ?? '', only: own.get('only') ?? [], without: own.get('without') ?? [] },
    range: {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(asOf === undefined ? {} : { asOf }),
    },
    run: own.has('run'),
    ...(live === undefined ? {} : { live }),
  };
}

function placeAt(path: string): Pick<Address, 'endpoint' | 'page' | 'name'> {
  const [first = '', rest = ''] = path.split(/\/(.*)/s);
  const page = PAGES.find((one) => first === `${OWN}${one}`);
  if (page !== undefined) return rest === '' ? { page } : { page, name: decoded(rest) };
  const endpoint = decoded(path);
  return endpoint === '' ? {} : { endpoint };
}

function pathOf({ endpoint = '', page, name }: Address): string {
  if (page === undefined) return encodeURIComponent(endpoint);
  return `${OWN}${page}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
}

export function writeAddress(address: Address): string {
  const { endpoint, page, values, sql, types, rows, view, look, filter, range, run, live } = address;
  const isRun = endpoint !== undefined || page === 'sql';
  const search = new URLSearchParams();
  const add = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== '') search.append(`${OWN}${name}`, String(value));
  };
  if (isRun) {
    for (const [name, list] of Object.entries(values)) for (const value of list) search.append(name, value);
    add('sql', sql);
    for (const [name, type] of Object.entries(types)) add('type', `${name}:${type}`);
    add('rows', rows);
    add('view', view);
    if (look.columns) add('chart', 'columns');
    if (look.log) add('scale', 'log');
    add('find', filter.find);
    for (const value of filter.only) add('only', value);
    for (const value of filter.without) add('without', value);
  }
  if (isRun || page === 'boards') add('live', live);
  add('from', range.from);
  add('to', range.to);
  add('as-of', range.asOf);
  if (isRun && run) add('run', 1);
  const text = search.toString().replaceAll('%7E', OWN); // no browser needs it escaped
  return `#/${pathOf(address)}${text === '' ? '' : `?${text}`}`;
}

/** Text with a % that stands for nothing is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
