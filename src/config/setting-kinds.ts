// The kinds of values that only settings have: paths, which start from where they are written, addresses, and lists in one text.

import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { jsonIn } from '../base/json.ts';
import { DURATION_SCHEMA } from '../base/json-schema.ts';
import { formatDuration, parseDuration } from '../base/quantity.ts';
import type { AnyKind, ValueKind } from '../fields/kinds.ts';

/** A kind of settings: text from flags and the environment, any YAML or JSON value from files. */
export interface Kind<T> extends AnyKind<T> {
  read(raw: unknown, context: ReadContext): T | undefined;
}

interface ReadContext {
  /** Folder that relative paths start from: the project file's own, or the working directory. */
  readonly folder: string;
  /** True for the environment, where one variable holds a list of folders. */
  readonly environment: boolean;
}

export const TEXT: ValueKind<string> = {
  expected: 'text',
  schema: { type: 'string', minLength: 1 },
  read: (raw) => (typeof raw === 'string' && raw !== '' ? raw : undefined),
};

export const FOLDER: Kind<string> = {
  expected: 'the path of a folder',
  schema: { type: 'string', minLength: 1 },
  read: (raw, { folder }) => (typeof raw === 'string' && raw !== '' ? absolute(raw, folder) : undefined),
};

/** Like a folder, the path of a file starts from where it is written. */
export const FILE: Kind<string> = { ...FOLDER, expected: 'the path of a file' };

export const FOLDERS: Kind<readonly string[]> = {
  expected: 'the path of a folder, or a list of them',
  schema: {
    anyOf: [
      { type: 'string', minLength: 1 },
      { type: 'array', items: { type: 'string', minLength: 1 } },
    ],
  },
  read: (raw, { folder, environment }) => {
    const items = environment && typeof raw === 'string' ? raw.split(delimiter).filter((item) => item !== '') : listOf(raw);
    const texts = items.filter((item): item is string => typeof item === 'string' && item !== '');
    return texts.length === items.length ? texts.map((item) => absolute(item, folder)) : undefined;
  },
};

/** As SECONDS, and `0s` for none. */
export const SECONDS_OR_NONE: ValueKind<number> = {
  expected: 'a duration such as 30s, 15m or 1h, or 0s',
  schema: DURATION_SCHEMA,
  read: (raw) => (typeof raw === 'string' ? parseDuration(raw) : undefined),
  print: formatDuration,
};

/** A whole number, or its digits. */
const digits = (expected: string, minimum: number, maximum?: number): ValueKind<number> => ({
  expected,
  schema: {
    anyOf: [
      { type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) },
      { type: 'string', pattern: '^[0-9]+$' },
    ],
  },
  read: (raw) => {
    const number = numberOf(raw);
    return Number.isSafeInteger(number) && number >= minimum && number <= (maximum ?? number) ? number : undefined;
  },
});

export const COUNT = digits('a whole number from 1', 1);
export const PORT = digits('a port, a whole number from 0 to 65535', 0, 65_535);

/** A list; in one text the origins stand between commas. */
export const ORIGINS: ValueKind<readonly string[]> = {
  expected: 'origins such as https://example.com, or *',
  schema: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string', pattern: '^(\\*|https?://[^/\\s]+)$' } }] },
  read: (raw) => {
    const items = typeof raw === 'string' ? raw.split(',').map((item) => item.trim()) : listOf(raw);
    const origins = items.filter(
      (item): item is string => typeof item === 'string' && (item === '*' || /^https?:\/\/[^/\s]+$/i.test(item)),
    );
    return origins.length === items.length ? origins : undefined;
  },
};

export const SWITCH: ValueKind<boolean> = {
  expected: 'true or false',
  schema: { anyOf: [{ type: 'boolean' }, { enum: ['yes', 'no', 'on', 'off', 'true', 'false', 1, 0] }] },
  read: (raw) => {
    if (/^(true|1|yes|on)$/i.test(String(raw))) return true;
    return /^(false|0|no|off)$/i.test(String(raw)) ? false : undefined;
  },
};

/** Any text but the empty one means true: https://no-color.org */
export const PRESENCE: Kind<boolean> = {
  expected: 'true or false',
  schema: SWITCH.schema,
  read: (raw, { environment }) => (environment ? true : SWITCH.read(raw)),
};

export const URL_TEXT: ValueKind<string> = {
  expected: 'an http:// or https:// address',
  schema: { type: 'string', pattern: '^[hH][tT][tT][pP][sS]?://' },
  // An @ behind the host is hardly meant: it ends a password with a slash that is not encoded, whose beginning would be taken for a host.
  read: (raw) => (typeof raw === 'string' && /^https?:\/\//i.test(raw) && URL.canParse(raw) && !hostEndsEarly(raw) ? raw : undefined),
};

/** The password may be elsewhere; a path is the number of a database. */
export const REDIS_URL: ValueKind<string> = {
  expected: 'a redis:// or rediss:// address, such as redis://cache.example:6379/0',
  schema: { type: 'string', pattern: '^[rR][eE][dD][iI][sS][sS]?://' },
  read: (raw) => {
    if (typeof raw !== 'string' || !/^rediss?:\/\//i.test(raw) || !URL.canParse(raw)) return undefined;
    const { hostname, pathname, search, hash } = new URL(raw);
    return hostname !== '' && /^(\/\d*)?$/.test(pathname) && search === '' && hash === '' ? raw : undefined;
  },
};

/** Names with texts: a mapping in a file, a JSON object in the environment. */
export const TEXTS: Kind<Readonly<Record<string, string>>> = {
  expected: 'a mapping of names to text values',
  schema: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
  read: (raw, { environment }) => {
    const value = environment && typeof raw === 'string' ? jsonIn(raw) : raw;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const entries = Object.entries(value).map(([name, item]) => [name, typeof item === 'boolean' ? Number(item) : item] as const);
    const fit = entries.every(([, item]) => typeof item === 'string' || typeof item === 'number');
    return fit ? Object.fromEntries(entries.map(([name, item]) => [name, String(item)])) : undefined;
  },
  print: (texts) =>
    Object.entries(texts)
      .map(([name, text]) => `${name}: ${text}`)
      .join(', '),
};

const listOf = (raw: unknown): readonly unknown[] => (Array.isArray(raw) ? raw : [raw]);

/** NaN for what is neither a number nor digits. */
function numberOf(raw: unknown): number {
  if (typeof raw === 'number') return raw;
  return typeof raw === 'string' && /^\d+$/.test(raw) ? Number(raw) : Number.NaN;
}

function hostEndsEarly(address: string): boolean {
  const { pathname, search, hash } = new URL(address);
  return `${pathname}${search}${hash}`.includes('@');
}

/** A shell expands `~` in flags and the environment; files have no shell. */
function absolute(path: string, folder: string): string {
  return resolve(folder, path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path);
}
