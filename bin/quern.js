#!/usr/bin/env node
// The quern command: everything is in dist/, which `npm ci` builds. Written so that also an old Node can read it, and be told that it is old.
const [major, minor] = process.versions.node.split('.').map(Number);
const complain = (message) => {
  process.stderr.write(message);
  process.exitCode = 2;
};

if (major < 20 || (major === 20 && minor < 19)) {
  complain(
    `error[config]: quern needs Node 20.19 or newer, and this is Node ${process.versions.node}\n   = hint: update Node, or run quern with a newer one\n`,
  );
} else {
  import('../dist/cli.js').then(
    async ({ main, processIo }) => {
      process.exitCode = await main(process.argv.slice(2), processIo());
      // All is done: Ctrl-C changes nothing about how it went.
      for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit());
    },
    (error) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND' || !String(error.message).includes('dist/cli.js')) throw error;
      complain('error[config]: quern is not built yet\n   = hint: run `npm ci` (or `npm run build`) in its folder\n');
    },
  );
}
