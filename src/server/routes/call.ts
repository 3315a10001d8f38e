// From a request to what is asked of the answers: endpoint, arguments, format, and what the key adds.
import { QuernError } from '../../base/errors.ts';
import { REPLY_FORMATS, type ReplyFormat } from '../../base/formats.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import { shown } from '../../queries/parameter-value.ts';
import { type ArgumentValues, argumentText, readArguments } from '../../queries/parameters.ts';
import type { SavedQuery } from '../../queries/saved-query.ts';
import type { Endpoint, EndpointTable } from '../answers/endpoints.ts';
import { acceptedArguments, labelsOf } from '../answers/logflare.ts';
import type { PreparedSlot } from '../answers/prepared-slot.ts';
import { acceptedFormat, type Renderers, replyFormat, splitExtension } from '../answers/renderers.ts';
import { BACKGROUND, type Tenant } from '../answers/tenant.ts';
import { isRefusal, outOfScope, type Refusal } from '../http/refusal.ts';
import { ANYBODY, type Caller, shownBy, tenantOf } from '../keys/authentication.ts';
import { pinnedArguments } from '../keys/pinned-arguments.ts';
import type { Span } from '../observe/span.ts';
import { readAsOf } from './as-of.ts';
import { preparedFor, type Sandboxed } from './callers-sql.ts';
import { covers } from './covered.ts';
import type { CallWords } from './one-call.ts';

export type Compat = 'logflare' | undefined;

export interface EndpointRequest {
  readonly place: EndpointPlace;
  /** Of the query string; a name that is repeated has a list. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Of the JSON body. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly accept?: string | undefined;
  /** LF-ENDPOINT-LABELS */
  readonly labels?: string | undefined;
  /** LF-ENDPOINT-REDACT-PII */
  readonly redact?: string | undefined;
  readonly caller: Caller;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
  /** Of the request. */
  readonly span?: Span | undefined;
}

/** A call that can be made again and again: what is the same for all requests of these words. */
export interface PreparedCall {
  /** Where the call's prepared query came from: it no longer fits once the slot holds another. */
  readonly slot: PreparedSlot;
  readonly words: CallWords;
}

interface PrepareDependencies {
  readonly renderers: Renderers;
  readonly compat: Compat;
  /** Whether callers may send SQL of their own for the query. */
  readonly takesSql: (query: SavedQuery) => boolean;
  readonly sandboxed: Sandboxed;
}

export type Prepare = (request: EndpointRequest) => Promise<PreparedCall | Refusal>;

/** The function that reads requests. It throws QuernError `parameter`, `usage`, and what planning throws. */
export function createPrepare({ renderers, compat, takesSql, sandboxed }: PrepareDependencies): Prepare {
  return async (request) => {
    const { endpoint, format: extension } = request.place;
    const { query } = endpoint;
    const { caller } = request;
    if (!covers(caller, query.name)) return outOfScope(query.name, shownBy(caller));
    const { signal, span } = request;
    const own = await endpoint.prepared({ tenant: BACKGROUND, span });
    const given = merged(request.query, request.body, compat);
    const format =
      extension ?? namedFormat(own, given, compat) ?? (compat === undefined ? acceptedFormat(request.accept ?? '') : undefined);
    const sql = takesSql(query) ? callersSql(given) : undefined;
    const { slot, prepared } = await preparedFor({ endpoint, sql, caller, signal, span }, sandboxed);
    const asOf = readAsOf(prepared, given, { caller, compat });
    if (isRefusal(asOf)) return asOf;
    const instant = asOf === undefined ? {} : { asOf };
    return { slot, words: { prepared, ...instant, render: renderers[format ?? 'json'], ...callOf(prepared, given, request, compat) } };
  };
}

export interface EndpointPlace {
  readonly endpoint: Endpoint;
  /** Of the extension in the address. */
  readonly format?: ReplyFormat;
}

/**
 * What a name or UUID in an address stands for, perhaps with an extension. A dot may be part of a name: what the whole text names comes
 * first. Throws QuernError `unknown-query`, or what is wrong with the query's file.
 */
export function findEndpoint(table: EndpointTable, reference: string): EndpointPlace {
  const whole = table.find(reference);
  if (whole !== undefined) return { endpoint: whole };
  const split = splitExtension(reference);
  const endpoint = split === undefined ? undefined : table.find(split.reference);
  if (endpoint !== undefined && split !== undefined) return { endpoint, format: split.format };
  throw new QuernError('unknown-query', `there is no endpoint ${reference}`, {
    hint: 'list the endpoints at /openapi.json, or with `quern list`',
  });
}

/** `format=` chooses the format where the saved query has no parameter of that name. */
function namedFormat(prepared: PreparedQuery, given: Readonly<Record<string, unknown>>, compat: Compat): ReplyFormat | undefined {
  const name = given['format'];
  if (name === undefined || name === '' || prepared.parameters.some((parameter) => parameter.name === 'format')) return undefined;
  const format = typeof name === 'string' ? replyFormat(name) : undefined;
  if (format !== undefined || compat === 'logflare') return format;
  throw new QuernError('usage', `${shown(name)} is not a reply format`, { hint: `the formats are ${REPLY_FORMATS.join(', ')}` });
}

/** A name may stand in both places with the same value; clients of Logflare expect the body to win. */
function merged(query: EndpointRequest['query'], body: EndpointRequest['body'], compat: Compat): Readonly<Record<string, unknown>> {
  if (body === undefined) return query;
  const twice = Object.keys(body).filter((name) => Object.hasOwn(query, name) && argumentText(body[name]) !== argumentText(query[name]));
  if (twice.length > 0 && compat === undefined) {
    throw new QuernError('parameter', 'the address and the body give different values', {
      problems: twice.map((name) => ({ kind: 'invalid', name, message: 'is given twice, with different values' })),
      hint: 'give each parameter once',
    });
  }
  return { ...query, ...body };
}

function callersSql(given: Readonly<Record<string, unknown>>): string | undefined {
  const sql = given['sql'];
  if (sql === undefined || sql === null || sql === '') return undefined;
  if (typeof sql === 'string') return sql;
  throw new QuernError('parameter', 'sql is given more than once, or is not text', { hint: 'send one query' });
}

function callOf(
  prepared: PreparedQuery,
  given: Readonly<Record<string, unknown>>,
  { caller, labels, redact }: EndpointRequest,
  compat: Compat,
): {
  readonly arguments: ArgumentValues;
  readonly redact: boolean;
  readonly maxRows?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly tenant: Tenant;
} {
  const words = compat === 'logflare' ? acceptedArguments(prepared.name, given) : given;
  const pinned = caller === ANYBODY ? words : pinnedArguments(caller, prepared, words);
  return {
    arguments: readArguments(prepared.parameters, pinned, prepared.name, { unknown: 'ignore' }),
    // A caller may ask for more to be hidden, never for less.
    redact: prepared.redactPii || redact?.trim().toLowerCase() === 'true',
    ...(caller === ANYBODY || caller.maxRows === undefined ? {} : { maxRows: caller.maxRows }),
    ...(labels === undefined ? {} : { labels: labelsOf(labels) }),
    tenant: tenantOf(caller),
  };
}
