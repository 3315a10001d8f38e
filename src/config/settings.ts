// The one table of settings: its rows give the types, the look-up, `quern config` and the documentation.
import { join } from 'node:path';
import { type FormatName, TEXT_FORMATS } from '../base/formats.ts';
import { oneOf, SECONDS, SIZE } from '../fields/kinds.ts';
import { SERVE_SETTINGS } from './serve-settings.ts';
import { SERVER_SETTINGS } from './server-settings.ts';
import { type OptionalSetting, optional, type Setting, setting, withVariables } from './setting.ts';
import { COUNT, FILE, FOLDER, FOLDERS, PRESENCE, SECONDS_OR_NONE, SWITCH } from './setting-kinds.ts';

export type { Setting } from './setting.ts';

/** The keys are the names in quern.yaml and in the user's settings. */
export const SETTINGS = withVariables({
  store: setting<string>({
    kind: FOLDER,
    fallback: (paths) => join(paths.data, 'store'),
    flag: 'store',
    everywhere: { value: 'dir' },
    help: 'folder of the embedded store',
  }),
  queries: setting<readonly string[]>({
    kind: FOLDERS,
    fallback: () => [],
    flag: 'queries',
    everywhere: { value: 'dir', repeatable: true },
    help: 'folders of your own saved queries, in addition to the ones that ship with quern',
  }),
  shipped_queries: setting<boolean>({
    kind: SWITCH,
    fallback: () => true,
    help: 'whether the saved queries that ship with quern can be run and are served',
  }),
  functions: setting<readonly string[]>({
    kind: FOLDERS,
    fallback: () => [],
    help: 'folders of your own functions; by default `functions` beside each folder of saved queries',
  }),
  cache_dir: setting<string>({
    kind: FOLDER,
    fallback: (paths) => paths.cache,
    flag: 'cache-dir',
    everywhere: { value: 'dir' },
    help: 'folder of cached results',
  }),
  cache_size: setting<number>({
    kind: SIZE,
    fallback: () => 256e6,
    help: 'upper bound on the total size of cached results; the oldest are removed first',
  }),
  answer_memory: setting<number>({
    kind: SIZE,
    fallback: () => 64e6,
    help: 'memory in which `quern serve` caches answers; the least recently used are removed first',
  }),
  stale_while_revalidate: setting<number>({
    kind: SECONDS_OR_NONE,
    fallback: () => 60,
    help: 'how long after its TTL `quern serve` serves an old result while it fetches the new one',
  }),
  stale_if_error: setting<number>({
    kind: SECONDS_OR_NONE,
    fallback: () => 3600,
    help: 'how long after its TTL `quern serve` serves an old result when the engine cannot be reached, is busy or takes too long',
  }),
  engine_queries: setting<number>({
    kind: COUNT,
    fallback: () => 3,
    help: 'queries that `quern serve` runs on the engine at once; the embedded engine runs 3 at most',
  }),
  engine_queue: setting<number>({
    kind: COUNT,
    fallback: () => 100,
    help: 'queries that may wait for the engine in `quern serve`; beyond that, the newest one of the key with the most is answered with 503',
  }),
  engine_queue_wait: setting<number>({
    kind: SECONDS,
    fallback: () => 10,
    help: 'how long a query in `quern serve` waits for the engine before it is answered with 503',
  }),
  keys_file: setting<string>({
    kind: FILE,
    fallback: (paths) => join(paths.config, 'keys.json'),
    help: 'file with the API keys that `quern serve` accepts, written by `quern keys`',
  }),
  format: optional<FormatName>({
    kind: oneOf(TEXT_FORMATS),
    flag: 'format',
    help: 'output format; by default a table on a terminal and ndjson elsewhere',
  }),
  csv_formulas: setting<'keep' | 'escape'>({
    kind: oneOf(['keep', 'escape']),
    fallback: () => 'keep',
    flag: 'csv-formulas',
    help: 'csv text that a spreadsheet would read as a formula: keep it, or escape it with an apostrophe in front',
  }),
  no_color: setting<boolean>({
    kind: PRESENCE,
    fallback: () => false,
    env: 'NO_COLOR',
    flag: 'no-color',
    everywhere: {},
    help: 'print without colours',
  }),
  timeout: setting<number>({
    kind: SECONDS,
    fallback: () => 60,
    flag: 'timeout',
    everywhere: { value: 'duration' },
    help: 'time after which a query is cancelled',
  }),
  max_memory: optional<number>({
    kind: SIZE,
    flag: 'max-memory',
    everywhere: { value: 'size' },
    help: "memory that a query may use on the engine; by default half of the machine's on the embedded engine and 4GiB on a server",
  }),
  max_scan: optional<number>({
    kind: COUNT,
    flag: 'max-scan',
    everywhere: { value: 'rows' },
    help: 'rows that a query may read from tables',
  }),
  max_result_bytes: optional<number>({
    kind: SIZE,
    flag: 'max-result-bytes',
    everywhere: { value: 'size' },
    help: 'size that a result may have; by default 256MiB for results that are held in memory',
  }),
  sources_ttl: setting<number>({
    kind: SECONDS,
    fallback: () => 3600,
    help: "how long the columns of the project's sources are remembered before the engine is asked again",
  }),
  ...SERVE_SETTINGS,
  ...SERVER_SETTINGS,
});

export type SettingName = keyof typeof SETTINGS;
type ValueOf<S> = S extends Setting<infer T> ? T : never;

export type SettingValues = {
  readonly [N in SettingName]: (typeof SETTINGS)[N] extends OptionalSetting<infer T> ? T | undefined : ValueOf<(typeof SETTINGS)[N]>;
};

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]; // Object.keys only knows strings

export const SETTING_ROWS: readonly (readonly [SettingName, Setting<unknown>])[] = SETTING_NAMES.map((name) => [name, SETTINGS[name]]);

/** Those whose values are or may hold secrets. */
export const HIDDEN_NAMES = SETTING_ROWS.filter(([, { secret, sensitive }]) => secret === true || sensitive === true).map(([name]) => name);
