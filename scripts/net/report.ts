// How what texts become differs from the lists, in words.
import type { Line } from './line.ts';
import type { List } from './list.ts';

interface Difference {
  readonly id: string;
  readonly before: string | undefined;
  readonly now: string | undefined;
  readonly text: string;
}

export type Compared =
  | { readonly suite: string; readonly skipped: true }
  | (Differences & { readonly skipped?: never /** As it was asked for. */; readonly name: string });

interface Differences {
  readonly lines: readonly Line[];
  readonly differences: readonly Difference[];
}

export function compared(suite: string, before: List, lines: readonly Line[]): Differences {
  const ids = new Set(lines.map(({ id }) => id));
  const differs = lines.filter(({ id, outcome }) => before.get(id) !== outcome);
  const gone = [...before].filter(([id]) => !ids.has(id));
  return {
    lines,
    differences: [
      ...differs.map(({ id, outcome, text }) => ({ id: `${suite}/${id}`, before: before.get(id), now: outcome, text })),
      ...gone.map(([id, outcome]) => ({ id: `${suite}/${id}`, before: outcome, now: undefined, text: '' })),
    ],
  };
}

/** More differences are counted, and longer texts are cut. */
const SHOWN = 8;
const SHOWN_CHARACTERS = 600;

const isHash = (outcome: string): boolean => /^[0-9a-f]{12}$/.test(outcome);
const isError = (outcome: string): boolean => !isHash(outcome) && /^[a-z-]+(?:@\d+-\d+)?$/.test(outcome);

export function report(suites: readonly Compared[], { updated, processorSeconds }: { updated: boolean; processorSeconds: number }): number {
  const differences = suites.flatMap((each) => (each.skipped ? [] : each.differences));
  for (const each of suites) console.log(each.skipped ? `${each.suite}: skipped, since its texts are not on this machine` : countsOf(each));
  const lines = suites.flatMap((each) => (each.skipped ? [] : each.lines));
  console.log(`${lines.length} lines in ${processorSeconds.toFixed(0)} s of processor time`);
  if (differences.length === 0) return 0;
  if (updated) {
    console.log(`${differences.length} lines are written`);
    return 0;
  }
  for (const difference of differences.slice(0, SHOWN)) console.log(`\n${described(difference)}`);
  if (differences.length > SHOWN) console.log(`\nand ${differences.length - SHOWN} more`);
  console.log(
    '\nnpm run net -- --show ID prints what a text becomes, and with --before HEAD also what it became in that commit;\nnpm run net -- --update accepts all that differs',
  );
  return 1;
}

function countsOf({ name, lines, differences }: Exclude<Compared, { readonly skipped: true }>): string {
  const count = (what: (difference: Difference) => boolean): number => differences.filter(what).length;
  const counts = [
    [count(({ before, now }) => before !== undefined && now !== undefined), 'differ'],
    [count(({ before }) => before === undefined), 'new'],
    [count(({ now }) => now === undefined), 'gone'],
  ] as const;
  const errors = lines.filter(({ outcome }) => isError(outcome)).length;
  const said = counts.filter(([n]) => n > 0).map(([n, what]) => `, ${n} ${what}`);
  return `${name}: ${lines.length} lines, ${errors} of them errors${said.join('')}`;
}

function described({ id, before, now, text }: Difference): string {
  const said = (outcome: string | undefined): string =>
    outcome === undefined ? 'not there' : isHash(outcome) ? `SQL ${outcome}` : outcome || 'empty';
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return `${id}: was ${said(before)}, is ${said(now)}${shown === '' ? '' : `\n${shown.replaceAll(/^/gm, '    ')}`}`;
}
