// A ClickHouse server on a folder of data, out of the library that the embedded engine is: the same engine, but one that tells for each
// query what it has read, its peak of memory, and in system.query_log the time it had the processors.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent, get, request } from 'node:http';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);
const CHILD = '--as-child';
const READY_MS = 60_000;

const CONFIG = `<clickhouse>
  <logger><level>none</level></logger>
  <users_config>users.xml</users_config>
  <keep_alive_timeout>600</keep_alive_timeout>
  <shutdown_wait_unfinished>0</shutdown_wait_unfinished>
  <query_log><database>system</database><table>query_log</table><engine>ENGINE = Memory</engine></query_log>
</clickhouse>
`;
const USERS = `<clickhouse>
  <profiles><default/></profiles>
  <quotas><default/></quotas>
  <users><default><password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
</clickhouse>
`;

/** Opens the data directory `path`; `folder` is for the server's configuration. */
export async function startClickHouse({ path, folder }) {
  const config = CONFIG.replace('users.xml', join(folder, 'users.xml'));
  writeFileSync(join(folder, 'config.xml'), config);
  writeFileSync(join(folder, 'users.xml'), USERS);
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [self, CHILD, `--path=${path}`, `--config-file=${join(folder, 'config.xml')}`, '--listen_host=127.0.0.1', `--http_port=${port}`],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said = (said + data).slice(-4000)));
  let ended = false;
  const end = new Promise((resolve) => child.once('exit', resolve)).then(() => (ended = true));
  const deadline = Date.now() + READY_MS;
  while (!(await answers(port))) {
    if (ended || Date.now() > deadline) throw new Error(`the ClickHouse server did not start: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    /** Body and summary of one statement. */
    query: (sql, settings = {}) => post({ port, agent, sql, settings }),
    async stop() {
      agent.destroy(); // an open connection would make the server wait
      child.stdin.end();
      await end;
    },
  };
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const answers = (port) =>
  new Promise((resolve) => {
    const ping = get({ host: '127.0.0.1', port, path: '/ping', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.on('error', () => resolve(false));
  });

function post({ port, agent, sql, settings }) {
  const path = `/?${new URLSearchParams({ wait_end_of_query: 1, ...settings })}`;
  const body = Buffer.from(sql);
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const sent = request(
      { host: '127.0.0.1', port, path, agent, method: 'POST', headers: { 'content-length': body.length } },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const ms = performance.now() - started;
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode !== 200) reject(new Error(`${text.trim()}\n${sql}`));
          else resolve({ ms, text, summary: JSON.parse(response.headers['x-clickhouse-summary'] ?? '{}') });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Runs the library's main function. Its last statement reads standard input: when that is closed, or the parent is gone, the server ends. */
function serve(args) {
  const require = createRequire(import.meta.url);
  const { DataType, load, open } = require('ffi-rs');
  open({ library: 'chdb', path: require('chdb/libchdb').libchdbPath() });
  const statements = `SYSTEM START LISTEN HTTP; SELECT count() FROM file('-', 'LineAsString', 'line String') FORMAT Null`;
  const argv = ['clickhouse', ...args, `--query=${statements}`];
  load({
    library: 'chdb',
    funcName: 'chdb_query_cmdline',
    retType: DataType.External,
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [argv.length, argv],
  });
  process.exit(0);
}

if (process.argv[2] === CHILD) serve(process.argv.slice(3));
