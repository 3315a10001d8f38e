// Reloads a running `quern serve` from files that have changed, on SIGHUP.

import { QuernError } from '../../../base/errors.ts';
import { SETTING_NAMES, SETTINGS, type SettingName, type SettingValues } from '../../../config/settings.ts';
import type { Audit } from '../../../server/observe/audit.ts';
import type { Logger } from '../../../server/observe/log.ts';
import type { Server } from '../../../server/server.ts';
import type { Parts } from '../../parts.ts';

/** Settings that a running server reads whenever it needs them. */
const LIVE: ReadonlySet<SettingName> = new Set<SettingName>([
  'log_level',
  'log_arguments',
  'stale_while_revalidate',
  'stale_if_error',
  'drain',
]);
/** Settings that have no part in serving. */
const OF_COMMANDS: ReadonlySet<SettingName> = new Set<SettingName>(['format', 'no_color']);

/** The values in force: those of the start, and the newest of LIVE settings. */
export function liveSettings(first: SettingValues) {
  let values = first;
  return {
    get values() {
      return values;
    },
    /** Returns the names of changed settings: those that apply from now on, and those that wait for a restart. */
    take(newest: SettingValues) {
      const changed = SETTING_NAMES.filter((name) => !OF_COMMANDS.has(name) && !same(values[name], newest[name]));
      const applied = changed.filter((name) => LIVE.has(name));
      values = { ...values, ...Object.fromEntries(applied.map((name) => [name, newest[name]])) };
      return { applied, waiting: changed.filter((name) => !LIVE.has(name)) };
    },
  };
}

interface ReloadOptions {
  readonly live: ReturnType<typeof liveSettings>;
  readonly server: Pick<Server, 'reload'>;
  readonly log: Logger;
  readonly audit: Pick<Audit, 'reopen'> | undefined;
  /** The number of keys, where callers need one. */
  readonly countKeys: (() => Promise<number>) | undefined;
}

/** Never rejects: an error in a file is reported in the log, and everything stays as it was. */
export async function reloadServer({ settingsNow }: Pick<Parts, 'settingsNow'>, options: ReloadOptions): Promise<void> {
  const { live, server, log, audit, countKeys } = options;
  audit?.reopen();
  await server.reload(); // reports what has changed
  try {
    const { applied, waiting } = live.take((await settingsNow()).values);
    log.level = live.values.log_level;
    const keys = await countKeys?.();
    log.info({ keys, settings: applied }, 'reloaded keys, saved queries and settings');
    if (waiting.length > 0) {
      const shown = waiting.map((name) => `${name} (${SETTINGS[name].env})`);
      log.warn({ settings: shown }, 'some changed settings only take effect after a restart');
    }
  } catch (error) {
    const { message, details } = error instanceof QuernError ? error : new QuernError('internal', String(error));
    log.error({ error: { message, hint: details.hint } }, 'could not reload; everything stays as it was');
  }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
