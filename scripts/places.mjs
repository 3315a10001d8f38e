// Asks the shipped queries on every layout, their checks, the collection, and GoogleSQL cases that have tables, of the same rows in one process, on one
// server, on two shards, and on three shards with one of two replicas down, and tells where the answers differ.
//   npm run places [-- --only shipped] [--compliance <folder of the cases>] [--rows 20000]
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { BENCH_INSTANT, GENERATED } from '../bench/generated-logs.mjs';
import { createSql, DATABASE, insertStatements, LAYOUTS, projectFile } from '../bench/layouts.mjs';
import { CASES } from '../bench/query-cases.mjs';
import { bundle } from './bundle.mjs';

const { values } = parseArgs({
  options: { only: { type: 'string' }, compliance: { type: 'string' }, rows: { type: 'string', default: '20000' } },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const layouts = Object.entries(LAYOUTS).map(([name, layout]) => ({
  name,
  yaml: projectFile(layout, GENERATED),
  statements: [
    `CREATE DATABASE IF NOT EXISTS ${DATABASE}`,
    ...GENERATED.flatMap((source) => [
      // The store makes its own.
      ...(layout.table === undefined ? [] : [createSql(layout, source)]),
      ...insertStatements(layout, source, Math.round(Number(values.rows) * source.share)),
    ]),
  ],
}));
const cells = { asOf: `${BENCH_INSTANT.replace(' ', 'T')}Z`, layouts, cases: CASES };
// One folder below the package's own, as dist/ is: the program finds what ships from there.
const script = await bundle(join(root, 'scripts/places/main.ts'), join(root, '.quern'));
try {
  const { main } = await import(pathToFileURL(script).href);
  process.exitCode = await main({ cells, compliance: values.compliance, only: values.only });
} finally {
  rmSync(script);
}
process.exit();
