// A join with a generated series (`join unnest(generate_timestamp_array(…)) as start on bucket = start`) only asks whether the bucket is one of
// the series: rows are filtered by it, and the series' column is the bucket. What is left is one scan, without a join's memory. Where buckets and
// series have the same steps, the filter is a range of the time itself: ClickHouse then makes no array.
// Measured on 1M rows in buckets of a second: 11.6 ms with the array, 6.9 without, of which 4 are the scan.

import { TIMESTAMP } from '../../base/types.ts';
import { ref, splitConjunction } from '../../logical/build.ts';
import type { Expr, Project, Rel, Unnest } from '../../logical/nodes.ts';
import { columnsMade } from '../../logical/properties/made.ts';
import { columnsRead } from '../../logical/walk.ts';
import { call, filtered } from '../build.ts';
import { constantRow, definitionOf } from '../column-origin.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { isSeries, seriesRange } from '../series-range.ts';

export const replaceSeriesJoins: Rule = {
  name: 'replace-series-joins',
  changes: (_, context) => ({
    relations: {
      join(rel) {
        if (rel.type !== 'INNER' || rel.on === null) return rel;
        const right = seriesOf(rel.right);
        const series = right ?? seriesOf(rel.left);
        return series === undefined ? rel : (memberRows(rel.on, series, right === undefined ? rel.right : rel.left, context) ?? rel);
      },
    },
  }),
};

/** An unnested series of distinct values, the constants it is made of, and what is computed from its elements. */
interface Series {
  readonly unnest: Unnest;
  /** The series itself, which `unnest` may read by the name of a constant. */
  readonly array: Expr;
  readonly constants: readonly Project[];
  readonly above: readonly Project[];
}

function memberRows(on: Expr, { unnest, array, constants, above }: Series, other: Rel, { newColumn }: RuleContext): Rel | undefined {
  const conditions = splitConjunction(on);
  const own = new Set([unnest.element.id, ...[...constants, ...above].flatMap((p) => columnsMade(p).map((c) => c.id))]);
  for (const [at, condition] of conditions.entries()) {
    const value = equalTo(condition, unnest.element.id);
    if (value === undefined || [...columnsRead(value)].some((id) => own.has(id))) continue;
    const rows: Rel = constants.reduce<Rel>((input, p) => ({ ...p, input }), other);
    const range = seriesRange(value.kind === 'column' ? (definitionOf(value.column.id, other) ?? value) : value, array);
    const bounds =
      range === undefined ? [] : (['first', 'end'] as const).map((name) => ({ column: newColumn(name, TIMESTAMP), value: range[name] }));
    const named: Rel = { kind: 'project', input: rows, items: [{ column: unnest.element, value }, ...bounds] };
    const [first, end] = bounds.map(({ column }) => ref(column, on));
    const member =
      range !== undefined && first !== undefined && end !== undefined
        ? [call('$greater_or_equal', [range.moment, first], on), call('$less', [range.moment, end], on)]
        : [call('$in_series', [ref(unnest.element, on), unnest.array], on)];
    const kept = filtered(named, [...member, ...conditions.filter((_, i) => i !== at)]);
    return above.reduce<Rel>((input, p) => ({ ...p, input }), kept);
  }
  return undefined;
}

/** Returns the other side of an equality with the column. */
function equalTo(condition: Expr, id: number): Expr | undefined {
  if (condition.kind !== 'call' || condition.fn.name !== '$equal') return undefined;
  const [left, right] = condition.args;
  if (left?.kind === 'column' && left.column.id === id) return right ?? undefined;
  return right?.kind === 'column' && right.column.id === id ? (left ?? undefined) : undefined;
}

function seriesOf(rel: Rel): Series | undefined {
  if (rel.kind === 'project') {
    const inner = seriesOf(rel.input);
    return inner === undefined ? undefined : { ...inner, above: [...inner.above, rel] };
  }
  if (rel.kind !== 'unnest' || rel.outer || rel.offset !== null) return undefined;
  const constants = rel.input === null ? [] : constantRow(rel.input);
  if (constants === undefined) return undefined;
  const values = new Map(constants.flatMap((p) => p.items.map((i) => [i.column.id, i.value] as const)));
  const array = rel.array.kind === 'column' ? values.get(rel.array.column.id) : rel.array;
  return array !== undefined && isSeries(array) ? { unnest: rel, array, constants, above: [] } : undefined;
}
