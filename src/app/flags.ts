// The flags of every command, and the settings they are.
import { SETTINGS, type SettingName } from '../config/settings.ts';

/** What every command's flags said, as commander names them. */
export interface GlobalFlags {
  readonly store?: string;
  readonly queries?: readonly string[];
  readonly cacheDir?: string;
  readonly timeout?: string;
  readonly maxMemory?: string;
  readonly maxScan?: string;
  readonly maxResultBytes?: string;
  readonly profile?: string;
  readonly url?: string;
  readonly database?: string;
  /** Of the commands whose rows may be many, or served. */
  readonly csvFormulas?: string;
  /** Of `quern serve` alone. */
  readonly host?: string;
  readonly port?: string;
  readonly compat?: string;
  readonly corsOrigin?: readonly string[];
  readonly logLevel?: string;
  /** False after `--no-color`. */
  readonly color?: boolean;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly jsonErrors?: boolean;
}

export interface GlobalSetting {
  readonly flag: string;
  /** What the flag's value is called in the help; undefined for a switch. */
  readonly value?: string;
  readonly repeatable?: true;
  readonly help: string;
}

/** The settings that are flags of every command; `format` belongs to the commands that print rows. */
export const globalSettings: readonly GlobalSetting[] = [
  { flag: 'store', value: 'dir', help: SETTINGS.store.help },
  { flag: 'queries', value: 'dir', repeatable: true, help: SETTINGS.queries.help },
  { flag: 'cache-dir', value: 'dir', help: SETTINGS.cache_dir.help },
  { flag: 'timeout', value: 'duration', help: SETTINGS.timeout.help },
  { flag: 'max-memory', value: 'size', help: SETTINGS.max_memory.help },
  { flag: 'max-scan', value: 'rows', help: SETTINGS.max_scan.help },
  { flag: 'max-result-bytes', value: 'size', help: SETTINGS.max_result_bytes.help },
  { flag: 'profile', value: 'name', help: SETTINGS.profile.help },
  { flag: 'url', value: 'url', help: SETTINGS.url.help },
  { flag: 'database', value: 'name', help: SETTINGS.database.help },
  { flag: 'no-color', help: SETTINGS.no_color.help },
];

/** What the flags say of settings; undefined where they say nothing. */
export function givenSettings(flags: GlobalFlags): Partial<Readonly<Record<SettingName, unknown>>> {
  return {
    store: flags.store,
    queries: flags.queries,
    profile: flags.profile,
    url: flags.url,
    database: flags.database,
    timeout: flags.timeout,
    cache_dir: flags.cacheDir,
    max_memory: flags.maxMemory,
    max_scan: flags.maxScan,
    max_result_bytes: flags.maxResultBytes,
    csv_formulas: flags.csvFormulas,
    host: flags.host,
    port: flags.port,
    compat: flags.compat,
    cors_origins: flags.corsOrigin,
    log_level: flags.logLevel,
    no_color: flags.color === false ? true : undefined,
  };
}
