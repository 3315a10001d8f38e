// Which settings a login may change, and what becomes of a query's settings where it may not.
import { QuernError } from '../../base/errors.ts';
import type { Settings } from '../session-settings.ts';

/** The settings of one query, by the consequence where they cannot be set. */
export interface WantedSettings {
  /** The rows depend on them: the login must have them already. */
  readonly rows: Settings;
  /** A login may have stricter ones. */
  readonly limits: Settings;
  /** Names among `limits` that the caller enforces itself. */
  readonly watched: readonly string[];
  /** Left out where they cannot be set. */
  readonly rest: Settings;
}

/** A setting as system.settings shows it to the login. */
export interface LoginSetting {
  readonly value: string;
  readonly fixed: boolean;
  readonly min: string | null;
  readonly max: string | null;
}

type LoginSettings = ReadonlyMap<string, LoginSetting>;

/** Settings that older servers do not have, and whose effect they do not have either. */
const NEW_SETTINGS = new Set(['json_type_escape_dots_in_keys', 'allow_push_predicate_ast_for_distributed_subqueries']);

/** Names of the time zone UTC. */
const UTC = /^(?:Etc\/)?(?:UTC|UCT|Zulu|Universal)$/;

/** The row that stands for the server's time zone, which an empty session_timezone means. */
const TIMEZONE_ROW = 'timezone()';

/** Reads the settings that `settingsFor` needs, in one row; trusted names only. */
export function loginSettingsQuery(names: readonly string[]): string {
  const list = names.map((name) => `'${name}'`).join(', ');
  return `SELECT groupArray([name, value, toString(readonly), min, max]), timezone() FROM system.settings WHERE name IN (${list})`;
}

export function readLoginSettings([settings, timezone]: readonly unknown[]): LoginSettings {
  const rows = [...(settings as readonly unknown[][]), [TIMEZONE_ROW, timezone, 1, null, null]]; // an array of arrays, as it was asked for
  return new Map(
    rows.map(([name, value, readonly, min, max]) => [
      String(name),
      { value: String(value), fixed: Number(readonly) !== 0, min: bound(min), max: bound(max) },
    ]),
  );
}

function bound(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** Returns all settings, for a login that may change them. */
export function allSettings({ rows, limits, rest }: WantedSettings): Settings {
  return { ...rest, ...limits, ...rows };
}

/**
 * Returns the settings to send for a login that may not change all of them. Throws QuernError `config` when the login lacks a setting that the rows depend on, or
 * a limit that the caller does not enforce, and it cannot be set.
 */
export function settingsFor(wanted: WantedSettings, login: LoginSettings, who: string): Settings {
  const sent: Record<string, string | number> = {};
  const missing: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(wanted.rest)) {
    // A login that is read-only stays as it is.
    const taken = name === 'readonly' && login.get(name)?.value !== '0';
    if (!taken && settable(login.get(name), value)) sent[name] = value;
  }
  for (const [name, value] of Object.entries(wanted.limits)) {
    const limit = sendableLimit(login.get(name), Number(value));
    if (typeof limit === 'number') sent[name] = limit;
    else if (limit === 'not kept' && !wanted.watched.includes(name)) missing[name] = value;
  }
  for (const [name, value] of Object.entries(wanted.rows)) {
    if (settable(login.get(name), value)) sent[name] = value;
    else if (effectiveValue(login, name) !== String(value) && !(login.get(name) === undefined && NEW_SETTINGS.has(name)))
      missing[name] = value;
  }
  const names = Object.keys(missing);
  if (names.length === 0) return sent;
  const list = names.map((name) => `${name} = ${missing[name]}`).join(', ');
  const unknown = names.filter((name) => login.get(name) === undefined);
  throw unknown.length > 0
    ? new QuernError('config', `ClickHouse does not know ${unknown.join(', ')}, which this query relies on`, {
        hint: 'use a newer version of ClickHouse',
      })
    : new QuernError('config', `${who} may not change settings that this query relies on: ${names.join(', ')}`, {
        hint: `let the login change settings (readonly = 2), or put these in its profile: ${list}`,
      });
}

function effectiveValue(login: LoginSettings, name: string): string | undefined {
  const value = login.get(name)?.value;
  if (name !== 'session_timezone') return value;
  const zone = value === '' ? login.get(TIMEZONE_ROW)?.value : value;
  return zone !== undefined && UTC.test(zone) ? 'UTC' : zone;
}

function settable(setting: LoginSetting | undefined, value: string | number): boolean {
  if (setting === undefined || setting.fixed) return false;
  if (typeof value !== 'number') return true;
  return (setting.min === null || value >= Number(setting.min)) && (setting.max === null || value <= Number(setting.max));
}

/** Returns the strictest limit that may be sent; `kept` when the login's own is as strict as the one wanted. */
function sendableLimit(setting: LoginSetting | undefined, wanted: number): number | 'kept' | 'not kept' {
  if (settable(setting, wanted)) return wanted;
  const own = Number(setting?.value ?? 0);
  if (own > 0 && own <= wanted) return 'kept';
  const most = Number(setting?.max ?? 0);
  return setting !== undefined && !setting.fixed && most > 0 && most < wanted ? most : 'not kept';
}
