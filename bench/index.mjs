// Measures the speed of quern against its budgets, as ratios in one run: npm run bench [-- start-up uncached translation load]
import { load } from './load.mjs';
import { startUp } from './start-up.mjs';
import { translation } from './translation.mjs';
import { uncached } from './uncached.mjs';
import { openWorkspace } from './workspace.mjs';

const PARTS = { 'start-up': startUp, uncached, translation, load };

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => PARTS[name] === undefined);
if (unknown.length > 0) {
  console.error(`unknown part: ${unknown.join(', ')}. Parts are ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
const workspace = await openWorkspace();
const rows = [];
try {
  for (const [name, part] of Object.entries(PARTS)) if (wanted.length === 0 || wanted.includes(name)) rows.push(...(await part(workspace)));
} finally {
  workspace.close();
}
const ms = (value) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const cells = rows.map(({ what, ours, reference, than, budget, budgetMs }) => {
  const ratio = reference === undefined ? undefined : ours / reference;
  const met = ratio === undefined ? ours <= budgetMs : ratio <= budget;
  return [
    what,
    ms(ours),
    reference === undefined ? '' : `${than} ${ms(reference)}`,
    ratio === undefined ? '' : ratio.toFixed(2),
    budget === undefined ? ms(budgetMs) : budget.toFixed(2),
    met ? 'met' : 'missed',
  ];
});
const header = ['what', 'median', 'beside', 'ratio', 'budget', ''];
const widths = header.map((title, i) => Math.max(title.length, ...cells.map((line) => line[i].length)));
for (const line of [header, ...cells])
  console.log(
    line
      .map((cell, i) => cell.padEnd(widths[i]))
      .join('  ')
      .trimEnd(),
  );
