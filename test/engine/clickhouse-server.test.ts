// The server that tests run against: users, profiles, clusters, and its end.
import { expect, test } from 'vitest';
import { startClickHouse } from '../support/clickhouse-server.ts';

test('two servers form a cluster, with users and profiles of their own', async () => {
  const remote = await startClickHouse();
  const server = await startClickHouse({
    clusters: { pair: [remote.shard, { host: '127.0.0.1', port: remote.tcpPort }] },
    profiles: { reader: { readonly: 1 } },
    users: {
      default: { password: '', networks: { ip: '127.0.0.1' }, profile: 'default', quota: 'default' },
      reader: { password: 's&<cret', networks: { ip: '127.0.0.1' }, profile: 'reader', quota: 'default' },
    },
  });
  try {
    await remote.run('CREATE TABLE t (a Int64) ENGINE = MergeTree ORDER BY a;\nINSERT INTO t VALUES (1), (2)');
    expect(await server.run("SELECT sum(a) FROM cluster('pair', default.t)")).toBe('6\n');
    expect(await server.run('SELECT currentUser()', 'reader', 's&<cret')).toBe('reader\n');
    await expect(server.run('CREATE TABLE z (a Int8) ENGINE = Memory', 'reader', 's&<cret')).rejects.toThrow('READONLY');
  } finally {
    await server.stop();
    await remote.stop();
  }
  await expect(fetch(`${server.url}/ping`)).rejects.toThrow();
  await expect(fetch(`${remote.url}/ping`)).rejects.toThrow();
});

test('a frozen server says nothing until it thaws', async () => {
  const server = await startClickHouse();
  try {
    await server.freeze();
    await expect(fetch(`${server.url}/ping`, { signal: AbortSignal.timeout(200) })).rejects.toThrow('timeout');
    server.thaw();
    expect(await server.run('SELECT 1')).toBe('1\n');
  } finally {
    await server.stop();
  }
});
