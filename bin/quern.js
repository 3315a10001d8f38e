#!/usr/bin/env node
// The quern command: everything is in dist/, which `npm ci` builds.
const { main, processIo } = await import('../dist/cli.js').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !String(error.message).includes('dist/cli.js')) throw error;
  process.stderr.write('quern is not built yet: run `npm ci` (or `npm run build`) in its folder\n');
  process.exit(1);
});
process.exitCode = await main(process.argv.slice(2), processIo());
