// What the page shows, as the part of its address behind `#`: it can be shared, and the back button goes through it. Servers never see it.

import { type Filter, NO_FILTER } from './filter.ts';

export type View = 'logs' | 'rows' | 'chart' | 'sql' | 'elsewhere';
export const VIEWS: readonly View[] = ['logs', 'rows', 'chart', 'sql', 'elsewhere'];

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
  /** Values of parameters as they stand in the form; several for a list. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** The caller's own SQL. */
  readonly sql?: string;
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

export const START: Address = { values: {}, look: { columns: false, log: false }, filter: NO_FILTER, range: {}, run: false };

/** Own names begin with a character that no parameter's name can have. */
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
  const endpoint = decoded(path);
  const view = VIEWS.find((one) => one === text('view'));
  const live = LIVE_SECONDS.find((seconds) => String(seconds) === text('live'));
  const [sql, from, to, asOf] = [text('sql'), text('from'), text('to'), text('as-of')];
  return {
    ...(endpoint === '' ? {} : { endpoint }),
    values,
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

export function writeAddress({ endpoint, values, sql, view, look, filter, range, run, live }: Address): string {
  const search = new URLSearchParams();
  const add = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== '') search.append(`${OWN}${name}`, String(value));
  };
  if (endpoint !== undefined) {
    for (const [name, list] of Object.entries(values)) for (const value of list) search.append(name, value);
    add('sql', sql);
    add('view', view);
    if (look.columns) add('chart', 'columns');
    if (look.log) add('scale', 'log');
    add('find', filter.find);
    for (const value of filter.only) add('only', value);
    for (const value of filter.without) add('without', value);
    add('live', live);
  }
  add('from', range.from);
  add('to', range.to);
  add('as-of', range.asOf);
  if (endpoint !== undefined && run) add('run', 1);
  const text = search.toString().replaceAll('%7E', OWN); // no browser needs it escaped
  return `#/${encodeURIComponent(endpoint ?? '')}${text === '' ? '' : `?${text}`}`;
}

/** Text with a % that stands for nothing is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
