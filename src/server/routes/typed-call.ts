// From a request with SQL over all tables to a call of the answers: what the SQL page of the console sends.
import { didYouMean, QuernError } from '../../base/errors.ts';
import { REPLY_FORMATS } from '../../base/formats.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import { PARAMETER_TYPES } from '../../queries/parameter-types.ts';
import { readArguments } from '../../queries/parameters.ts';
import type { ParameterDeclaration } from '../../queries/saved-query.ts';
import type { Waiter } from '../answers/answer.ts';
import type { PreparedSlot } from '../answers/prepared-slot.ts';
import { type Renderers, replyFormat } from '../answers/renderers.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Failure, isFailure } from '../http/failure.ts';
import { ANYBODY, barredFromSqlPage, type Caller, tenantOf } from '../keys/authentication.ts';
import { readAsOf } from './as-of.ts';
import type { Compat, PreparedCall } from './call.ts';
import { namesFor, withPins } from './caller-names.ts';
import type { RouteParts } from './route.ts';

/** Stands for the endpoint in the log and in metrics. */
export const SQL_PAGE_NAME = 'console.sql';

/** The most rows that the page may ask for. */
const MOST_ROWS = 100_000;
const USUAL_ROWS = 1000;
/** For so long the same SQL is answered from the cache, as long as the data are not known to have changed. */
const TTL_SECONDS = 60;

export interface TypedText {
  readonly sql: string;
  readonly parameters: readonly ParameterDeclaration[];
  readonly maxRows: number;
}

interface PrepareTypedOptions extends Pick<RouteParts, 'table' | 'typed' | 'compat'> {
  readonly renderers: Renderers;
  readonly compat: Compat;
}

export type PrepareTyped = (exchange: Exchange, caller: Caller) => Promise<PreparedCall | Failure>;

type Given = Readonly<Record<string, unknown>>;

/** The function that reads requests of the SQL page. It throws QuernError `parameter`, `usage`, and what preparing throws. */
export function createPrepareTyped({ renderers, compat, ...server }: PrepareTypedOptions): PrepareTyped {
  return async (exchange, caller) => {
    const refusal = barredFromSqlPage(caller);
    if (refusal !== undefined) return refusal;
    const body = Object(exchange.request.body) as Given;
    const { slot, prepared } = await preparedText({ text: readTypedText(body), caller }, exchange, server);
    const given = Object(body['values']) as Given;
    const asOf = readAsOf(prepared, given, { caller, compat });
    if (isFailure(asOf)) return asOf;
    return {
      slot,
      caller,
      prepared,
      name: SQL_PAGE_NAME,
      arguments: readArguments(prepared.parameters, withPins(caller, prepared, given), 'the query', { unknown: 'ignore' }),
      asOf,
      render: renderers[readFormat(body['format'])],
      redact: prepared.redactPii,
      maxRows: caller === ANYBODY ? undefined : caller.maxRows,
      tenant: tenantOf(caller),
    };
  };
}

/** Throws what preparing throws. */
export async function preparedText(
  { text: { sql, parameters, maxRows }, caller }: { readonly text: TypedText; readonly caller: Caller },
  { signal, span }: Pick<Waiter, 'signal' | 'span'>,
  { table, typed }: Pick<RouteParts, 'table' | 'typed'>,
): Promise<{ readonly slot: PreparedSlot; readonly prepared: PreparedQuery }> {
  const given = parameters.map((declaration) => ({ declaration, value: undefined }));
  const slot = typed(sql, given, namesFor({ table }, { caller }), { maxRows, ttlSeconds: TTL_SECONDS });
  return { slot, prepared: await slot.prepared({ tenant: tenantOf(caller), signal, span }) };
}

/** Reads what a body says of the SQL. Throws QuernError `usage`. */
export function readTypedText({ sql, parameters = [], rows = USUAL_ROWS }: Given): TypedText {
  if (typeof sql !== 'string') throw new QuernError('usage', 'sql is missing, or not text', { hint: 'send {"sql": "select 1"}' });
  if (typeof rows !== 'number' || !Number.isInteger(rows) || rows < 1 || rows > MOST_ROWS)
    throw new QuernError('usage', `rows is not a number from 1 to ${MOST_ROWS}`, { hint: 'send {"sql": "…", "rows": 1000}' });
  if (!Array.isArray(parameters)) throw new QuernError('usage', 'parameters is not a list', { hint: PARAMETERS_HINT });
  return { sql, parameters: parameters.map(readParameter), maxRows: rows };
}

const PARAMETERS_HINT = 'send [{"name": "start", "type": "timestamp"}]';

function readParameter(value: unknown): ParameterDeclaration {
  const { name, type, array = false, required = true } = Object(value) as Given;
  if (typeof name !== 'string' || !/^\w+$/.test(name)) throw new QuernError('usage', 'a parameter has no name', { hint: PARAMETERS_HINT });
  const types = Object.keys(PARAMETER_TYPES) as (keyof typeof PARAMETER_TYPES)[]; // its own keys
  const known = types.find((one) => one === type);
  if (known !== undefined) return { name, type: known, array: array === true, required: required !== false };
  throw new QuernError('usage', `${name} has a type that is not known: ${String(type)}`, {
    hint: didYouMean(String(type), types) ?? `the types are ${types.join(', ')}`,
  });
}

function readFormat(value: unknown) {
  const format = value === undefined ? 'json' : replyFormat(String(value));
  if (format !== undefined) return format;
  throw new QuernError('usage', `${String(value)} is not a reply format`, { hint: `the formats are ${REPLY_FORMATS.join(', ')}` });
}
