// The values of settings as they may be printed: without what is or may be a secret.
import { SETTINGS, type Setting, type SettingName } from './settings.ts';

const HIDDEN = '(hidden)';

/** A value that does not fit, in messages: how much of it is a secret cannot be known. */
export function shownValue(setting: Setting<unknown>, raw: unknown): string {
  return setting.secret === true || setting.sensitive === true ? 'its value' : JSON.stringify(raw);
}

/** The value of a setting, which fits. */
export function printableValue(name: SettingName, value: unknown): string {
  const { secret, kind }: Setting<unknown> = SETTINGS[name];
  if (value === undefined || value === '') return '';
  if (secret === true) return HIDDEN;
  if (name === 'url' || name === 'redis_url') return printableUrl(String(value));
  if (name === 'password_command') return programOf(String(value));
  if (name === 'headers')
    return Object.keys(Object(value))
      .map((header) => `${header}: ${HIDDEN}`)
      .join(', ');
  const print = kind.print as ((value: unknown) => string) | undefined; // each kind prints the values it reads
  return Array.isArray(value) ? value.join(', ') : (print ?? String)(value);
}

/** As it was written, where there is nothing to hide in it. */
function printableUrl(text: string): string {
  const { protocol, username, password, host, pathname, search, hash } = new URL(text);
  if (password === '' && search === '' && hash === '') return text;
  const login = username === '' && password === '' ? '' : `${username}${password === '' ? '' : `:${HIDDEN}`}@`;
  return `${protocol}//${login}${host}${pathname}${search === '' ? '' : `?${HIDDEN}`}${hash === '' ? '' : `#${HIDDEN}`}`;
}

/** The program that a shell command runs; its arguments may be secrets. */
export function programOf(command: string): string {
  const [program = '', ...rest] = command.trim().split(/\s+/);
  if (!/^[\w./~+-]+$/.test(program)) return HIDDEN;
  return rest.length === 0 ? program : `${program} …`;
}
