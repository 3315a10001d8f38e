// The collection: groups of queries with their tables. A group is a folder of groups/.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readGroup, recordRows } from './group.ts';
import { startReference } from './reference.ts';
import { reportGroups } from './report.ts';
import { type Outcome, runGroup } from './run-group.ts';

export interface CollectionFlags {
  /** Only these groups. */
  readonly group?: readonly string[];
  readonly show: boolean;
  /** Rows are compared with those of Google's reference implementation. */
  readonly reference: boolean;
  /** Rows that are the same there are written beside their queries, to be held from then on. */
  readonly record: boolean;
}

const GROUPS = join(process.cwd(), 'scripts/collection/groups');

/** Prints the table. Exit code 1 when a row is wrong, or a group with a goal does not reach it. */
export async function main({ group: wanted, show, reference: asked, record }: CollectionFlags): Promise<number> {
  const names = readdirSync(GROUPS).filter((name) => wanted === undefined || wanted.includes(name));
  const results: { readonly title: string; readonly goal: number | undefined; readonly outcomes: readonly Outcome[] }[] = [];
  const reference = asked ? await startReference() : undefined;
  for (const name of names) {
    const group = readGroup(join(GROUPS, name));
    const outcomes = await runGroup(group, reference);
    if (record) recordRows(group, outcomes);
    results.push({ title: group.title, goal: group.goal, outcomes });
    if (!show) continue;
    for (const { query, kind, message, compared } of outcomes) {
      if (kind !== 'run') console.log(`${name}/${query}: ${kind}: ${message.slice(0, 600)}`);
      else if (compared !== undefined && compared.kind !== 'same') console.log(`${name}/${query}: ${compared.kind}: ${compared.message}`);
    }
  }
  reference?.stop();
  return reportGroups(results);
}
