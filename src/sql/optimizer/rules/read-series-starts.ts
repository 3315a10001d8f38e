// `series[offset(0)]` of a constant series that is never empty is its start, a constant of its own beside the series: ClickHouse then makes no array where
// nothing else reads that.
import { ref } from '../../logical/build.ts';
import type { Expr, Project } from '../../logical/resolved.ts';
import { columnsRead, visit, visitRels } from '../../logical/rewrite.ts';
import { TIMESTAMP } from '../../types.ts';
import { elementRead } from '../element-read.ts';
import type { Rule } from '../rule.ts';
import { firstElement, isSeries } from '../series-range.ts';

export const readSeriesStarts: Rule = {
  name: 'read-series-starts',
  changes(plan, { newColumn }) {
    /** By the id of the series. */
    const starts = new Map<number, Project['items'][number]>();
    visitRels(plan, (rel) => {
      for (const { column, value } of rel.kind === 'project' ? rel.items : []) {
        const first = isSeries(value) && columnsRead(value).size === 0 ? firstElement(value) : undefined;
        if (first !== undefined) starts.set(column.id, { column: newColumn('first', TIMESTAMP), value: first });
      }
    });
    if (starts.size === 0) return undefined;
    const startRead = (expr: Expr) => {
      const { array, position } = elementRead(expr) ?? {};
      return array?.kind === 'column' && position === 0n ? starts.get(array.column.id) : undefined;
    };
    const used = new Set<Project['items'][number]>();
    visit(plan, (expr) => {
      const start = startRead(expr);
      if (start !== undefined) used.add(start);
    });
    return {
      expressions: {
        call(expr) {
          const start = startRead(expr);
          return start === undefined ? expr : ref(start.column, expr);
        },
      },
      relations: {
        project(rel) {
          const more = rel.items.flatMap(({ column }) => starts.get(column.id) ?? []).filter((start) => used.has(start));
          return more.length === 0 ? rel : { ...rel, items: [...rel.items, ...more] };
        },
      },
    };
  },
};
