// The net: what every text there is becomes, beside what it became when the lists in test/net were written.
import { readList, writeList } from './list.ts';
import { type Compared, compared, report } from './report.ts';
import { runUnits } from './run-units.ts';
import { SUITES } from './suites/index.ts';

export interface NetFlags {
  /** Only these; all by default. */
  readonly suites: readonly string[];
  readonly update: boolean;
  /** Processes at once. */
  readonly jobs: number;
  /** The id of a line, of which is printed what the hash is of. */
  readonly show: string | undefined;
  /** The folder of the lists. */
  readonly lists: string;
}

/** Prints what differs. Exit code 1 where something does, unless it is written. */
export async function main({ suites, update, jobs, show, lists }: NetFlags): Promise<number> {
  const names = Object.keys(SUITES).filter((name) => suites.length === 0 || suites.includes(name));
  if (show !== undefined) return showLine(show);
  const unknown = suites.find((name) => SUITES[name] === undefined);
  if (unknown !== undefined) {
    console.error(`there is no suite ${unknown}; the suites are ${Object.keys(SUITES).join(', ')}`);
    return 2;
  }
  const all = names.flatMap((suite) => (SUITES[suite]?.units() ?? []).map((unit) => ({ suite, unit })));
  const { lines, processorSeconds } = await runUnits(all, jobs);
  const outcomes = names.map((suite): Compared => {
    const now = lines.get(suite);
    return now === undefined ? { suite, skipped: true } : compared(suite, readList(lists, suite), now);
  });
  if (update) for (const [suite, now] of lines) writeList(lists, suite, now);
  return report(outcomes, { updated: update, processorSeconds });
}

/** `suite/unit/hash`, as it is printed where lines differ. */
async function showLine(id: string): Promise<number> {
  const [suite = '', ...rest] = id.split('/');
  const own = rest.join('/');
  const unit = SUITES[suite]?.units().find((each) => own.startsWith(`${each}/`));
  const lines = unit === undefined ? [] : await SUITES[suite]?.lines(unit);
  const found = lines?.find((line) => line.id === own);
  if (found === undefined) {
    console.error(`no text has the id ${id}`);
    return 2;
  }
  console.log(`${found.text}\n\n${found.whole}`);
  return 0;
}
