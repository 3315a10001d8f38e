// Times that a table does not hold as DateTime64(6, 'UTC') are cast where they are read. What is said here of each such column of a query's scans is
// how the table holds it, for passes that compare or order by the stored time instead.
import type { Column, Rel, ResolvedQuery, ScanColumn } from '../logical/resolved.ts';
import { rewriteRel, visitRels } from '../logical/rewrite.ts';
import type { SourceColumn } from '../source.ts';
import { TIMESTAMP } from '../types.ts';
import type { PassContext } from './pass.ts';

export interface StoredTime {
  readonly shown: ScanColumn;
  readonly stored: ScanColumn;
  /** Digits after the second. */
  readonly digits: number;
  /** The same time cut to the second: a column that the table's key is made of. */
  readonly seconds?: ScanColumn;
  /** The table's key is made of toDateTime(stored). */
  readonly keyOfSeconds: boolean;
}

/** All of a query's, by the id of the column that is shown. */
export function storedTimes(query: ResolvedQuery, context: PassContext): ReadonlyMap<number, StoredTime> {
  const rels = [query.rel, ...query.ctes.map((c) => c.rel)];
  const times = new Map<number, StoredTime>();
  const learn = (rel: Rel): void => {
    if (rel.kind === 'source_scan') for (const time of castTimes(rel.columns, context)) times.set(time.shown.column.id, time);
  };
  for (const rel of rels) {
    learn(rel);
    visitRels(rel, learn);
  }
  return times;
}

/** The query with `change` applied to its relations, and with the columns that were `used` read by the scans. */
export function withStoredTimes(
  query: ResolvedQuery,
  times: ReadonlyMap<number, StoredTime>,
  change: (rel: Rel, use: (column: ScanColumn) => Column) => Rel,
): ResolvedQuery {
  const used = new Set<ScanColumn>();
  const use = (column: ScanColumn): Column => {
    used.add(column);
    return column.column;
  };
  const extend = (rel: Rel): Rel => {
    if (rel.kind !== 'source_scan') return rel;
    const more = rel.columns.flatMap(({ column }) => {
      const { stored, seconds } = times.get(column.id) ?? {};
      return [stored, seconds].filter((c) => c !== undefined && used.has(c) && !rel.columns.includes(c)) as readonly ScanColumn[];
    });
    return more.length === 0 ? rel : { ...rel, columns: [...rel.columns, ...more] };
  };
  const each = ({ rel, ctes, ...rest }: ResolvedQuery, rewrite: (rel: Rel) => Rel): ResolvedQuery => ({
    ...rest,
    rel: rewriteRel(rel, rewrite),
    ctes: ctes.map((c) => ({ ...c, rel: rewriteRel(c.rel, rewrite) })),
  });
  const changed = each(query, (rel) => change(rel, use));
  return used.size === 0 ? query : each(changed, extend);
}

function castTimes(columns: readonly ScanColumn[], context: PassContext): readonly StoredTime[] {
  return columns.flatMap((shown) => {
    const { column, from, part } = shown;
    if (part.kind !== 'whole' || column.type.kind !== 'TIMESTAMP' || from.read.layout !== 'column') return [];
    const time = /\bDateTime(?:64\((\d+))?/.exec(from.read.clickhouseType);
    if (from.read.castTo === undefined || time === null) return [];
    const before = columns.find((c) => c.part.kind === 'stored' && c.from === from);
    const stored = before ?? { column: context.newColumn(column.name, TIMESTAMP), from, part: { kind: 'stored' } };
    const { secondsColumn, keyOfSeconds = false } = from.read;
    return [{ shown, stored, digits: Number(time[1] ?? 0), keyOfSeconds, ...secondsOf(secondsColumn, context) }];
  });
}

function secondsOf(name: string | undefined, context: PassContext): Pick<StoredTime, 'seconds'> {
  if (name === undefined) return {};
  const from: SourceColumn = { name, type: TIMESTAMP, read: { layout: 'column', column: name, clickhouseType: 'DateTime' } };
  return { seconds: { column: context.newColumn(name, TIMESTAMP), from, part: { kind: 'whole' } } };
}
