// Conditions on the names of the tables or files that a wildcard stands for. ClickHouse evaluates all of them for every name before it
// reads anything, even if another one has already excluded the name. A check in one would then fail for names that are not read.
import type { SqlExpression } from '../target/ast.ts';
import { call, lit } from '../target/build.ts';
import { CHECK, factsOf } from '../target/checks.ts';
import { onlyWhere } from '../target/guard-checks.ts';

/** Returns the conditions, all of which must hold, with checks that fail only for names that the other conditions leave. */
export function guardNameConditions(conditions: readonly SqlExpression[]): readonly SqlExpression[] {
  if (conditions.length < 2) return conditions;
  const ofNames = conditions.filter(readsOnlyNames);
  const checked = new Set(ofNames.filter((condition) => (factsOf(condition)(condition) & CHECK) !== 0));
  if (checked.size === 0 || checked.size === ofNames.length) return conditions;
  const others = ofNames.filter((condition) => !checked.has(condition)).map((condition) => call('ifNull', condition, lit(false)));
  return conditions.map((condition) => (checked.has(condition) ? onlyWhere(others, condition) : condition));
}

const NAMES = new Set(['_table', '_path', '_file']);

/** True if the condition reads the name, and no column of the rows. */
function readsOnlyNames(condition: SqlExpression): boolean {
  let found = false;
  const parameters = new Set<string>();
  // A set visits items that are added to it during the walk.
  const nodes = new Set<object>([condition]);
  for (const node of nodes) {
    if ('kind' in node && node.kind === 'lambda' && 'parameters' in node && Array.isArray(node.parameters))
      for (const parameter of node.parameters) parameters.add(String(parameter));
    if ('kind' in node && node.kind === 'subquery') return false;
    for (const part of Object.values(node)) if (typeof part === 'object' && part !== null) nodes.add(part);
  }
  for (const node of nodes) {
    if (!('kind' in node) || node.kind !== 'ident' || !('parts' in node) || !Array.isArray(node.parts)) continue;
    const [name, ...more] = node.parts.toReversed().map(String);
    if (more.length === 1 && name !== undefined && NAMES.has(name)) found = true;
    else if (more.length > 0 || (!('constant' in node) && !parameters.has(name ?? ''))) return false;
  }
  return found;
}
