// The same question for a terminal: a curl command, and `quern run`.

export interface Question {
  readonly endpoint: string;
  /** Values as the server is sent them. */
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  readonly sql?: string;
}

/** Flags that are `quern run`'s own, or every command's: a parameter of such a name is given as JSON. */
export const FLAGS_OF_RUN: ReadonlySet<string> = new Set(
  `as-of cache-dir chart chart-series chart-x chart-y color columns csv-formulas database fail-on-truncate format help json-errors max-age
  max-memory max-rows max-scan no-cache no-color no-pager output parameter params profile queries quiet refresh scalar sparkline sql stats store
  timeout url verbose version watch`.split(/\s+/),
);

/** `origin` is that of the page, such as `http://127.0.0.1:4000/`. The key is the reader's to fill in. */
export function curlCommand({ endpoint, values, sql }: Question, origin: string, withKey: boolean): string {
  const address = `${origin}api/endpoints/${encodeURIComponent(endpoint)}`;
  const parts = ['curl', '--fail-with-body'];
  if (withKey) parts.push(`--header "X-API-KEY: $QUERN_KEY"`);
  const pairs = Object.entries(values).flatMap(([name, value]) => [value].flat().map((item) => [name, item] as const));
  const all = sql === undefined ? pairs : [...pairs, ['sql', sql] as const];
  if (all.length > 0) parts.push('--get', ...all.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`));
  parts.push(quoted(address));
  return parts.join(' \\\n  ').replace('curl \\\n  ', 'curl ');
}

/** `instant`: `as_of` is what counts as now, as the flag of that name has it, and none of the query's own parameters. */
export function runCommand({ endpoint, values, sql }: Question, instant = false): string {
  const given = Object.entries(values);
  const own = sql === undefined ? [] : [flag('sql', sql)];
  const asFlags = given.every(
    ([name, value]) => typeof value === 'string' && (!FLAGS_OF_RUN.has(name.replaceAll('_', '-')) || (instant && name === 'as_of')),
  );
  if (!asFlags) return [`echo ${quoted(JSON.stringify(values))} | quern run`, quoted(endpoint), '--params -', ...own].join(' ');
  return ['quern run', quoted(endpoint), ...given.map(([name, value]) => flag(name.replaceAll('_', '-'), String(value))), ...own].join(' ');
}

/** A value that could be taken for another flag is tied to its own. */
const flag = (name: string, value: string): string => `--${name}${value === '' || value.startsWith('-') ? '=' : ' '}${quoted(value)}`;

/** As a POSIX shell takes it. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
