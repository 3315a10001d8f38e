// A ClickHouse server in a process of its own, out of the library that the package chdb ships. Plain JavaScript, so that benchmarks can run it too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, watch, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);
const CHILD = '--as-clickhouse';
/** A file that the server writes into its folder when it listens. */
const READY = 'ready';
const READY_MS = 60_000;
const STOP_MS = 8_000;
/** Whoever may do everything, without a password. */
const DEFAULT_USERS = { default: { password: '', networks: { ip: '127.0.0.1' }, profile: 'default', quota: 'default' } };

export async function startProcess({ path, folder = path, users = DEFAULT_USERS, profiles = {}, config = {}, ...ports }) {
  const httpPort = ports.httpPort ?? (await freePort());
  const tcpPort = ports.tcpPort ?? (await freePort());
  const files = { users: join(folder, 'users.xml'), config: join(folder, 'config.xml') };
  writeFileSync(files.users, printXml({ profiles: { default: { log_queries: 0 }, ...profiles }, quotas: { default: {} }, users }));
  writeFileSync(
    files.config,
    printXml({
      logger: { level: 'none' },
      users_config: files.users,
      user_files_path: join(folder, 'user_files'),
      keep_alive_timeout: 30,
      shutdown_wait_unfinished: 0,
      ...config,
    }),
  );
  rmSync(join(folder, READY), { force: true });
  const flags = [`--path=${path}`, `--config-file=${files.config}`, '--listen_host=127.0.0.1'];
  const child = spawn(process.execPath, [self, CHILD, join(folder, READY), ...flags, `--http_port=${httpPort}`, `--tcp_port=${tcpPort}`]);
  child.stdin.on('error', () => undefined); // the pipe breaks when the server is killed
  const gone = once(child, 'exit').then(() => undefined);
  let ending = false;
  const kill = async () => {
    ending = true;
    child.kill('SIGKILL');
    await gone;
  };
  const output = collect(child);
  await untilReady(child, folder).catch(async () => {
    await kill();
    throw new Error(`the ClickHouse server did not start: ${output()}`);
  });
  child.once('exit', (code, signal) => {
    if (!ending) process.stderr.write(`the ClickHouse server on port ${httpPort} ended by itself (${signal ?? code}): ${output()}\n`);
  });
  return {
    child,
    httpPort,
    tcpPort,
    kill,
    async stop() {
      ending = true;
      child.kill('SIGCONT');
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await gone;
      clearTimeout(timer);
    },
  };
}

/** A port that nothing listened on a moment ago, below those that the system gives to outgoing connections, which could take it meanwhile. */
export async function freePort() {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 22_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await new Promise((closed) => server.close(closed));
    return port;
  }
}

function untilReady(child, folder) {
  const watcher = watch(folder);
  let timer;
  return new Promise((resolve, reject) => {
    watcher.on('change', (_, name) => name === READY && resolve());
    watcher.on('error', reject);
    child.once('exit', reject);
    timer = setTimeout(reject, READY_MS);
  }).finally(() => {
    clearTimeout(timer);
    watcher.close();
  });
}

/** What the process wrote last. */
function collect(child) {
  let words = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      words = `${words}${bytes}`.slice(-10_000);
    });
  }
  return () => words;
}

/** Plain objects as elements: a list repeats its element, an empty object is an empty element. */
function printXml(elements) {
  const print = (all) =>
    Object.entries(all)
      .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, one]))
      .map(([name, value]) => `<${name}>${typeof value === 'object' ? print(value) : escapeXml(String(value))}</${name}>\n`)
      .join('');
  return `<clickhouse>\n${print(elements)}</clickhouse>\n`;
}

const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Hands the command line to the engine, which is `clickhouse local` inside libchdb. */
function serve(ready, flags) {
  const require = createRequire(import.meta.url);
  const { DataType, load, open } = require('ffi-rs');
  open({ library: 'chdb', path: require('chdb/libchdb').libchdbPath() });
  const statements = [
    'SYSTEM START LISTEN HTTP',
    'SYSTEM START LISTEN TCP',
    `SELECT 1 INTO OUTFILE '${ready}' FORMAT TSV`,
    // Reads standard input to its end: the server lives until this process ends, or closes the pipe.
    "SELECT count() FROM file('-', 'LineAsString', 'line String') SETTINGS max_execution_time = 0 FORMAT Null",
  ];
  const commandLine = ['clickhouse', ...flags, `--query=${statements.join('; ')}`];
  load({
    library: 'chdb',
    funcName: 'chdb_query_cmdline',
    retType: DataType.External,
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [commandLine.length, commandLine],
  });
  // The engine has shut down; what it has at exit would only hold up the end.
  process.exit(0);
}

if (process.argv[2] === CHILD) serve(process.argv[3], process.argv.slice(4));
