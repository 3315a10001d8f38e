// From a request to what is asked of the answers: endpoint, arguments, format, and what the key adds.
import { QuernError } from '../errors.ts';
import type { Plan } from '../execution/plan.ts';
import { REPLY_FORMATS, type ReplyFormat } from '../formats.ts';
import { keyAllows } from '../keys/key.ts';
import { pinnedArguments, refuseCallersSql } from '../keys/pinned-arguments.ts';
import { shown } from '../saved-query/parameter-value.ts';
import { type ArgumentValues, argumentText, readArguments } from '../saved-query/parameters.ts';
import type { SavedQuery } from '../saved-query/saved-query.ts';
import { EVERYBODY, type Tenant } from './answers/tenant.ts';
import { ANYBODY, type Caller } from './authentication.ts';
import type { Endpoint, EndpointTable } from './endpoints.ts';
import { acceptedArguments, labelsOf } from './logflare.ts';
import type { CallWords } from './one-call.ts';
import type { PlanSlot } from './plan-slot.ts';
import { outOfScope, type Refusal } from './refusal.ts';
import { acceptedFormat, type Renderers, replyFormat, splitExtension } from './renderers.ts';

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
}

/** A call that can be made again and again: what is the same for all requests of these words. */
export interface PreparedCall {
  /** Where the call's plan came from: it no longer fits once the slot holds another. */
  readonly slot: PlanSlot;
  readonly words: CallWords;
}

interface PrepareDependencies {
  readonly renderers: Renderers;
  readonly compat: Compat;
  /** Whether callers may send SQL of their own for the query. */
  readonly takesSql: (query: SavedQuery) => boolean;
  /** The slot of the caller's SQL for a saved query; the same one for the same text. `secret`: see SandboxRules. */
  readonly sandboxed: (query: SavedQuery, sql: string, secret: boolean) => PlanSlot;
}

export type Prepare = (request: EndpointRequest) => Promise<PreparedCall | Refusal>;

/** The function that reads requests. It throws QuernError `parameter`, `usage`, and what planning throws. */
export function createPrepare({ renderers, compat, takesSql, sandboxed }: PrepareDependencies): Prepare {
  return async (request) => {
    const { endpoint, format: extension } = request.place;
    const { query } = endpoint;
    const { caller } = request;
    if (caller !== ANYBODY && !keyAllows(caller, query.name)) return outOfScope(query.name);
    const own = await endpoint.plan();
    const given = merged(request.query, request.body, compat);
    const format =
      extension ?? namedFormat(own, given, compat) ?? (compat === undefined ? acceptedFormat(request.accept ?? '') : undefined);
    const sql = takesSql(query) ? callersSql(given) : undefined;
    // What the header opens is known to be filtered or not before the caller's text is read.
    if (sql !== undefined && own.sandbox && caller !== ANYBODY) refuseCallersSql(caller, own);
    const slot = sql === undefined ? endpoint : sandboxed(query, sql, caller !== ANYBODY && Object.keys(caller.pins).length > 0);
    const plan = await slot.plan();
    // By what is going to run: a saved query that is read as a table may have changed since the endpoint was planned.
    if (sql !== undefined && caller !== ANYBODY) refuseCallersSql(caller, plan);
    return { slot, words: { plan, render: renderers[format ?? 'json'], ...callOf(plan, given, request, compat) } };
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
  throw new QuernError('unknown-query', `there is no endpoint ${reference}`, { hint: 'see them at /openapi.json, or with `quern list`' });
}

/** `format=` chooses the format where the saved query has no parameter of that name. */
function namedFormat(plan: Plan, given: Readonly<Record<string, unknown>>, compat: Compat): ReplyFormat | undefined {
  const name = given['format'];
  if (name === undefined || name === '' || plan.parameters.some((parameter) => parameter.name === 'format')) return undefined;
  const format = typeof name === 'string' ? replyFormat(name) : undefined;
  if (format !== undefined || compat === 'logflare') return format;
  throw new QuernError('usage', `${shown(name)} is not a format of replies`, { hint: `formats: ${REPLY_FORMATS.join(', ')}` });
}

/** A name may stand in both places with the same value; clients of Logflare expect the body to win. */
function merged(query: EndpointRequest['query'], body: EndpointRequest['body'], compat: Compat): Readonly<Record<string, unknown>> {
  if (body === undefined) return query;
  const twice = Object.keys(body).filter((name) => Object.hasOwn(query, name) && argumentText(body[name]) !== argumentText(query[name]));
  if (twice.length > 0 && compat === undefined) {
    throw new QuernError('parameter', 'the address and the body give different values', {
      problems: twice.map((name) => ({ kind: 'unfit', name, message: 'is given twice, with different values' })),
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
  plan: Plan,
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
  const words = compat === 'logflare' ? acceptedArguments(plan.name, given) : given;
  const pinned = caller === ANYBODY ? words : pinnedArguments(caller, plan, words);
  return {
    arguments: readArguments(plan.parameters, pinned, plan.name, { unknown: 'ignore' }),
    // A caller may ask for more to be hidden, never for less.
    redact: plan.redactPii || redact?.trim().toLowerCase() === 'true',
    ...(caller === ANYBODY || caller.maxRows === undefined ? {} : { maxRows: caller.maxRows }),
    ...(labels === undefined ? {} : { labels: labelsOf(labels) }),
    tenant: caller === ANYBODY ? EVERYBODY : caller,
  };
}
