// Asks the same questions of the same rows in one process, on one server, and on clusters, and compares the answers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { type OpenGroup, openGroup } from '../collection/run-group.ts';
import { complianceWorkload } from './compliance.ts';
import { type Place, type StoredTable, serverPlace, shardsPlace, tablesOf } from './places.ts';
import { type Cells, cellWorkloads, collectionWorkloads, type Workload } from './workload.ts';

export interface PlacesOptions {
  readonly cells: Cells;
  /** A folder of GoogleSQL cases. */
  readonly compliance?: string | undefined;
  /** Only workloads whose titles have this in them. */
  readonly only?: string | undefined;
}

interface Counts {
  same: number;
  different: number;
  /** Answered nowhere. */
  refused: number;
}

/** What is asked of rows that files have, and the answers of one process. */
interface Expected {
  readonly workload: Workload;
  readonly tables: readonly StoredTable[];
  readonly answers: readonly Answer[];
}

/** Exit code 1 if an answer is another one somewhere. */
export async function main({ cells, compliance, only = '' }: PlacesOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-places-'));
  try {
    const workloads = [
      ...cellWorkloads(cells, folder),
      ...collectionWorkloads(),
      ...(compliance === undefined ? [] : [complianceWorkload(compliance, folder)]),
    ].filter(({ title }) => title.includes(only));
    // One place after the other, so that few servers run at once.
    const expected: Expected[] = [];
    for (const workload of workloads) expected.push(await inProcess(workload, mkdtempSync(join(folder, 'rows-'))));
    const columns: { readonly name: string; readonly counts: readonly Counts[] }[] = [];
    for (const start of [serverPlace, () => shardsPlace(2, 1), () => shardsPlace(3, 2)])
      columns.push(await answered(await start(), expected));
    const table = new Table({ head: ['answers', 'asked', ...columns.map(({ name }) => name)], style: { head: [] } });
    for (const [at, { title, questions }] of workloads.entries())
      table.push([title, questions.length, ...columns.map(({ counts }) => shown(counts[at]))]);
    console.log(table.toString());
    return columns.some(({ counts }) => counts.some(({ different }) => different > 0)) ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const shown = ({ same, different, refused }: Counts = { same: 0, different: 0, refused: 0 }): string =>
  [`${same} same`, ...(different === 0 ? [] : [`${different} DIFFERENT`]), ...(refused === 0 ? [] : [`${refused} no rows anywhere`])].join(
    ', ',
  );

async function inProcess(workload: Workload, folder: string): Promise<Expected> {
  const opened = await openGroup(workload.tables);
  try {
    const answers = await answersOf(workload, opened);
    const errors = answers.flatMap((answer) => ('error' in answer ? [answer.error] : []));
    if (errors.length > 0)
      console.log(`${workload.title}: ${errors.length} have no rows in one process, such as: ${errors[0]?.slice(0, MOST_SHOWN)}`);
    return { workload, answers, tables: await tablesOf(await opened.services.store(), folder) };
  } finally {
    await opened.close();
  }
}

/** Asks everything of a place, and closes it. */
async function answered(
  place: Place,
  expected: readonly Expected[],
): Promise<{ readonly name: string; readonly counts: readonly Counts[] }> {
  const counts: Counts[] = [];
  try {
    for (const one of expected) {
      await place.fill(one.tables);
      const opened = await openGroup(one.workload.tables, place.url);
      const given = await answersOf(one.workload, opened).finally(() => opened.close());
      await place.clear(one.tables);
      counts.push(countOf(place.name, one, given));
    }
  } finally {
    await place.close();
  }
  return { name: place.name, counts };
}

type Answer = { readonly text: string; readonly all?: string | undefined } | { readonly error: string };

async function answersOf({ questions }: Workload, opened: OpenGroup): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const { ask, askAll } of questions) {
    const answer = ask(opened)
      .then(async (text): Promise<Answer> => ({ text, all: await askAll?.(opened) }))
      .catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }));
    answers.push(await answer);
  }
  return answers;
}

const MOST_SHOWN = 200;

const linesOf = (answer: Answer): readonly string[] => ('text' in answer ? answer.text.split('\n') : [`error: ${answer.error}`]);

/** True of answers with the same rows, or of as many of the same ones, of which a LIMIT leaves some. */
function areSame(wanted: Answer, got: Answer): boolean {
  if ('error' in wanted || 'error' in got) return false;
  if (wanted.text === got.text) return true;
  return wanted.all !== undefined && wanted.all === got.all && linesOf(wanted).length === linesOf(got).length;
}

function countOf(place: string, { workload: { title, questions }, answers }: Expected, given: readonly Answer[]): Counts {
  const counts = { same: 0, different: 0, refused: 0 };
  questions.forEach(({ name }, at) => {
    const [wanted, got] = [answers[at], given[at]];
    if (wanted === undefined || got === undefined) return;
    if ('error' in wanted && 'error' in got) counts.refused++;
    else if (areSame(wanted, got)) counts.same++;
    else {
      counts.different++;
      const [here, there] = [linesOf(wanted), linesOf(got)];
      const [lacking = '', other = ''] = [here.find((line) => !there.includes(line)), there.find((line) => !here.includes(line))];
      let from = 0;
      while (from < lacking.length && lacking[from] === other[from]) from++;
      const cut = (text: string): string => text.slice(Math.max(0, from - 40), from + MOST_SHOWN);
      console.log(`${title}: ${name}: ${place}\n  in one process: ${cut(lacking)}\n  there:          ${cut(other)}`);
    }
  });
  return counts;
}
