// The access log of nginx and Apache (combined or common format) as edge request events.

import { accessEvent, accessFields } from './access-event.ts';
import { Invalid } from './bad-lines.ts';
import type { LogEvent } from './event.ts';

const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';
/** `[host:port ]client ident user [time] "request" status bytes[ "referer" "agent"[ "forwarded for"]]` */
const LINE = new RegExp(
  `^(?:(\\S+:\\d+) )?(\\S+) (\\S+) (.*?) \\[([^\\]]+)\\] ${QUOTED} (\\d{3}|-) (\\d+|-)(?: ${QUOTED} ${QUOTED}(?: ${QUOTED})?)?\\s*$`,
);

/** True when a line is written in this format. */
export function isCombinedLog(line: string): boolean {
  return LINE.test(line);
}

/** What the parts of a line are, by the names that nginx has for them. */
const NAMES = [
  'host',
  'remote_addr',
  'ident',
  'remote_user',
  'time_local',
  'request',
  'status',
  'body_bytes_sent',
  'http_referer',
  'http_user_agent',
  'http_x_forwarded_for',
];

/** The event of a line, as accessEvent makes it. Throws Invalid when the line itself is not in the format. */
export function readCombinedLog(line: string): LogEvent {
  const match = LINE.exec(line);
  if (match === null) throw new Invalid('not in the combined log format');
  return accessEvent(accessFields(NAMES, match, readEscapes));
}

const ESCAPED: Readonly<Record<string, string>> = { x22: '"', x5C: '\\' };

/** Servers escape quotes and backslashes; other escapes (`\x16`) stand for bytes that need not be text, and stay as written. */
export function readEscapes(text: string): string {
  return text.includes('\\') ? text.replace(/\\(["\\]|x22|x5C)/g, (_, escaped: string) => ESCAPED[escaped] ?? escaped) : text;
}
