// `request.url like …` over records that are JSON text: most events do not match, and a word of the wanted value can be found in the text before that is
// parsed. Measured where one event of twelve is found, objects of 300 bytes: half the time.

import { STRING } from '../../base/types.ts';
import { ref, splitConjunction } from '../../logical/build.ts';
import type { Expr, Rel } from '../../logical/nodes.ts';
import { call, filtered } from '../build.ts';
import { isConstantIn, shows } from '../column-origin.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { type ScannedColumn, scannedColumns } from '../scanned-columns.ts';

export const searchRecordText: Rule = {
  name: 'search-record-text',
  changes(plan, context) {
    const leaves = scannedColumns(
      plan,
      ({ column: { type }, from, part }) =>
        from.read.layout === 'text' && part.kind === 'path' && part.path.length > 0 && (type.kind === 'STRING' || type.kind === 'DYNAMIC'),
    );
    if (leaves.size === 0) return undefined;
    return {
      relations: {
        filter(rel) {
          const tests = splitConjunction(rel.condition);
          // The search stands before its test: each condition is evaluated for the rows that those before it let through.
          const all = tests.flatMap((test) => [...(searched(test, leaves, rel.input, context) ?? []), test]);
          return all.length === tests.length ? rel : filtered(rel.input, all);
        },
      },
    };
  },
};

/** Tests that the text may contain the wanted word. */
function searched(
  test: Expr,
  leaves: ReadonlyMap<number, ScannedColumn>,
  input: Rel,
  { scanColumn }: RuleContext,
): readonly Expr[] | undefined {
  if (test.kind !== 'call' || test.fn.searches === undefined) return undefined;
  const sides = test.fn.name === '$equal' ? [test.args, [...test.args].reverse()] : [test.args];
  for (const [field, value] of sides) {
    const leaf = field?.kind === 'column' ? leaves.get(field.column.id) : undefined;
    if (field?.kind !== 'column' || leaf === undefined || value == null || value.type.kind !== 'STRING') continue;
    if (value.kind === 'literal' && !/[A-DF-Za-df-z_]/.test(String(value.value))) continue;
    if (!isConstantIn(value, input) || !shows(input, leaf.column.id)) continue;
    const text = ref(scanColumn(leaf.scan, leaf.from, { kind: 'stored' }, STRING), field);
    return [call(test.fn.searches === 'value' ? '$json_may_hold' : '$json_may_match', [text, value], field)];
  }
  return undefined;
}
