// What the variables of an access log are in an edge request event.

import { Invalid } from './bad-lines.ts';
import type { LogEvent } from './event.ts';

/** Values by the names that nginx has for them; absent ones are left out. */
type AccessFields = Map<string, string>;

type Fields = LogEvent;

const REQUEST_LINE = /^([A-Za-z][A-Za-z_-]*) (\S.*?)(?: (HTTP\/\d(?:\.\d)?))?$/;
const TIME = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Variables that have a field of another name, or make several. */
const TAKEN = new Set([
  'time_local',
  'time_iso8601',
  'msec',
  'request',
  'request_method',
  'request_uri',
  'uri',
  'document_uri',
  'args',
  'query_string',
  'query',
  'server_protocol',
  'host',
  'http_host',
  'server_name',
  'scheme',
  'remote_addr',
  'remote_user',
  'ident',
  'status',
  'body_bytes_sent',
  'request_time',
  'request_milliseconds',
  'request_microseconds',
  'request_id',
]);

/** The parts of a line that a pattern has found, by their names in its order. A part that is empty or `-` is absent. */
export function accessFields(names: readonly string[], [, ...parts]: RegExpExecArray, unescaped: (text: string) => string): AccessFields {
  const fields: AccessFields = new Map();
  for (const [i, name] of names.entries()) {
    const value = unescaped(parts[i] ?? '');
    if (value !== '' && value !== '-') fields.set(name, value);
  }
  return fields;
}

/**
 * The event of a line. A request line that is not HTTP (a port scan, TLS on a plain port) is a real request without method, path and url; its text is kept in
 * event_message.
 */
export function accessEvent(fields: AccessFields): LogEvent {
  const take = (...names: readonly string[]): string | undefined =>
    names.map((name) => fields.get(name)).find((value) => value !== undefined);
  const line = fields.get('request');
  const [, lineMethod, lineTarget, lineProtocol] = (line === undefined ? null : REQUEST_LINE.exec(line)) ?? [];
  const method = take('request_method') ?? lineMethod;
  const target = take('request_uri') ?? lineTarget ?? targetOf(fields);
  const host = take('host', 'http_host', 'server_name')?.replace(/:\d+$/, '');
  const client = take('http_x_real_ip', 'remote_addr');
  const agent = take('http_user_agent');
  const status = integer(fields, 'status');
  const request: Fields = {};
  const requestHeaders: Fields = {};
  const response: Fields = {};
  const responseHeaders: Fields = {};
  put(request, 'method', method);
  if (target !== undefined) Object.assign(request, splitTarget(target, host, take('scheme')));
  else put(request, 'host', host);
  put(request, 'protocol', take('server_protocol') ?? lineProtocol);
  put(request, 'ident', take('ident'));
  put(request, 'user', take('remote_user'));
  put(requestHeaders, 'x_real_ip', client);
  for (const [name, value] of fields) {
    if (TAKEN.has(name)) continue;
    if (name.startsWith('http_')) requestHeaders[name.slice('http_'.length)] ??= value;
    else if (name.startsWith('sent_http_')) responseHeaders[name.slice('sent_http_'.length)] = value;
    else if (name.startsWith('upstream_') || name.endsWith('_sent')) response[name] = value;
    else request[name] = value;
  }
  put(response, 'status_code', status);
  put(response, 'origin_time', milliseconds(fields));
  put(responseHeaders, 'content_length', integer(fields, 'body_bytes_sent'));
  const id = fields.get('request_id');
  return {
    ...(id === undefined ? {} : { id }),
    timestamp: timeOf(fields),
    event_message: [method ?? '-', status ?? '-', client ?? '-', target ?? line ?? '-', agent ?? '-'].join(' | '),
    metadata: {
      request: { ...request, headers: requestHeaders },
      response: { ...response, ...(Object.keys(responseHeaders).length === 0 ? {} : { headers: responseHeaders }) },
    },
  };
}

function put(record: Fields, name: string, value: string | number | undefined): void {
  if (value !== undefined) record[name] = value;
}

/** The target out of its path and its query, where the log has these. */
function targetOf(fields: AccessFields): string | undefined {
  const path = fields.get('uri') ?? fields.get('document_uri');
  if (path === undefined) return undefined;
  const query = fields.get('query') ?? fields.get('args') ?? fields.get('query_string');
  if (query === undefined) return path;
  return `${path}${query.startsWith('?') ? '' : '?'}${query}`;
}

function integer(fields: AccessFields, name: string): number | undefined {
  const text = fields.get(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new Invalid(`${name} ${JSON.stringify(text)} is not a number`);
  return Number(text);
}

/** How long the request took. */
function milliseconds(fields: AccessFields): number | undefined {
  const scales = { request_time: 1000, request_milliseconds: 1, request_microseconds: 0.001 } as const;
  for (const [name, scale] of Object.entries(scales)) {
    const text = fields.get(name);
    if (text === undefined) continue;
    if (!/^\d{1,12}(?:\.\d+)?$/.test(text)) throw new Invalid(`${name} ${JSON.stringify(text)} is not a number`);
    return Math.round(Number(text) * scale);
  }
  return undefined;
}

function timeOf(fields: AccessFields): string | number {
  const seconds = fields.get('msec');
  if (seconds !== undefined) {
    if (!/^\d{1,11}(?:\.\d{1,6})?$/.test(seconds)) throw new Invalid(`msec ${JSON.stringify(seconds)} is not a time`);
    return new Date(Math.round(Number(seconds) * 1000)).toISOString();
  }
  const iso = fields.get('time_iso8601');
  if (iso !== undefined) return iso;
  return readLogTime(fields.get('time_local') ?? '');
}

/** Path, query and address of a request; the host is known when the target or the log names it. */
function splitTarget(target: string, virtualHost: string | undefined, scheme = 'https'): { [field: string]: string } {
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

function readLogTime(time: string): string {
  const match = TIME.exec(time);
  const month = match === null ? 0 : MONTHS.indexOf(match[2] ?? '') + 1;
  if (match === null || month === 0) throw new Invalid(`time [${time}] is not in the combined log format`);
  return `${match[3]}-${String(month).padStart(2, '0')}-${match[1]}T${match[4]}${match[5]}`;
}
