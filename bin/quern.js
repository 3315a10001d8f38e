#!/usr/bin/env node
// The quern command: everything is in dist/, which `npm ci` builds. Written so that also an old Node can read it, and be told that it is old.
const [major, minor] = process.versions.node.split('.').map(Number);
const complain = (message) => {
  process.stderr.write(message);
  process.exitCode = 2;
};

/** @returns {import('../src/cli/main.ts') | undefined} undefined where nothing has been built */
function program() {
  try {
    return require('./load.js').load('cli.cjs');
  } catch (error) {
    if (error.code !== 'ENOENT' || !String(error.path).endsWith('cli.cjs')) throw error;
  }
}

async function run({ main, processIo }) {
  process.exitCode = await main(process.argv.slice(2), processIo());
  // All is done: Ctrl-C changes nothing about how it went.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit());
}

if (major < 20 || (major === 20 && minor < 19)) {
  complain(
    `error[config]: quern needs Node 20.19 or newer, and this is Node ${process.versions.node}\n   = hint: update Node, or run quern with a newer one\n`,
  );
} else if (process.argv.length === 3 && process.argv[2] === '--version') {
  // What scripts ask for most: the stream of process.stdout would take longer to make than all the rest. A reader that has gone is no error.
  try {
    require('node:fs').writeSync(1, `${require('../package.json').version}\n`);
  } catch ({ code, message }) {
    if (code !== 'EPIPE') complain(`error[usage]: standard output cannot be written: ${message}\n   = hint: send it elsewhere\n`);
  }
} else {
  const found = program();
  if (found === undefined) complain('error[config]: quern is not built yet\n   = hint: run `npm ci` (or `npm run build`) in its folder\n');
  else run(found);
}
