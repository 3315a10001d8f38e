// How often each class came, and the findings.
import type { Row } from '../../src/base/result.ts';
import { shownRow } from './compare.ts';
import type { Answer } from './finding.ts';
import { CLASSES, type Class, FAULTS, isFault } from './judge.ts';
import type { Outcome } from './outcome.ts';

const KINDS = ['expressions', 'queries', 'idioms'] as const;
export type Kind = (typeof KINDS)[number];

export interface Finding {
  readonly kind: Kind;
  readonly class: Class;
  /** Functions or clauses, by which findings of one cause lie together. */
  readonly group: string;
  readonly sql: string;
  readonly expected: string;
  readonly got: string;
  readonly why: string;
  readonly arguments?: string;
  /** Statements that make the tables in ClickHouse, where the query reads them. */
  readonly tables?: readonly string[];
}

export interface Tally {
  count(kind: Kind, name: Class, times?: number): void;
  known(reason: string): void;
  reason(name: Class, why: string): void;
  /** A query has the features; `same` says whether it gave the same. */
  features(names: readonly string[], same: boolean): void;
  readonly counts: Readonly<Record<Kind, Readonly<Record<Class, number>>>>;
  readonly knownReasons: ReadonlyMap<string, number>;
  readonly featured: ReadonlyMap<string, { readonly asked: number; readonly same: number }>;
  reasons(name: Class): readonly (readonly [string, number])[];
}

const none = (): Record<Class, number> => Object.fromEntries(CLASSES.map((name) => [name, 0])) as Record<Class, number>;

export function tally(): Tally {
  const counts = { expressions: none(), queries: none(), idioms: none() };
  const known = new Map<string, number>();
  const reasons = new Map<string, number>();
  const featured = new Map<string, { asked: number; same: number }>();
  return {
    counts,
    knownReasons: known,
    featured,
    features(names, same) {
      for (const name of names) {
        const before = featured.get(name) ?? { asked: 0, same: 0 };
        featured.set(name, { asked: before.asked + 1, same: before.same + (same ? 1 : 0) });
      }
    },
    count(kind, name, times = 1) {
      counts[kind][name] += times;
    },
    known(reason) {
      known.set(reason, (known.get(reason) ?? 0) + 1);
    },
    reason(name, why) {
      const key = `${name}\t${plainReason(why)}`;
      reasons.set(key, (reasons.get(key) ?? 0) + 1);
    },
    reasons: (name) =>
      [...reasons]
        .filter(([key]) => key.startsWith(`${name}\t`))
        .map(([key, times]) => [key.slice(name.length + 1), times] as const)
        .sort(([, a], [, b]) => b - a),
  };
}

/** Without texts and numbers, so that equal causes have equal words. */
export function plainReason(why: string): string {
  return why
    .replace(/'[^']*'|"[^"]*"|`[^`]*`/g, '…')
    .replace(/__table\d+\.\w+|\b\d[\d.e+-]*/g, 'n')
    .replace(/\s+/g, ' ')
    .slice(0, 120);
}

export function shownOutcome(outcome: Outcome): string {
  if (outcome.kind !== 'rows') return `${outcome.kind}: ${outcome.message.slice(0, 300)}`;
  const rows = outcome.rows.slice(0, 12).map((row: Row) => shownRow(row));
  return rows.length === 0 ? 'no rows' : `${rows.join(' ')}${outcome.rows.length > rows.length ? ' …' : ''}`.slice(0, 600);
}

export const sides = ({ expected, got, why }: Answer) => ({
  expected: shownOutcome(expected),
  got: shownOutcome(got),
  why: why.slice(0, 300),
});

/** How many faults there are, by kind and class. */
export const faultsOf = ({ counts }: Tally): Readonly<Record<string, number>> =>
  Object.fromEntries(KINDS.flatMap((kind) => FAULTS.map((name) => [`${kind}: ${name}`, counts[kind][name]])));

/** The table of classes, a column for each kind. */
export function table({ counts }: Tally): string {
  const lines = [
    ['class', ...KINDS.flatMap((kind) => [kind, ''])],
    ...CLASSES.map((name) => [name, ...KINDS.flatMap((kind) => share(counts[kind], name))]),
  ];
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => (line[at] ?? '').length)));
  const cells = (line: readonly string[]): readonly string[] =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)));
  return lines.map((line) => cells(line).join('  ').trimEnd()).join('\n');
}

/** What the queries have in them, and for each class that is no fault why its queries are in it. */
export function details({ knownReasons, reasons, featured }: Tally): string {
  const known = [...knownReasons].map(([reason, times]) => `${String(times).padStart(7)}  ${reason}`);
  const why = (['refused', 'error-where-rows', 'reference-unable'] as const).flatMap((name) => {
    const top = reasons(name).slice(0, 12);
    return top.length === 0 ? [] : ['', `${name}:`, ...top.map(([reason, times]) => `${String(times).padStart(7)}  ${reason}`)];
  });
  const by = [...featured]
    .sort(([, a], [, b]) => b.asked - a.asked)
    .map(([name, { asked, same }]) => `${String(asked).padStart(7)}  ${name}${same === asked ? '' : `, ${asked - same} not the same`}`);
  const features = by.length === 0 ? [] : ['', 'queries by what they have, those that the reference answers:', ...by];
  return [...features, ...(known.length === 0 ? [] : ['', 'known differences, counted as the same:', ...known]), ...why].join('\n');
}

function share(counts: Readonly<Record<Class, number>>, name: Class): readonly [string, string] {
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0);
  if (all === 0) return ['', ''];
  const percent = `${((100 * counts[name]) / all).toFixed(2)} %`;
  return [String(counts[name]), isFault(name) || name === 'same' || counts[name] > 0 ? percent : ''];
}

/** Functions and operators of a small query: those of one cause have the same. */
export function causeOf(sql: string): string {
  const bare = sql.replace(/'(?:\\.|[^'\\])*'/g, "''").replace(/CAST\(NULL AS [A-Z0-9<>]+\)/g, 'NULL');
  const names = bare.match(
    /\b[A-Z][A-Z0-9_.]*(?=\()|\b(?:JOIN|OVER|EXISTS|IN|LIKE|UNNEST|GROUP|QUALIFY|PIVOT|UNPIVOT|RECURSIVE|DISTINCT|EXCEPT|INTERSECT|LIMIT|CASE|INTERVAL)\b|<<|>>|\|\||[-+*/^&|]|[<>!]?=/g,
  );
  return [...new Set((names ?? []).filter((name) => !/^(?:IN|AS|FROM|ARRAY|STRUCT)$/.test(name)).map((name) => name.replace('SAFE.', '')))]
    .sort()
    .slice(0, 6)
    .join(' ');
}

interface Group {
  readonly times: number;
  readonly shortest: Finding;
}

export function shownGroup({ times, shortest: { class: name, group, sql, expected, got, why } }: Group): string {
  return `\n${name}, ${times} times (${group})\n  ${sql}\n  expected ${expected}\n  got      ${got === expected ? why : got}`;
}

/** Findings by class and cause, the most frequent first, each with its shortest query. */
export function grouped(findings: readonly Finding[]): readonly Group[] {
  const groups = new Map<string, { times: number; shortest: Finding }>();
  for (const finding of findings) {
    const key = `${finding.class} ${finding.group}`;
    const known = groups.get(key);
    const shortest = known === undefined || finding.sql.length < known.shortest.sql.length ? finding : known.shortest;
    groups.set(key, { times: (known?.times ?? 0) + 1, shortest });
  }
  return [...groups.values()].sort((a, b) => b.times - a.times);
}
