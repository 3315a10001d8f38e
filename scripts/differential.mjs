// Asks random expressions and queries of quern and of Google's reference implementation of GoogleSQL, and tells where they differ.
//   npm run differential [-- --seed 1] [--seconds 3600] [--expressions 20000] [--queries 3000] [--idioms 0] [--quick] [--out findings.jsonl]
//     [--cluster]   asks two shards of ClickHouse servers, once for each form of tables that are spread over them
//     [--form distributed|initiator|cluster]   one of the forms alone   [--replicas 2]   each shard has so many
//     [--ceiling] [--lower]   faults are compared with differential-ceiling.json, whose numbers only fall; --lower writes it
import { parseArgs } from 'node:util';
import { importTypeScript } from './bundle.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '3600' },
    expressions: { type: 'string', default: '20000' },
    queries: { type: 'string', default: '3000' },
    idioms: { type: 'string', default: '0' },
    quick: { type: 'boolean', default: false },
    ceiling: { type: 'boolean', default: false },
    lower: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    form: { type: 'string' },
    replicas: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const { FORMS, main } = await importTypeScript('scripts/differential/main.ts');
const { seed, seconds, expressions, queries, idioms, out, quick, ceiling, lower, cluster, form, replicas } = values;
const forms = cluster || form !== undefined ? [form ?? FORMS].flat() : [undefined];
const faulty = [];
for (const one of forms) {
  if (one !== undefined) console.log(`\ntables that are spread over two shards, in the form ${one}:`);
  const code = await main({
    ...(one === undefined ? {} : { cluster: { form: one, replicas: Number(replicas) } }),
    seed: Number(seed),
    seconds: Number(seconds),
    expressions: Number(expressions),
    queries: Number(queries),
    idioms: Number(idioms),
    quick,
    ...(lower ? { ceiling: 'lower' } : ceiling ? { ceiling: 'hold' } : {}),
    ...(out === undefined ? {} : { out: one === undefined || forms.length === 1 ? out : out.replace(/(\.\w+)?$/, `-${one}$1`) }),
  });
  if (code !== 0) faulty.push(code);
}
process.exit(faulty[0] ?? 0);
