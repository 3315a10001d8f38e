// The endpoints that a caller may use.

import type { Endpoint, EndpointTable } from '../answers/endpoints.ts';
import { ANYBODY, type Caller } from '../keys/authentication.ts';
import { keyAllows } from '../keys/key.ts';

export const covers = (caller: Caller, queryName: string): boolean => caller === ANYBODY || keyAllows(caller, queryName);

export const coveredEndpoints = (table: EndpointTable, caller: Caller): readonly Endpoint[] =>
  table.endpoints.filter(({ query }) => covers(caller, query.name));
