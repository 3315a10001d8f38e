// The net: what every text there is becomes, beside what it became when the lists in test/net were written.
import { readList, writeList } from './list.ts';
import { type Compared, compared, report } from './report.ts';
import { runUnits } from './run-units.ts';
import { unitOf } from './suite.ts';
import { SUITES } from './suites/index.ts';

export interface NetFlags {
  /** Only these suites, or these units of them: `tests`, `tests/functions/string`. All by default. */
  readonly only: readonly string[];
  readonly update: boolean;
  /** Processes at once. */
  readonly jobs: number;
  /** The id of a line, of which is printed what the hash is of. */
  readonly show: string | undefined;
  /** The folder of the lists. */
  readonly lists: string;
}

/** Prints what differs. Exit code 1 where something does, unless it is written. */
export async function main({ only, update, jobs, show, lists }: NetFlags): Promise<number> {
  if (show !== undefined) return showLine(show);
  const all = Object.keys(SUITES);
  const wanted = (only.length === 0 ? all : only).map((name) => {
    const [suite = '', ...unit] = name.split('/');
    return { name, suite, units: unitsOf(suite).filter((each) => unit.length === 0 || each === unit.join('/')), whole: unit.length === 0 };
  });
  const unknown = wanted.find(({ suite, units, whole }) => !all.includes(suite) || (!whole && units.length === 0));
  if (unknown !== undefined) {
    console.error(
      `there is nothing called ${unknown.name}; write one of ${all.join(', ')}, or a part of one, such as tests/functions/string`,
    );
    return 2;
  }
  const { lines, processorSeconds } = await runUnits(
    wanted.flatMap(({ suite, units }) => units.map((unit) => ({ suite, unit }))),
    jobs,
  );
  const outcomes = wanted.map(({ name, suite, units, whole }): Compared => {
    if (units.length === 0) return { suite, skipped: true };
    const known = readList(lists, suite);
    const isAsked = (id: string): boolean => whole || unitOf(id, unitsOf(suite)) === units[0];
    const now = (lines.get(suite) ?? []).filter(({ id }) => isAsked(id));
    const [asked, others] = [new Map([...known].filter(([id]) => isAsked(id))), [...known].filter(([id]) => !isAsked(id))];
    if (update) writeList(lists, suite, [...others, ...now.map(({ id, outcome }) => [id, outcome] as const)]);
    return { ...compared(suite, asked, now), name };
  });
  return report(outcomes, { updated: update, processorSeconds });
}

const unitsOf = (suite: string): readonly string[] => SUITES[suite]?.units() ?? [];

/** `suite/unit/hash`, as it is printed where lines differ. */
async function showLine(id: string): Promise<number> {
  const [suite = '', ...rest] = id.split('/');
  const own = rest.join('/');
  const unit = unitOf(own, unitsOf(suite));
  const { lines } = await runUnits(unit === undefined ? [] : [{ suite, unit }], 1);
  const found = lines.get(suite)?.find((line) => line.id === own);
  if (found === undefined) {
    console.error(`no text has the id ${id}`);
    return 2;
  }
  console.log(`${found.text}\n\n${found.whole}`);
  return 0;
}
