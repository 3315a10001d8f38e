// How long commands take beside an empty Node process: most of a cached query is start-up.
import { inTurns, processMs } from './measure.mjs';

const ROUNDS = 15;
/** As ratios, and in milliseconds beyond an empty process: newer versions of Node start in half the time, and the rest stays. */
const BUDGETS = { '--version': { ratio: 1.25, ms: 10 }, '--help': { ratio: 1.25, ms: 16 }, 'run, cached': { ratio: 1.4, ms: 25 } };

export function startUp({ quern, env, instant }) {
  const cached = ['run', 'usage.api-counts', '--project', 'demo', '--interval', 'daily', '--as-of', instant];
  quern(...cached);
  const commands = { '--version': ['--version'], '--help': ['--help'], 'run, cached': cached };
  const runs = { node: () => processMs(['-e', '0'], { env }) };
  for (const [name, args] of Object.entries(commands)) runs[name] = () => quern(...args);
  const medians = inTurns(runs, ROUNDS);
  return Object.entries(BUDGETS).flatMap(([name, { ratio, ms }]) => [
    { what: `quern ${name}`, ours: medians[name], reference: medians.node, than: 'node -e 0', budget: ratio },
    { what: `quern ${name}, beyond node -e 0`, ours: medians[name] - medians.node, budgetMs: ms },
  ]);
}
