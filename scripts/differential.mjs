// Asks random expressions and queries of quern and of Google's reference implementation of GoogleSQL, and tells where they differ.
//   npm run differential [-- --seed 1] [--seconds 3600] [--expressions 20000] [--queries 3000] [--idioms 0] [--quick] [--out findings.jsonl]
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
    out: { type: 'string' },
  },
});
const { main } = await importTypeScript('scripts/differential/main.ts');
const { seed, seconds, expressions, queries, idioms, out, quick, ceiling, lower } = values;
const code = await main({
  seed: Number(seed),
  seconds: Number(seconds),
  expressions: Number(expressions),
  queries: Number(queries),
  idioms: Number(idioms),
  quick,
  ...(lower ? { ceiling: 'lower' } : ceiling ? { ceiling: 'hold' } : {}),
  ...(out === undefined ? {} : { out }),
});
process.exit(code);
