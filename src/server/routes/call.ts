// From a request to a call of the answers: endpoint, arguments, format, and what the key adds.
import { QuernError } from '../../base/errors.ts';
import { REPLY_FORMATS, type ReplyFormat } from '../../base/formats.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import { shown } from '../../queries/parameter-value.ts';
import { argumentText, readArguments } from '../../queries/parameters.ts';
import type { SavedQuery } from '../../queries/saved-query.ts';
import type { Call } from '../answers/answer.ts';
import type { Endpoint, EndpointTable } from '../answers/endpoints.ts';
import { acceptedArguments, labelsOf } from '../answers/logflare.ts';
import type { PreparedSlot } from '../answers/prepared-slot.ts';
import { acceptedFormat, type Renderers, replyFormat, splitExtension } from '../answers/renderers.ts';
import { BACKGROUND } from '../answers/tenant.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Failure, isFailure } from '../http/failure.ts';
import { outOfScope } from '../http/refusal.ts';
import { ANYBODY, type Caller, shownBy, tenantOf } from '../keys/authentication.ts';
import { pinnedArguments } from '../keys/pinned-arguments.ts';
import { AS_OF, readAsOf } from './as-of.ts';
import { preparedFor, type Sandboxed } from './callers-sql.ts';
import { covers } from './covered.ts';
import { PAGE_PARAMETERS, readWantedPage, takesPages } from './wanted-page.ts';

export type Compat = 'logflare' | undefined;

/** A call that can be made again and again, and where its prepared query came from: it no longer fits once the slot holds another. */
export interface PreparedCall extends Call {
  readonly slot: PreparedSlot;
  readonly caller: Caller;
  /** Stands for the endpoint in the log and in metrics, where the query has no name of its own. */
  readonly name?: string;
}

interface PrepareOptions {
  readonly renderers: Renderers;
  readonly compat: Compat;
  /** Returns whether callers may send SQL of their own for the query. */
  readonly takesSql: (query: SavedQuery) => boolean;
  readonly sandboxed: Sandboxed;
}

type Given = Readonly<Record<string, unknown>>;

export type Prepare = (exchange: Exchange, caller: Caller, place: EndpointPlace) => Promise<PreparedCall | Failure>;

/** The function that reads requests. It throws QuernError `parameter`, `usage`, and what preparing throws. */
export function createPrepare({ renderers, compat, takesSql, sandboxed }: PrepareOptions): Prepare {
  return async (exchange, caller, { endpoint, format: extension }) => {
    const { query } = endpoint;
    const { headers, query: inAddress, body } = exchange.request;
    if (!covers(caller, query.name)) return outOfScope(query.name, shownBy(caller));
    const own = await endpoint.prepared({ tenant: BACKGROUND, span: exchange.span });
    // A name that is repeated in the address has a list; of bodies addBodies lets objects through only.
    const given = merged(inAddress as Given, body as Given | undefined, compat);
    const accepted = compat === undefined ? acceptedFormat(headers.accept ?? '') : undefined;
    const format = extension ?? namedFormat(own, given, compat) ?? accepted ?? 'json';
    const sql = takesSql(query) ? callersSql(given) : undefined;
    const { slot, prepared } = await preparedFor({ endpoint, sql, caller }, exchange, sandboxed);
    const asOf = readAsOf(prepared, given, { caller, compat });
    if (isFailure(asOf)) return asOf;
    const known = compat === 'logflare' ? acceptedArguments(prepared.name, given) : given;
    const pinned = caller === ANYBODY ? known : pinnedArguments(caller, prepared, known);
    const labels = headerText(headers['lf-endpoint-labels']);
    const redact = headerText(headers['lf-endpoint-redact-pii']);
    return {
      slot,
      caller,
      prepared,
      arguments: readArguments(prepared.parameters, pinned, prepared.name, namesBeside(prepared, takesSql(query), compat)),
      asOf,
      page: readWantedPage(prepared, given, compat),
      render: renderers[format],
      // A caller may ask for more to be hidden, never for less.
      redact: prepared.redactPii || redact?.trim().toLowerCase() === 'true',
      maxRows: caller === ANYBODY ? undefined : caller.maxRows,
      labels: labels === undefined ? undefined : labelsOf(labels),
      tenant: tenantOf(caller),
    };
  };
}

/** What a request may name beside parameters. Logflare ignores all other names, and its clients send some. */
function namesBeside(prepared: PreparedQuery, takesSql: boolean, compat: Compat) {
  if (compat === 'logflare') return { unknown: 'ignore' } as const;
  const pages = takesPages(prepared, compat) ? PAGE_PARAMETERS.map(({ name }) => name) : [];
  return { others: ['format', AS_OF.name, ...pages, ...(takesSql ? ['sql'] : [])] };
}

const headerText = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value.join(',') : value);

interface EndpointPlace {
  readonly endpoint: Endpoint;
  /** The format of the extension in the address. */
  readonly format?: ReplyFormat;
}

/**
 * Returns the endpoint of a name or UUID in an address, perhaps with an extension. A dot may be part of a name: the endpoint of the whole text comes
 * first. Throws QuernError `unknown-query`, or what is wrong with the query's file.
 */
export function findEndpoint(table: EndpointTable, reference: string, caller: Caller): EndpointPlace {
  const mayKnow = (name: string): boolean => covers(caller, name);
  const whole = table.find(reference, mayKnow);
  if (whole !== undefined) return { endpoint: whole };
  const split = splitExtension(reference);
  const endpoint = split === undefined ? undefined : table.find(split.reference, mayKnow);
  if (endpoint !== undefined && split !== undefined) return { endpoint, format: split.format };
  throw new QuernError('unknown-query', `there is no endpoint ${reference}`, {
    hint: 'list the endpoints at /openapi.json, or with `quern list`',
  });
}

/** `format=` chooses the format where the saved query has no parameter of that name. */
function namedFormat(prepared: PreparedQuery, given: Given, compat: Compat): ReplyFormat | undefined {
  const name = given['format'];
  if (name === undefined || name === '' || prepared.parameters.some((parameter) => parameter.name === 'format')) return undefined;
  const format = typeof name === 'string' ? replyFormat(name) : undefined;
  if (format !== undefined || compat === 'logflare') return format;
  throw new QuernError('usage', `${shown(name)} is not a reply format`, { hint: `the formats are ${REPLY_FORMATS.join(', ')}` });
}

/** A name may stand in both places with the same value; clients of Logflare expect the body to win. */
function merged(query: Given, body: Given | undefined, compat: Compat): Given {
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

function callersSql(given: Given): string | undefined {
  const sql = given['sql'];
  if (sql === undefined || sql === null || sql === '') return undefined;
  if (typeof sql === 'string') return sql;
  throw new QuernError('parameter', 'sql is given more than once, or is not text', { hint: 'send one query' });
}
