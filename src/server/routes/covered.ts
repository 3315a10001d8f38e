// The endpoints that a caller may use.
import { QuernError } from '../../base/errors.ts';
import type { Endpoint, EndpointTable } from '../answers/endpoints.ts';
import type { Failure } from '../http/failure.ts';
import { outOfScope } from '../http/refusal.ts';
import { ANYBODY, type Caller, shownBy } from '../keys/authentication.ts';
import { keyAllows } from '../keys/key.ts';

export const covers = (caller: Caller, queryName: string): boolean => caller === ANYBODY || keyAllows(caller, queryName);

export const coveredEndpoints = (table: EndpointTable, caller: Caller): readonly Endpoint[] =>
  table.endpoints.filter(({ query }) => covers(caller, query.name));

/** Returns the endpoint that a page names. Throws QuernError `unknown-query`, or what is wrong with the query's file. */
export function endpointNamed(table: EndpointTable, name: string, caller: Caller): Endpoint | Failure {
  const endpoint = table.find(name, (one) => covers(caller, one));
  if (endpoint === undefined)
    throw new QuernError('unknown-query', `there is no endpoint ${name}`, { hint: 'the endpoints are listed at /' });
  return covers(caller, endpoint.query.name) ? endpoint : outOfScope(endpoint.query.name, shownBy(caller));
}
