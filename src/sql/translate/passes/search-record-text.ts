// `request.url like …` over records that are JSON text: most events are not the ones that are looked for, and a word of the value that is asked for can be
// looked for in the text before that is parsed. Measured where one event of twelve is found, objects of 300 bytes: half the time.
import { scalarBuiltIn } from '../../functions/index.ts';
import type { Column, Expr, Rel, ResolvedQuery, ScanColumn } from '../../resolved.ts';
import { rewriteRel, visitRels } from '../../rewrite.ts';
import { BOOL, STRING } from '../../types.ts';
import { conjunction, conjuncts } from '../conjuncts.ts';
import { isConstantIn, shows } from './column-origin.ts';
import type { PassContext } from './index.ts';

/** Conditions that hold only where the value has the other argument, or what a regular expression without signs says, in it. */
const SEARCHES: ReadonlyMap<string, 'value' | 'regexp'> = new Map([
  ['$equal', 'value'],
  ['STARTS_WITH', 'value'],
  ['ENDS_WITH', 'value'],
  ['REGEXP_CONTAINS', 'regexp'],
]);

export function searchRecordText(query: ResolvedQuery, context: PassContext): ResolvedQuery {
  const leaves = new Map<number, ScanColumn>();
  const learn = (rel: Rel): void => {
    if (rel.kind !== 'source_scan') return;
    for (const scanned of rel.columns) if (isText(scanned)) leaves.set(scanned.column.id, scanned);
  };
  for (const rel of [query.rel, ...query.ctes.map((c) => c.rel)]) {
    learn(rel);
    visitRels(rel, learn);
  }
  if (leaves.size === 0) return query;

  /** Columns of the whole text, by the id of a leaf's column in the same scan. */
  const texts = new Map<number, Column>();
  const change = (rel: Rel): Rel => {
    if (rel.kind !== 'filter') return rel;
    const tests = conjuncts(rel.condition);
    // In front of its test: each condition is worked out for the rows that those before it let through.
    const all = tests.flatMap((test) => [...(searched(test, leaves, rel.input, texts, context) ?? []), test]);
    return all.length === tests.length ? rel : { ...rel, condition: conjunction(all) };
  };
  const extend = (rel: Rel): Rel => {
    if (rel.kind !== 'source_scan') return rel;
    const more = rel.columns.flatMap(({ column: { id }, from }): readonly ScanColumn[] => {
      const column = texts.get(id);
      return column === undefined ? [] : [{ column, from, part: { kind: 'stored' } }];
    });
    return more.length === 0 ? rel : { ...rel, columns: [...rel.columns, ...more] };
  };
  const apply = (rel: Rel): Rel => rewriteRel(rewriteRel(rel, change), extend);
  return { ...query, rel: apply(query.rel), ctes: query.ctes.map((c) => ({ ...c, rel: apply(c.rel) })) };
}

const isText = ({ column: { type }, from, part }: ScanColumn): boolean =>
  from.read.layout === 'text' && part.kind === 'path' && part.path.length > 0 && (type.kind === 'STRING' || type.kind === 'DYNAMIC');

function searched(
  test: Expr,
  leaves: ReadonlyMap<number, ScanColumn>,
  input: Rel,
  texts: Map<number, Column>,
  { newColumn }: PassContext,
): readonly Expr[] | undefined {
  const kind = test.kind === 'call' ? SEARCHES.get(test.fn.name) : undefined;
  if (test.kind !== 'call' || kind === undefined) return undefined;
  const sides = test.fn.name === '$equal' ? [test.args, [...test.args].reverse()] : [test.args];
  for (const [field, value] of sides) {
    const leaf = field?.kind === 'column' ? leaves.get(field.column.id) : undefined;
    if (field?.kind !== 'column' || leaf === undefined || value == null || value.type.kind !== 'STRING') continue;
    if (value.kind === 'literal' && !/[A-DF-Za-df-z_]/.test(String(value.value))) continue;
    if (!isConstantIn(value, input) || !shows(input, leaf.column.id)) continue;
    const column = texts.get(leaf.column.id) ?? newColumn(leaf.from.name, STRING);
    texts.set(leaf.column.id, column);
    const { span } = field;
    const fn = scalarBuiltIn(kind === 'value' ? '$json_may_hold' : '$json_may_match');
    return [{ kind: 'call', fn, args: [{ kind: 'column', column, type: STRING, span }, value], safe: false, type: BOOL, span }];
  }
  return undefined;
}
