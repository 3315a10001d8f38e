// The server engine on a real ClickHouse server: the shared suite.
import { afterAll, beforeAll } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { openServer } from '../../src/engine/server/server.ts';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { describeEngine } from './engine-suite.ts';

let server: ClickHouseServer;
let engine: Engine;
let compressed: Engine;
beforeAll(async () => {
  server = await startClickHouse();
  engine = openServer({ url: server.url });
  compressed = openServer({ url: server.url, compression: true });
});
afterAll(async () => {
  await engine.close();
  await compressed.close();
  await server.stop();
});

describeEngine('server', () => engine);
describeEngine('server, compressed', () => compressed);
