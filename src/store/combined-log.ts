// The access log of nginx and Apache (combined or common format) as edge request events.

import { Invalid } from './bad-lines.ts';
import type { LogEvent } from './event.ts';

const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';
/** `[host:port ]client ident user [time] "request" status bytes[ "referer" "agent"[ "forwarded for"]]` */
const LINE = new RegExp(
  `^(?:(\\S+:\\d+) )?(\\S+) (\\S+) (.*?) \\[([^\\]]+)\\] ${QUOTED} (\\d{3}|-) (\\d+|-)(?: ${QUOTED} ${QUOTED}(?: ${QUOTED})?)?\\s*$`,
);
export const REQUEST_LINE = /^([A-Za-z][A-Za-z_-]*) (\S.*?)(?: (HTTP\/\d(?:\.\d)?))?$/;
const TIME = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** True when a line is written in this format. */
export function isCombinedLog(line: string): boolean {
  return LINE.test(line);
}

/**
 * The event of a line. `-` means absent. A request line that is not HTTP (a port scan, TLS on a plain port) is a real request without method,
 * path and url; its text is kept in event_message. Throws Invalid when the line itself is not in the format.
 */
export function readCombinedLog(line: string): LogEvent {
  const match = LINE.exec(line);
  if (match === null) throw new Invalid('not in the combined log format');
  const [, virtualHost, client = '', ident, user, time = '', rawRequest = '', status = '-', bytes = '-', referer, agent, forwardedFor] =
    match;
  const request = REQUEST_LINE.exec(readEscapes(rawRequest));
  const [, method, target, protocol] = request ?? [];
  const userAgent = present(agent);
  return {
    timestamp: readLogTime(time),
    event_message: [method ?? '-', status, client, target ?? readEscapes(rawRequest), userAgent ?? '-'].join(' | '),
    metadata: {
      request: defined({
        method,
        ...(target === undefined ? {} : splitTarget(target, virtualHost?.replace(/:\d+$/, ''))),
        protocol,
        ident: present(ident),
        user: present(user),
        headers: defined({ x_real_ip: client, referer: present(referer), user_agent: userAgent, x_forwarded_for: present(forwardedFor) }),
      }),
      response: defined({
        status_code: status === '-' ? undefined : Number(status),
        headers: bytes === '-' ? undefined : { content_length: Number(bytes) },
      }),
    },
  };
}

/** Path, query and address of a request; the host is known when the target or the log names it. */
export function splitTarget(target: string, virtualHost: string | undefined, scheme = 'https'): { [field: string]: string } {
  const absolute = /^(https?):\/\/([^/?#]*)([\s\S]*)$/i.exec(target);
  const [host, rest] = absolute === null ? [virtualHost, target] : [absolute[2], absolute[3] ?? ''];
  const queryAt = rest.indexOf('?');
  const path = queryAt === -1 ? rest : rest.slice(0, queryAt);
  return {
    path: path === '' ? '/' : path,
    ...(queryAt === -1 ? {} : { search: rest.slice(queryAt) }),
    url: absolute === null && host !== undefined ? `${scheme}://${host}${rest.startsWith('/') ? '' : '/'}${rest}` : target,
    ...(host === undefined ? {} : { host }),
  };
}

export function readLogTime(time: string): string {
  const match = TIME.exec(time);
  const month = match === null ? 0 : MONTHS.indexOf(match[2] ?? '') + 1;
  if (match === null || month === 0) throw new Invalid(`time [${time}] is not in the combined log format`);
  return `${match[3]}-${String(month).padStart(2, '0')}-${match[1]}T${match[4]}${match[5]}`;
}

const ESCAPED: Readonly<Record<string, string>> = { x22: '"', x5C: '\\' };

/** Servers escape quotes and backslashes; other escapes (`\x16`) stand for bytes that need not be text, and stay as written. */
export function readEscapes(text: string): string {
  return text.includes('\\') ? text.replace(/\\(["\\]|x22|x5C)/g, (_, escaped: string) => ESCAPED[escaped] ?? escaped) : text;
}

function present(text: string | undefined): string | undefined {
  return text === undefined || text === '-' || text === '' ? undefined : readEscapes(text);
}

function defined<T>(fields: { readonly [name: string]: T | undefined }): { [name: string]: T } {
  const kept: { [name: string]: T } = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) kept[name] = value;
  return kept;
}
