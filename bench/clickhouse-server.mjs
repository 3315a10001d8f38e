// A ClickHouse server on a folder of data: the same engine as the embedded one, but one that tells for each query what it has read, its peak of
// memory, and in system.query_log the time it had the processors.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { startProcess } from '../test/support/clickhouse-process.mjs';

const CONFIG = {
  keep_alive_timeout: 600,
  query_log: { database: 'system', table: 'query_log', engine: 'ENGINE = Memory' },
};

/** Opens the data directory `path`; `folder` is for the server's configuration, to which `config` adds, and `profile` for settings of its queries. */
export async function startClickHouse({ path, folder, config = {}, profile = {}, ...ports }) {
  const server = await startProcess({ path, folder, profiles: { default: profile }, config: { ...CONFIG, ...config }, ...ports });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    url: `http://127.0.0.1:${server.httpPort}`,
    /** Body and summary of one statement. */
    query: (sql, settings = {}) => post({ port: server.httpPort, agent, sql, settings }),
    /** Milliseconds of processor time of the whole server since it started, whatever it did; NaN where only Linux would tell. */
    cpuMs: () => cpuMsOf(server.child.pid),
    async stop() {
      agent.destroy(); // an open connection would make the server wait
      await server.stop();
    },
  };
}

/** The 14th and 15th of https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, in hundredths of a second. */
function cpuMsOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

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
