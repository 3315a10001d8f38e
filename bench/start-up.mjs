// How long commands take beside an empty Node process: most of a cached query is start-up.
import { inTurns, processMs } from './measure.mjs';

const ROUNDS = 15;
const BUDGET = 1.5;

export function startUp({ quern, env, instant }) {
  const cached = ['run', 'usage.api-counts', '--project', 'demo', '--interval', 'daily', '--as-of', instant];
  quern(...cached);
  const commands = { '--version': ['--version'], '--help': ['--help'], 'run, cached': cached };
  const runs = { node: () => processMs(['-e', '0'], { env }) };
  for (const [name, args] of Object.entries(commands)) runs[name] = () => quern(...args);
  const medians = inTurns(runs, ROUNDS);
  return Object.keys(commands).map((name) => ({
    what: `quern ${name}`,
    ours: medians[name],
    reference: medians.node,
    than: 'node -e 0',
    budget: BUDGET,
  }));
}
