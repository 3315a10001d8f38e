// Tables are dropped and loaded again while `quern serve` answers queries over them: callers read of their own table, and never of the engine's names.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { folderOf, queryText } from '../queries/support.ts';
import { startServe } from '../support/serve-process.ts';

const bin = new URL('../../bin/quern.js', import.meta.url).pathname;
const CALLERS = 8;
const ROUNDS = 4;

test('a reply has the rows, or says that the table is not there', { timeout: 120_000 }, async () => {
  const home = folderOf({ 'notes.csv': `id,note\n${Array.from({ length: 20_000 }, (_, i) => `${i},n${i}`).join('\n')}\n` });
  const env = { PATH: process.env['PATH'], HOME: home, QUERN_STORE: join(home, 'store') };
  const quern = (...argv: readonly string[]) => promisify(execFile)(process.execPath, [bin, ...argv], { cwd: home, env });
  await quern('load', 'notes', 'notes.csv', '--quiet');
  const query = { 'all-notes.sql': queryText(1, 'select count(*) as n, count(distinct note) as m from notes') };
  const server = startServe(query, ['--port', '0'], { QUERN_STORE: env.QUERN_STORE });
  const address = await new Promise<string>((resolve) => {
    let said = '';
    server.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /^listening on (.*)$/m.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const replies = new Map<string, number>();
  let isOver = false;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!isOver) {
      const reply = await fetch(`${address}/api/endpoints/all-notes`);
      const said = `${reply.status} ${await reply.text()}`.replace(/ \(request [^)]*\)/g, '');
      replies.set(said, (replies.get(said) ?? 0) + 1);
    }
  });
  for (let round = 0; round < ROUNDS; round++) {
    await quern('drop', 'notes', '--yes', '--quiet');
    await quern('load', 'notes', 'notes.csv', '--quiet', '--again');
  }
  isOver = true;
  await Promise.all(callers);
  const kinds = [...replies.keys()].map((said) => (said.includes('"result"') ? said : said.slice(0, 200)));
  expect(kinds).toContain('200 {"result": [\n{"n":20000,"m":20000}\n]}\n');
  const others = kinds.filter((said) => !said.startsWith('200 '));
  expect(others.length).toBeGreaterThan(0);
  for (const said of others) {
    expect(said).toMatch(/^500 .*there is no source, saved query or WITH table named notes/);
  }
});
