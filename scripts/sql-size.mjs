// How long the ClickHouse SQL is beside the queries that it is made of: the collection, and queries of others.
//   npm run sql-size [-- --queries queries.jsonl.gz --schemas schemas.json.gz] [--longest 20]
// --queries has a query a line, { id, sql, schema }; its schema names for each table a list of columns in --schemas, each [name, BigQuery type].
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.mjs';

const { values } = parseArgs({
  options: { queries: { type: 'string' }, schemas: { type: 'string' }, longest: { type: 'string', default: '10' } },
});
const { queries, schemas } = values;
const longest = Number(values.longest);
const root = fileURLToPath(new URL('..', import.meta.url));
// One folder below the package's own, as dist/ is: the program finds what ships from there.
const script = await bundle(join(root, 'scripts/sql-size/main.ts'), join(root, '.quern'));
try {
  const { collectionSizes, listSizes, report } = await import(pathToFileURL(script).href);
  report('the collection', await collectionSizes(), longest);
  if (queries !== undefined && schemas !== undefined) report(queries, listSizes(queries, schemas), longest);
} finally {
  rmSync(script);
}
