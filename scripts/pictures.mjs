// Draws the pictures of the README out of what quern shows: docs/pictures/demo.svg, and with a Chromium docs/pictures/console.png.
//   npm run pictures        needs `script` of util-linux for the terminal, and /usr/bin/chromium
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { importTypeScript } from './bundle.mjs';
import { terminalPicture } from './terminal-picture.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const quern = join(root, 'bin/quern.js');
const pictures = join(root, 'docs/pictures');
const home = mkdtempSync(join(tmpdir(), 'quern-pictures-'));
const env = { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8', TERM: 'xterm-256color' };
const columns = 128;

try {
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(pictures, 'demo.svg'), terminalPicture(`$ npx quern demo\n${demo()}`, columns));
  await drawConsole();
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** The first of the three queries, with the colours of a terminal. */
function demo() {
  execFileSync(process.execPath, [quern, 'demo'], { env, stdio: 'ignore' });
  const command = `stty cols ${columns} rows 60; npm_command=exec '${process.execPath}' '${quern}' demo`;
  const shown = execFileSync('script', ['-qec', command, '/dev/null'], { env, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  const [first = ''] = shown.replaceAll('\r\n', '\n').split('\nHow long its functions took');
  return first;
}

/** A week of traffic until now, and the console with the requests of each day. */
async function drawConsole() {
  const store = join(home, 'store');
  await loadUntilNow(store);
  const server = spawn(process.execPath, [quern, 'serve', '--no-auth', '--port', '0', '--store', store], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const address = await listening(server);
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
    const page = await browser.newPage({ viewport: { width: 1280, height: 1040 }, colorScheme: 'light' });
    await page.goto(`${address}/#/functions.invocation-stats?project=demo&interval=7day&~view=chart&~run=1`);
    await page.locator('.quern-chart').waitFor();
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: join(pictures, 'console.png') });
    await browser.close();
  } finally {
    server.kill('SIGTERM');
    await once(server, 'close');
  }
}

async function listening(server) {
  for await (const line of createInterface({ input: server.stderr })) {
    const address = /^listening on (\S+)$/.exec(line)?.[1];
    if (address !== undefined) {
      server.stderr.resume();
      return address;
    }
  }
  throw new Error('quern serve has ended');
}

/** The sample of the edge functions, as many whole days later as bring it near to now, since the console asks about now. */
async function loadUntilNow(store) {
  const { SAMPLE_INSTANT, sampleLines, sampleSources } = await importTypeScript('src/cli/demo/sample.ts');
  const day = 86_400_000;
  const later = Math.floor((Date.now() - Date.parse(SAMPLE_INSTANT)) / day) * day;
  const name = 'function_edge_logs';
  const load = spawn(process.execPath, [quern, 'load', name, '-', '--store', store], { env, stdio: ['pipe', 'ignore', 'inherit'] });
  for (const line of sampleLines(sampleSources.find(({ source }) => source === name))) {
    const event = JSON.parse(line);
    load.stdin.write(`${JSON.stringify({ ...event, timestamp: new Date(Date.parse(event.timestamp) + later).toISOString() })}\n`);
  }
  load.stdin.end();
  const [code] = await once(load, 'close');
  if (code !== 0) throw new Error('the sample was not loaded');
}
