// The doors to the rows of a saved query: the commands, and a server with its endpoint and its tools for agents.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'vitest';
import type { CliHome } from '../support/run-cli.ts';
import { serveCli } from '../support/serve-cli.ts';

/** What is behind each door; `sql` is the text of the saved query. */
export type Doors = Readonly<Record<string, (name: string, sql: string) => Promise<string>>>;

/** `folder` is below the home, and of a project whose queries stand in `queries`. */
export function commandDoors(home: CliHome, flags: readonly string[] = [], folder = ''): Doors {
  const stdoutOf = async (...argv: readonly string[]): Promise<string> => {
    const { stdout, stderr, exitCode } = await home.run([...argv, ...flags], { folder });
    expect([stderr, exitCode]).toEqual(['', 0]);
    return stdout;
  };
  return {
    run: (name) => stdoutOf('run', name),
    query: (_, sql) => stdoutOf('query', sql, '--cache', '1h'),
    async export(name) {
      await home.run(['run', name, '--output', 'out.ndjson', ...flags], { folder });
      return readFileSync(join(home.folder, folder, 'out.ndjson'), 'utf8');
    },
    async check(name) {
      // It fails, and shows the rows.
      home.write(join(folder, 'checks/one.yaml'), `checks:\n  - query: ${name}\n    assertions: ["false"]\n`);
      const { stdout } = await home.run(['check', 'checks/one.yaml', ...flags], { folder });
      return stdout.replace(/ \([\d.]+ m?s, as of .*/, '');
    },
  };
}

/** The doors of a server that reads the project of the home. */
export async function servedDoors(
  home: CliHome,
  flags: readonly string[] = [],
): Promise<{ readonly doors: Doors; readonly stop: () => Promise<void> }> {
  const server = await serveCli(home, ['--no-auth', '--log-level', 'silent', ...flags]);
  const agent = new Client({ name: 'test', version: '1' });
  await agent.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.address)));
  const linesOf = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return {
    doors: {
      async serve(name) {
        const reply = await fetch(`${server.address}/endpoints/query/${name}`);
        return linesOf(((await reply.json()) as { readonly result: readonly unknown[] }).result);
      },
      async mcp(name) {
        const { content } = await agent.callTool({ name: `run_${name}`, arguments: {} });
        const [{ text }] = content as readonly [{ readonly text: string }];
        return linesOf(JSON.parse(text).result);
      },
    },
    async stop() {
      await agent.close();
      await server.stop();
    },
  };
}

/** Opens the doors to a query one after the other: as commands they would be processes, each with an engine of its own. */
export async function behind(doors: Doors, name: string, sql: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const [door, open] of Object.entries(doors)) found[door] = await open(name, sql);
  return found;
}
