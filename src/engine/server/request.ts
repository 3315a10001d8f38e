// Writes a query with its values as the body of an HTTP request.
import { randomUUID } from 'node:crypto';
import { QuernError } from '../../base/errors.ts';
import { identifier, parameterText } from '../bind.ts';
import type { BoundText } from '../engine.ts';
import type { Settings } from '../session-settings.ts';
import { cutLongValues, MAX_FIELD_BYTES } from './long-values.ts';

export interface WrittenQuery {
  readonly body: string;
  readonly contentType: string;
  /** Parameters of the URL: settings, and those of the protocol. */
  readonly urlParameters: Settings;
  /** Settings without which the server would not read the query. */
  readonly settings: Settings;
}

/** ClickHouse takes a URL of 1 MiB; settings need some of it. */
const MAX_URL_BYTES = 900_000;
/** ClickHouse reads a query of 256 KiB unless told otherwise. */
const LONG_SQL_BYTES = 200_000;
const PLAIN = 'text/plain; charset=utf-8';

/**
 * Values travel as parameters in a form, with the query: not in the URL, which is short in proxies and ends up in their logs. Only where
 * the query itself is too long for a form, the values are put in the URL.
 * Throws QuernError `unsupported` when both are too long.
 */
export function writeQuery(query: BoundText): WrittenQuery {
  const { sql, bindings } = cutLongValues(query);
  const sqlBytes = Buffer.byteLength(sql);
  const settings: Settings = sqlBytes > LONG_SQL_BYTES ? { max_query_size: 2 * sqlBytes } : {};
  if (bindings.length === 0) return { body: sql, contentType: PLAIN, urlParameters: {}, settings };
  const parameters = bindings.map(({ name, value }) => [`param_${identifier(name)}`, parameterText(value)] as const);
  if (sqlBytes <= MAX_FIELD_BYTES) {
    const boundary = `quern-${randomUUID()}`;
    const contentType = `multipart/form-data; boundary=${boundary}`;
    return { body: form([['query', sql], ...parameters], boundary), contentType, urlParameters: {}, settings };
  }
  if (new URLSearchParams(Object.fromEntries(parameters)).toString().length > MAX_URL_BYTES) {
    throw new QuernError('unsupported', 'the query and its values are both too long for a ClickHouse server', {
      hint: `a query of more than ${MAX_FIELD_BYTES} bytes can have values of up to ${MAX_URL_BYTES} bytes; shorten one of them`,
    });
  }
  return { body: sql, contentType: PLAIN, urlParameters: Object.fromEntries(parameters), settings };
}

/** Values contain no line breaks, and nothing can contain the boundary. */
function form(fields: readonly (readonly [string, string])[], boundary: string): string {
  const parts = fields.map(([name, text]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`);
  return `${parts.join('')}--${boundary}--\r\n`;
}
