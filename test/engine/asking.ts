// How tests ask an engine: what a failure says, the text of a stream, and which queries run.

import { QuernError } from '../../src/base/errors.ts';
import type { Engine, EngineQuery, EngineResult, StreamFormat } from '../../src/engine/engine.ts';

/** `code: first line` of the error that `promise` rejects with. */
export async function failure(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error('did not fail'),
    (reason: unknown) => reason,
  );
  return error instanceof QuernError ? `${error.code}: ${error.message}` : String(error);
}

export async function text(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export const ENDLESS = 'SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1';
export const ENDLESS_ROWS = 'SELECT number, sipHash64(number) FROM numbers(100000000000)';

export interface Asking {
  execute(sql: string, more?: Partial<EngineQuery>): Promise<EngineResult>;
  stream(sql: string, format: StreamFormat, more?: Partial<EngineQuery>): AsyncIterable<Uint8Array>;
  /** How many queries with this part in their text the observer sees running. */
  running(part: string): Promise<unknown>;
}

export function asking(engine: () => Engine, observer = engine): Asking {
  const execute = (sql: string, more: Partial<EngineQuery> = {}) => engine().execute({ sql, bindings: [], settings: {}, ...more });
  const stream = (sql: string, format: StreamFormat, more: Partial<EngineQuery> = {}) =>
    engine().stream({ sql, bindings: [], settings: {}, ...more }, format);
  const running = async (part: string): Promise<unknown> =>
    (
      await observer().rows(`SELECT count() FROM system.processes WHERE query LIKE '%${part}%' AND query NOT LIKE '%system.processes%'`)
    )[0]?.[0];
  return { execute, stream, running };
}
