// The part of a request that can be the reason why there are no rows, and such a reason.
import type { PreparedQuery } from './prepared-query.ts';
import { readsInstant } from './request.ts';

export interface AskedRows {
  /** The project that records must be of, where the query has such a parameter. */
  readonly project?: string | undefined;
  /** The value of CURRENT_TIMESTAMP(), as ClickHouse writes it, if the query reads it. */
  readonly instant?: string | undefined;
}

export interface Emptiness {
  /** A sentence without its full stop. */
  readonly reason: string;
  /** The instant as of which there are rows, in ISO 8601; if the rows end before the instant of the request. */
  readonly asOf?: string | undefined;
  /** Nothing has been loaded where the query reads. */
  readonly isStoreEmpty?: true;
}

/** `instant`: what CURRENT_TIMESTAMP() gave, if anything reads it. A pattern names no project. */
export function askedRows(prepared: PreparedQuery, given: Readonly<Record<string, unknown>>, instant: string | undefined): AskedRows {
  const declared = prepared.parameters.some(({ name, format, array }) => name === 'project' && format === undefined && !array);
  const project = given['project'];
  return {
    project: declared && typeof project === 'string' ? project : undefined,
    instant: readsInstant(prepared) ? instant : undefined,
  };
}
