// The table of the collection, and why queries did not run.
import Table from 'cli-table3';
import type { Outcome } from './run-group.ts';

interface GroupResult {
  readonly title: string;
  readonly goal: number | undefined;
  readonly outcomes: readonly Outcome[];
}

/** How rows are beside the reference's, where it is asked. */
const COMPARED = ['same', 'different', 'unable'] as const;

/** Prints the table; 1 when a goal is missed or a row is wrong. */
export function reportGroups(groups: readonly GroupResult[]): number {
  const table = new Table({
    head: ['group', 'queries', 'run', '%', 'goal', 'refused', 'failed', 'wrong', ...COMPARED],
    style: { head: [] },
  });
  let missed = false;
  for (const { title, goal, outcomes } of [...groups, { title: 'all', goal: 95, outcomes: groups.flatMap((group) => group.outcomes) }]) {
    const count = (kind: Outcome['kind']): number => outcomes.filter((outcome) => outcome.kind === kind).length;
    const share = outcomes.length === 0 ? 100 : (100 * count('run')) / outcomes.length;
    missed ||= count('wrong') > 0 || share < (goal ?? 0);
    const compared = COMPARED.map((kind) => outcomes.filter((outcome) => outcome.compared?.kind === kind).length);
    missed ||= outcomes.some((outcome) => outcome.compared?.kind === 'different');
    const counts = [count('run'), share.toFixed(1), goal ?? '', count('refused'), count('failed'), count('wrong')];
    table.push([title, outcomes.length, ...counts, ...compared]);
  }
  console.log(table.toString());
  const reasons = new Map<string, number>();
  for (const { kind, message } of groups.flatMap((group) => group.outcomes)) {
    if (kind === 'run') continue;
    const reason = `${kind}: ${kind === 'wrong' ? 'rows' : message.slice(0, 160).replaceAll('\n', ' ')}`;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  for (const [reason, count] of [...reasons].sort((a, b) => b[1] - a[1])) console.log(`${String(count).padStart(4)}  ${reason}`);
  return missed ? 1 : 0;
}
