// Access logs in a format of the server's own: nginx's log_format, Apache's LogFormat, as they stand in the server's configuration.
// https://nginx.org/en/docs/http/ngx_http_log_module.html · https://httpd.apache.org/docs/current/mod/mod_log_config.html
import { QuernError } from '../base/errors.ts';
import { accessEvent, accessFields } from './access-event.ts';
import { Invalid } from './bad-lines.ts';
import { readEscapes } from './combined-log.ts';
import type { LogEvent } from './event.ts';

type Part = { readonly literal: string } | { readonly field: string };

/** The reader of lines in the format. Throws QuernError `usage` for a text that is none. */
export function accessLogReader(format: string): (line: string) => LogEvent {
  const { text, escaping } = configured(format);
  const parts = /\$\w|\$\{/.test(text) ? nginxParts(text) : apacheParts(text);
  const names = parts.flatMap((part) => ('field' in part ? [part.field] : []));
  if (!names.some((name) => TIMES.includes(name)))
    throw new QuernError('usage', '--log-format has no time', {
      hint: 'it needs $time_local, $time_iso8601 or $msec for nginx, or %t for Apache',
    });
  const pattern = new RegExp(`^${parts.map(partPattern).join('')}\\s*$`);
  return (line) => {
    const match = pattern.exec(line);
    if (match === null) throw new Invalid('not in the format given');
    return accessEvent(accessFields(names, match, (part) => unescaped(part, escaping)));
  };
}

const TIMES: readonly string[] = ['time_local', 'time_iso8601', 'msec'];

interface Configured {
  readonly text: string;
  readonly escaping: 'default' | 'json' | 'none';
}

/** The format itself out of `log_format main '…' '…';`, out of `LogFormat "…" name`, or alone. */
function configured(format: string): Configured {
  const trimmed = format.trim();
  const nginx = /^log_format\s+\S+\s+([\s\S]*?);?$/.exec(trimmed);
  const rest = nginx?.[1] ?? /^LogFormat\s+([\s\S]*)$/i.exec(trimmed)?.[1] ?? trimmed;
  const [, way = 'default', quoted = rest] = /^escape=(default|json|none)\s+([\s\S]*)$/.exec(rest) ?? [];
  const escaping = way === 'json' || way === 'none' ? way : 'default';
  if (!/^['"]/.test(quoted)) return { text: quoted, escaping };
  // What stands between one pair of quotes after another is one format; a name may follow it.
  const texts = [...quoted.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/gs)].map(([, single, double]) => single ?? double ?? '');
  const isWhole = nginx !== null || rest !== trimmed || /^(?:'(?:[^'\\]|\\.)*'\s*|"(?:[^"\\]|\\.)*"\s*)+;?$/s.test(quoted);
  return { text: isWhole ? texts.map((text) => text.replace(/\\(['"\\])/g, '$1')).join('') : quoted, escaping };
}

function nginxParts(text: string): readonly Part[] {
  return text
    .split(/(\$\w+|\$\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('$') ? { field: part.replace(/[${}]/g, '') } : { literal: part }));
}

/** Apache's directives by the names that nginx has for them. */
const DIRECTIVES: Readonly<Record<string, string>> = {
  h: 'remote_addr',
  a: 'remote_addr',
  l: 'ident',
  u: 'remote_user',
  t: 'time_local',
  r: 'request',
  s: 'status',
  b: 'body_bytes_sent',
  B: 'body_bytes_sent',
  O: 'bytes_sent',
  I: 'request_length',
  D: 'request_microseconds',
  T: 'request_time',
  v: 'server_name',
  V: 'host',
  p: 'server_port',
  m: 'request_method',
  U: 'uri',
  q: 'query',
  H: 'server_protocol',
  P: 'pid',
  X: 'connection_status',
  k: 'connection_requests',
  L: 'request_id',
};

function apacheParts(text: string): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(/%(%|(?:!?[\d,]+)?[<>]?(?:\{([^}]*)\})?([a-zA-Z]))/g)) {
    if (match.index > at) parts.push({ literal: text.slice(at, match.index) });
    at = match.index + match[0].length;
    parts.push(match[1] === '%' ? { literal: '%' } : apacheField(match[0], match[2], match[3] ?? ''));
  }
  if (at < text.length) parts.push({ literal: text.slice(at) });
  // The brackets around the time are part of what %t writes.
  return parts.flatMap((part) => ('field' in part && part.field === 'time_local' ? [{ literal: '[' }, part, { literal: ']' }] : [part]));
}

function apacheField(written: string, argument: string | undefined, letter: string): Part {
  const header = argument?.toLowerCase().replace(/\W/g, '_') ?? '';
  if (letter === 'i' && argument !== undefined) return { field: `http_${header}` };
  if (letter === 'o' && argument !== undefined) return { field: `sent_http_${header}` };
  if (letter === 'T' && argument === 'ms') return { field: 'request_milliseconds' };
  if (letter === 'T' && argument === 'us') return { field: 'request_microseconds' };
  if (letter === 'e' || letter === 'n' || letter === 'C') return { field: header };
  const field = DIRECTIVES[letter];
  if (field === undefined || (argument !== undefined && letter === 't'))
    throw new QuernError('usage', `--log-format: ${written} is not supported`, {
      hint: 'the only time that can be read is %t in its default form',
    });
  return { field };
}

/** Text in quotes may hold escaped quotes; else a value ends where what follows it begins. */
function partPattern(part: Part, i: number, parts: readonly Part[]): string {
  if ('literal' in part) return part.literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');
  const [before, after] = [parts[i - 1], parts[i + 1]];
  if (after !== undefined && 'field' in after)
    throw new QuernError(
      'usage',
      `--log-format: there is nothing between ${part.field} and ${after.field}, so they cannot be told apart`,
      {},
    );
  const inQuotes = before !== undefined && 'literal' in before && before.literal.endsWith('"') && after?.literal.startsWith('"') === true;
  return inQuotes ? '((?:[^"\\\\]|\\\\.)*)' : '(.*?)';
}

function unescaped(text: string, escaping: Configured['escaping']): string {
  if (!text.includes('\\') || escaping === 'none') return text;
  if (escaping === 'default') return readEscapes(text);
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
