// The one table of settings: its rows give the types, the look-up, `quern config` and the documentation.
import { join } from 'node:path';
import { FOLDER, FOLDERS, type Kind, oneOf, PRESENCE, SECONDS, SIZE, TEXT, URL_TEXT } from './kinds.ts';
import type { DefaultPaths } from './paths.ts';

export const FORMATS = ['table', 'chart', 'json', 'ndjson', 'csv', 'tsv', 'markdown'] as const;
export type FormatName = (typeof FORMATS)[number];

export interface Setting<T> {
  readonly kind: Kind<T>;
  /** The value when nobody sets it; undefined means "not set". */
  readonly fallback: (paths: DefaultPaths) => T | undefined;
  /** Environment variable; an empty one counts as unset. */
  readonly env: string;
  /** Name of the command-line flag without `--`; absent when there is none. */
  readonly flag?: string;
  /** Never read from files, never printed. */
  readonly secret?: true;
  readonly help: string;
}

const setting = <T>(row: Setting<T>): Setting<T> => row;
const none = (): undefined => undefined;

/** The keys are the names in quern.yaml and in the user's settings. */
export const SETTINGS = {
  store: setting<string>({
    kind: FOLDER,
    fallback: (paths) => join(paths.data, 'store'),
    env: 'QUERN_STORE',
    flag: 'store',
    help: 'folder of the embedded store',
  }),
  queries: setting<readonly string[]>({
    kind: FOLDERS,
    fallback: () => [],
    env: 'QUERN_QUERIES',
    flag: 'queries',
    help: 'folders of your own saved queries, beside the ones that ship',
  }),
  cache_dir: setting<string>({
    kind: FOLDER,
    fallback: (paths) => paths.cache,
    env: 'QUERN_CACHE_DIR',
    flag: 'cache-dir',
    help: 'folder of cached results',
  }),
  cache_size: setting<number>({
    kind: SIZE,
    fallback: () => 256e6,
    env: 'QUERN_CACHE_SIZE',
    help: 'upper bound on the size of cached results; the oldest go first',
  }),
  format: setting<FormatName>({
    kind: oneOf(FORMATS),
    fallback: none,
    env: 'QUERN_FORMAT',
    flag: 'format',
    help: 'output format; without it a table on a terminal and ndjson elsewhere',
  }),
  no_color: setting<boolean>({ kind: PRESENCE, fallback: () => false, env: 'NO_COLOR', flag: 'no-color', help: 'print without colours' }),
  timeout: setting<number>({
    kind: SECONDS,
    fallback: () => 60,
    env: 'QUERN_TIMEOUT',
    flag: 'timeout',
    help: 'time after which a query is cancelled',
  }),
  max_memory: setting<number>({
    kind: SIZE,
    fallback: none,
    env: 'QUERN_MAX_MEMORY',
    flag: 'max-memory',
    help: 'memory a query may use on the engine',
  }),
  url: setting<string>({
    kind: URL_TEXT,
    fallback: none,
    env: 'CLICKHOUSE_URL',
    flag: 'url',
    help: 'address of a ClickHouse server to use instead of the embedded store',
  }),
  user: setting<string>({ kind: TEXT, fallback: none, env: 'CLICKHOUSE_USER', flag: 'user', help: 'user of the ClickHouse server' }),
  password: setting<string>({
    kind: TEXT,
    fallback: none,
    env: 'CLICKHOUSE_PASSWORD',
    secret: true,
    help: 'password of the ClickHouse server',
  }),
  database: setting<string>({
    kind: TEXT,
    fallback: none,
    env: 'CLICKHOUSE_DATABASE',
    flag: 'database',
    help: 'database of the ClickHouse server',
  }),
};

export type SettingName = keyof typeof SETTINGS;
type ValueOf<S> = S extends Setting<infer T> ? T : never;
/** Settings that have no default may be undefined. */
type Unset = 'format' | 'max_memory' | 'url' | 'user' | 'password' | 'database';

export type SettingValues = {
  readonly [N in SettingName]: N extends Unset ? ValueOf<(typeof SETTINGS)[N]> | undefined : ValueOf<(typeof SETTINGS)[N]>;
};

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]; // Object.keys only knows strings
