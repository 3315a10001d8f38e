// Reads from the history how the assertions of a project went.
import type { QueryResult, ResultColumn, Row } from '../base/result.ts';
import type { PastRun } from './history.ts';
import type { State } from './outcome.ts';
import { nameMatcher } from './select.ts';

interface PastRequest {
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  /** Patterns for names of queries and assertions; none stands for all. */
  readonly select: readonly string[];
  readonly exclude: readonly string[];
}

interface Past {
  readonly query: string;
  readonly params: string;
  readonly assertion: string;
  readonly counts: Record<State, number>;
  last: State;
  at: string;
  value: number | undefined;
  /** When it came to have the state that it has. */
  since: string;
}

const column = (name: string, kind: 'STRING' | 'INT64' | 'FLOAT64' | 'TIMESTAMP'): ResultColumn => ({ name, type: { kind } });
const COLUMNS: readonly ResultColumn[] = [
  column('query', 'STRING'),
  column('params', 'STRING'),
  column('assertion', 'STRING'),
  column('runs', 'INT64'),
  column('failed', 'INT64'),
  column('warned', 'INT64'),
  column('last', 'STRING'),
  column('last_run', 'TIMESTAMP'),
  column('since', 'TIMESTAMP'),
  column('value', 'FLOAT64'),
];

/** A row for each assertion, those that do not hold first. `runs` are in the order of time. */
export function pastAssertions(runs: readonly PastRun[], { sinceMs, select, exclude }: PastRequest): QueryResult {
  const [wanted, unwanted] = [select.map(nameMatcher), exclude.map(nameMatcher)];
  const isSelected = (...names: readonly string[]): boolean =>
    (wanted.length === 0 || wanted.some((fits) => names.some(fits))) && !unwanted.some((fits) => names.some(fits));
  const past = new Map<string, Past>();
  for (const { at, checks } of runs) {
    if (Date.parse(at) < sinceMs) continue;
    for (const { query, params, assertions } of checks)
      for (const { name, state, value } of assertions) {
        if (!isSelected(query, name)) continue;
        const given = Object.entries(params).map(([parameter, argument]) => `${parameter}=${String(argument)}`);
        const key = JSON.stringify([query, given, name]);
        const known = past.get(key) ?? {
          ...{ query, params: given.join(' '), assertion: name, counts: { pass: 0, warn: 0, fail: 0, unknown: 0 } },
          ...{ last: state, at, since: at, value },
        };
        past.set(key, known);
        known.counts[state]++;
        if (known.last !== state) known.since = at;
        Object.assign(known, { last: state, at, value });
      }
  }
  const rows = [...past.values()].sort((a, b) => RANK[a.last] - RANK[b.last]).map(rowOf);
  return { columns: COLUMNS, rows, truncated: false };
}

const RANK: Readonly<Record<State, number>> = { fail: 0, unknown: 1, warn: 2, pass: 3 };
const WORDS: Readonly<Record<State, string>> = { pass: 'ok', warn: 'warned', fail: 'failed', unknown: 'not checked' };

function rowOf({ query, params, assertion, counts, last, at, since, value }: Past): Row {
  const { pass, warn, fail, unknown } = counts;
  return [
    query,
    params,
    assertion,
    pass + warn + fail + unknown,
    fail + unknown,
    warn,
    WORDS[last],
    stamp(at),
    stamp(since),
    value ?? null,
  ];
}

const stamp = (iso: string): string => `${iso.slice(0, 19)}Z`;
