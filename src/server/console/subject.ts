// What is run: a saved query, or the text of the SQL page.
import type { Address } from './address.ts';
import type { ConsoleEndpoint, ConsoleParameter, TypedParameter } from './contract.ts';
import { sentValues } from './sent-values.ts';
import type { Question } from './server.ts';

/** A saved query is one as it is. Without a name it is the text of the SQL page. */
export interface Subject extends Partial<Pick<ConsoleEndpoint, 'name' | 'id' | 'columns'>> {
  readonly parameters: readonly ConsoleParameter[];
}

export function questionOf({ name, parameters }: Subject, { values, sql, rows }: Pick<Address, 'values' | 'sql' | 'rows'>): Question {
  const sent = sentValues({ parameters }, values, Date.now());
  if (name !== undefined) return { endpoint: name, values: sent, ...(sql === undefined ? {} : { sql }) };
  return {
    values: sent,
    sql: sql ?? '',
    rows,
    parameters: typedParameters(parameters),
  };
}

export const typedParameters = (parameters: readonly ConsoleParameter[]): readonly TypedParameter[] =>
  parameters.map(({ name, type, array, required }) => ({ name, type, array, required }));
