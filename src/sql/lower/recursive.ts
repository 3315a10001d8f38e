// WITH RECURSIVE … UNION DISTINCT. ClickHouse's recursive CTE is a UNION ALL whose step reads only the rows of the step before. So each row
// carries the texts of all rows seen so far, and a step drops rows that are among them.
// https://clickhouse.com/docs/sql-reference/statements/select/with#recursive-queries

import type { Type } from '../base/types.ts';
import { groupValue } from '../functions/aggregate/group-value.ts';
import type { Select, SetText, SqlExpression, Statement } from '../target/ast.ts';
import { call, ident, not, select, tuple } from '../target/build.ts';
import type { Lowering } from './lowering.ts';

/** `base` and `step` show columns under these names; `cte` is what the step calls the recursive table. */
export function lowerDistinctRecursion(
  cte: string,
  shownColumns: readonly { readonly alias: string; readonly type: Type }[],
  { base, step }: { readonly base: Statement; readonly step: Statement },
  l: Lowering,
): SetText {
  const columns = shownColumns.map((c) => c.alias);
  const seenName = l.fresh('seen');
  const shown = (
    alias: string,
    statement: Statement,
    seen: (key: SqlExpression) => SqlExpression,
  ): Pick<Select, 'items'> & { readonly rows: Select; readonly key: SqlExpression } => {
    const inner = l.fresh('q');
    const rows = select(
      shownColumns.map(({ alias: c, type }) => ({ value: groupValue(ident(inner, c), type, false, l.fresh), alias: c })),
      { kind: 'select', statement, alias: inner },
      { distinct: true },
    );
    const key = call('toString', tuple(...columns.map((c) => ident(alias, c))));
    return {
      rows,
      key,
      items: [...columns.map((c) => ({ value: ident(alias, c), alias: c })), { value: seen(collected(key)), alias: seenName }],
    };
  };

  const first = l.fresh('base');
  const start = shown(first, base, (keys) => keys);
  const next = l.fresh('step');
  const before = l.fresh('before');
  const seen = ident(before, seenName);
  const more = shown(next, step, (keys) => call('arrayConcat', seen, keys));
  const lastRows = l.fresh(cte);
  const earlier = select([{ value: call('anyOrNull', ident(lastRows, seenName)), alias: seenName }], {
    kind: 'table',
    name: [cte],
    alias: lastRows,
  });
  return {
    kind: 'set',
    with: [],
    recursive: false,
    operator: 'UNION ALL',
    inputs: [
      select(start.items, { kind: 'select', statement: start.rows, alias: first }),
      select(
        more.items,
        {
          kind: 'join',
          type: 'CROSS',
          left: { kind: 'select', statement: more.rows, alias: next },
          right: { kind: 'select', statement: earlier, alias: before },
          on: null,
        },
        { where: not(call('has', seen, more.key)) },
      ),
    ],
  };
}

/** Collects the texts of all rows of one step. */
const collected = (key: SqlExpression): SqlExpression => ({
  kind: 'func',
  name: 'groupArray',
  params: [],
  args: [key],
  distinct: false,
  over: { partitionBy: [], orderBy: [], frame: null },
});
