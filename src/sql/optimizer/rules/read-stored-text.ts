// `request.url like …` over JSON columns whose paths have no declared type: such a path holds text for nearly all events, and that is tested as it is stored.
// Only what is no text is converted first. Measured where one event of twelve is found: three quarters of the time, a tenth more than the test alone.

import { BOOL, STRING } from '../../base/types.ts';
import { recordLayoutOf } from '../../layouts/index.ts';
import { ref } from '../../logical/build.ts';
import type { Column, Expr, Rel } from '../../logical/nodes.ts';
import { isStable } from '../../logical/volatile.ts';
import { columnsRead, rewriteExpr } from '../../logical/walk.ts';
import { call } from '../build.ts';
import { isConstantColumn, shows } from '../column-origin.ts';
import { rejectingNull } from '../rejecting-null.ts';
import type { Rule } from '../rule.ts';
import { type ScannedColumn, scannedColumns } from '../scanned-columns.ts';

export const readStoredText: Rule = {
  name: 'read-stored-text',
  changes(plan, { scanColumn }) {
    const leaves = scannedColumns(plan, isUntyped);
    if (leaves.size === 0) return undefined;
    return {
      relations: {
        filter(rel) {
          const condition = rewriteConjuncts(rel.condition, (test) => {
            const leaf = testedLeaf(test, leaves, rel.input);
            if (leaf === undefined || leaf.part.kind !== 'path') return test;
            return textFirst(test, leaf.column, scanColumn(leaf.scan, leaf.from, { ...leaf.part, kind: 'text' }, STRING));
          });
          return condition === rel.condition ? rel : { ...rel, condition };
        },
      },
    };
  },
};

const isUntyped = ({ column: { type }, from: { read }, part }: ScannedColumn): boolean =>
  part.kind === 'path' &&
  part.path.length > 0 &&
  (type.kind === 'STRING' || type.kind === 'DYNAMIC') &&
  recordLayoutOf(read)?.mixed?.has(read, part.path) === true;

/**
 * Returns the one path that the condition depends on, besides constants. Where the condition may hold without it, as `@p = '' or path = @p` does,
 * its constants can decide before the path is read.
 */
function testedLeaf(test: Expr, leaves: ReadonlyMap<number, ScannedColumn>, input: Rel): ScannedColumn | undefined {
  // A test for NULL needs no conversion.
  if (test.kind !== 'call' || test.fn.name === '$is_not_null') return undefined;
  // The test is written twice: it must have the same result both times, and cost no more than one.
  if (!isStable(test)) return undefined;
  const [leaf, ...more] = [...columnsRead(test)].filter((id) => !isConstantColumn(id, input));
  if (leaf === undefined || more.length > 0 || !rejectingNull(test).includes(leaf) || !shows(input, leaf)) return undefined;
  return leaves.get(leaf);
}

/** Writes `case when <text> is not null then <test of the text> else <test> end`. */
function textFirst(test: Expr, column: Column, text: Column): Expr {
  const ofText = rewriteExpr(test, (e) => (e.kind === 'column' && e.column.id === column.id ? { ...ref(text, e), type: e.type } : e));
  const when = call('$is_not_null', [ref(text, test)], test);
  return { kind: 'case', whens: [{ when, then: ofText }], otherwise: test, type: BOOL, span: test.span };
}

/** Changes each of the conditions that AND joins, where it stands. */
function rewriteConjuncts(condition: Expr, change: (test: Expr) => Expr): Expr {
  if (condition.kind !== 'call' || condition.fn.name !== '$and') return change(condition);
  const args = condition.args.map((a) => (a === null ? null : rewriteConjuncts(a, change)));
  return args.every((a, i) => a === condition.args[i]) ? condition : { ...condition, args };
}
