// The instant that a caller asks for: what CURRENT_TIMESTAMP() gives in place of now.

import { QuernError } from '../../base/errors.ts';
import { NOW_FORMS, readNow } from '../../base/instant.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import { readsInstant } from '../../execution/request.ts';
import { shown } from '../../queries/parameter-value.ts';
import type { ParameterDeclaration } from '../../queries/saved-query.ts';
import type { Failure } from '../http/failure.ts';
import { type Caller, oversees } from '../keys/authentication.ts';

const NAME = 'as_of';

/** The description in the console and in OpenAPI. */
export const AS_OF: ParameterDeclaration = {
  name: NAME,
  type: 'timestamp',
  array: false,
  required: false,
  description: 'the time that counts as now; leave it empty for the current time',
};

type Compat = 'logflare' | undefined;

/** Returns whether the prepared query can run as of another time: it reads the instant, and has no parameter of that name. */
export const takesAsOf = (prepared: Pick<PreparedQuery, 'bound' | 'parameters'>, compat: Compat): boolean =>
  compat === undefined && readsInstant(prepared) && !prepared.parameters.some(({ name }) => name === NAME);

const notAllowed: Failure = {
  status: 403,
  code: 'forbidden',
  message: 'the API key does not allow choosing the time of a query',
  hint: "as_of takes a key without pins and with the scope '*', since queries bound what may be read by the time",
};

/** In canonical form; undefined where none is asked for. Throws `parameter` for what is no time. */
export function readAsOf(
  prepared: PreparedQuery,
  given: Readonly<Record<string, unknown>>,
  { caller, compat }: { readonly caller: Caller; readonly compat: Compat },
): string | Failure | undefined {
  const value = given[NAME];
  if (value === undefined || value === null || value === '' || !takesAsOf(prepared, compat)) return undefined;
  if (!oversees(caller)) return notAllowed;
  const instant = typeof value === 'string' || typeof value === 'number' ? readNow(String(value)) : undefined;
  if (instant !== undefined) return instant;
  throw new QuernError('parameter', `${NAME} is invalid`, {
    problems: [{ kind: 'invalid', name: NAME, message: `${shown(value)} is not ${NOW_FORMS}` }],
    hint: `leave out ${NAME} for the current time`,
  });
}
