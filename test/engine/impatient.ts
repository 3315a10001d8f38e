// An engine that does not wait between its attempts, and servers of all kinds for it: closed when the test ends.
import { onTestFinished } from 'vitest';
import type { Engine, EngineQuery } from '../../src/engine/engine.ts';
import { openServer, type ServerOptions } from '../../src/engine/server/server.ts';
import { type StrangeServer, strangeServer } from '../support/strange-server.ts';

export const query = (sql: string, more: Partial<EngineQuery> = {}): EngineQuery => ({ sql, bindings: [], settings: {}, ...more });

/** Without waiting between attempts; `pauses` tells how many there were. */
export function impatient(url: string, more: Partial<ServerOptions> = {}): { readonly engine: Engine; readonly pauses: number[] } {
  const pauses: number[] = [];
  const engine = openServer({ url, random: () => 0, pause: async (ms) => void pauses.push(ms), ...more });
  onTestFinished(() => engine.close());
  return { engine, pauses };
}

export async function strange(handle: Parameters<typeof strangeServer>[0]): Promise<StrangeServer> {
  const server = await strangeServer(handle);
  onTestFinished(() => server.close());
  return server;
}
