// Runs the collection: queries in the shapes that people's queries have, each on the embedded engine with rows, and tells how many of them run.
//   npm run collection [-- --group supabase-files] [--show] [--reference [--record]]
// --show also prints each refusal, failure and wrong result with its query's name; --reference compares the rows with those of Google's reference
// implementation, and --record writes those that are the same beside their queries.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.mjs';

const { values } = parseArgs({
  options: {
    group: { type: 'string', multiple: true },
    show: { type: 'boolean', default: false },
    reference: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
// One folder below the package's own, as dist/ is: the program finds what ships from there.
const script = await bundle(join(root, 'scripts/collection/main.ts'), join(root, '.quern'));
try {
  const { main } = await import(pathToFileURL(script).href);
  process.exitCode = await main(values);
} finally {
  rmSync(script);
}
