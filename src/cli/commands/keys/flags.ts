// Reads the flags of `quern keys`. Commander calls a parser for each time its flag is given.
import { QuernError } from '../../../base/errors.ts';
import { parseDuration } from '../../../base/quantity.ts';
import { OVERSIGHT, type Rate, RIGHTS, type Role } from '../../../server/keys/key.ts';
import { wholeNumber } from '../../arguments/whole-number.ts';

const invalid = (flag: string, text: string, expected: string, hint: string): QuernError =>
  new QuernError('usage', `${flag} ${JSON.stringify(text)} is not ${expected}`, { hint });

export function readName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 100 && !/\p{C}/u.test(name)) return name;
  throw invalid('--name', text, 'a name of 1 to 100 characters', 'write it like --name dashboard');
}

export function readScope(text: string, before: readonly string[] = []): readonly string[] {
  if (/^[A-Za-z0-9._*-]+$/.test(text) || RIGHTS.includes(text)) return before.includes(text) ? before : [...before, text];
  throw invalid('--scope', text, 'the name of a saved query', "such as usage.api-counts or 'usage.*'; repeat --scope for several");
}

export function readServerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.origin;
  throw invalid('--url', text, 'an address', 'write it like --url https://quern.example.com');
}

export function readPin(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name = '', value = ''] = /^([A-Za-z_][A-Za-z0-9_-]*)=(.+)$/s.exec(text) ?? [];
  if (name === '') throw invalid('--pin', text, 'a parameter and its value', 'write it like --pin project=abc');
  const same = Object.keys(before).find((other) => spelling(other) === spelling(name));
  if (same === undefined) return { ...before, [name]: value };
  throw new QuernError('usage', `--pin sets ${same} twice`, {
    hint: 'a key pins a parameter to one value; create another key for another value',
  });
}

const spelling = (name: string): string => name.toLowerCase().replaceAll('-', '_');

export const readCount =
  (flag: string, what: string) =>
  (text: string): number =>
    wholeNumber(flag, text, { what });

export function readRate(text: string): Rate {
  const [, digits = '', time = ''] = /^(\d+)\/(\d*[smhd])$/.exec(text) ?? [];
  const count = Number(digits);
  const perSeconds = parseDuration(/^\d/.test(time) ? time : `1${time}`) ?? 0;
  if (Number.isSafeInteger(count) && count > 0 && Number.isSafeInteger(perSeconds) && perSeconds > 0) return { count, perSeconds };
  throw invalid('--rate', text, 'a number of requests in a time', 'write it like 10/s, 600/m or 100/30s');
}

export const readDuration =
  (flag: string) =>
  (text: string): number => {
    const seconds = parseDuration(text) ?? 0;
    if (seconds > 0) return seconds;
    throw invalid(flag, text, 'a duration', 'write it like 90d, 12h or 30m');
  };

/** At least one second, since budgets count in whole ones. */
export const readWholeSeconds =
  (flag: string) =>
  (text: string): number => {
    const seconds = parseDuration(text) ?? 0;
    if (Number.isSafeInteger(seconds) && seconds > 0) return seconds;
    throw invalid(flag, text, 'a duration of whole seconds', 'write it like 10m or 90s');
  };

/** Returns undefined for the role that is the default. */
export function readRole(text: string): Role | undefined {
  if (text === 'console') return text;
  if (text === 'all') return undefined;
  throw invalid('--role', text, 'a role', `the roles are all and console; for ${OVERSIGHT} only, use --scope ${OVERSIGHT}`);
}

export function readGrace(text: string): number {
  const seconds = parseDuration(text);
  if (seconds !== undefined) return seconds;
  throw invalid('--grace', text, 'a duration', 'write it like 1h or 10m');
}
