// `series[offset(0)]` of a constant series that is never empty is its start, a constant of its own beside the series: ClickHouse then makes no array where
// nothing else reads that.

import { TIMESTAMP } from '../../base/types.ts';
import { ref } from '../../logical/build.ts';
import type { Project } from '../../logical/nodes.ts';
import { columnsRead, relationsOf } from '../../logical/walk.ts';
import { elementRead } from '../element-read.ts';
import type { Rule } from '../rule.ts';
import { firstElement, isSeries } from '../series-range.ts';

export const readSeriesStarts: Rule = {
  name: 'read-series-starts',
  changes(plan, { newColumn }) {
    /** The starts by the id of the series. */
    const starts = new Map<number, Project['items'][number]>();
    relationsOf(plan).forEach((rel) => {
      for (const { column, value } of rel.kind === 'project' ? rel.items : []) {
        const first = isSeries(value) && columnsRead(value).size === 0 ? firstElement(value) : undefined;
        if (first !== undefined) starts.set(column.id, { column: newColumn('first', TIMESTAMP), value: first });
      }
    });
    if (starts.size === 0) return undefined;
    return {
      expressions: {
        call(expr) {
          const { array, position } = elementRead(expr) ?? {};
          const start = array?.kind === 'column' && position === 0n ? starts.get(array.column.id) : undefined;
          return start === undefined ? expr : ref(start.column, expr);
        },
      },
      relations: {
        project(rel) {
          const more = rel.items.flatMap(({ column }) => starts.get(column.id) ?? []);
          return more.length === 0 ? rel : { ...rel, items: [...rel.items, ...more] };
        },
      },
    };
  },
};
