// The driver of the optimizer: applies each rule to the whole plan, in order.

import type { Type } from '../base/types.ts';
import type { Column, Expr, LogicalPlan, Rel, ScanColumn, SourceScan } from '../logical/nodes.ts';
import { mapChildren, mapPlan, rewriteRel } from '../logical/walk.ts';
import type { Changes, Rule, RuleContext } from './rule.ts';
import { FITTING, SHAPING } from './rules/index.ts';

interface OptimizerContext {
  newColumn(name: string, type: Type): Column;
}

/** Is called after each rule with its plan, which is the same object if the rule changed nothing. */
type After = (rule: Rule, plan: LogicalPlan) => void;

/** Applies all rules. */
export const optimize = (plan: LogicalPlan, context: OptimizerContext, after?: After): LogicalPlan =>
  fitToTables(shape(plan, context, after), context, after);

/** Applies the rules that shape the plan, which do not depend on the tables. */
export const shape = (plan: LogicalPlan, context: OptimizerContext, after?: After): LogicalPlan =>
  applyRules(SHAPING, plan, context, after);

/** Applies all other rules to a shaped plan. */
export const fitToTables = (plan: LogicalPlan, context: OptimizerContext, after?: After): LogicalPlan =>
  applyRules(FITTING, plan, context, after);

function applyRules(rules: readonly Rule[], plan: LogicalPlan, context: OptimizerContext, after: After = () => {}): LogicalPlan {
  return rules.reduce((before, rule) => {
    const changed = applyRule(rule, before, context);
    after(rule, changed);
    return changed;
  }, plan);
}

function applyRule(rule: Rule, plan: LogicalPlan, { newColumn }: OptimizerContext): LogicalPlan {
  const scans = new Map<SourceScan, Map<string, ScanColumn>>();
  const scanColumn: RuleContext['scanColumn'] = (scan, from, part, type) => {
    const columns = scans.get(scan) ?? new Map(scan.columns.map((c) => [partKey(scan, c.from, c.part, c.column.type), c]));
    scans.set(scan, columns);
    const key = partKey(scan, from, part, type);
    const read = columns.get(key) ?? {
      column: newColumn(('path' in part && part.kind !== 'fields' ? part.path.at(-1) : undefined) ?? from.name, type),
      from,
      part,
    };
    columns.set(key, read);
    return read.column;
  };
  const changes = rule.changes(plan, { newColumn, scanColumn });
  if (changes === undefined) return plan;
  const changed = walked(plan, changes);
  // The columns that are read are known once all is changed.
  const extended = (rel: Rel): Rel => {
    const columns = rel.kind === 'source_scan' ? scans.get(rel) : undefined;
    return rel.kind !== 'source_scan' || columns === undefined
      ? rel
      : { ...rel, columns: [...new Set([...rel.columns, ...columns.values()])] };
  };
  const read = scans.size === 0 ? changed : mapPlan(changed, (root) => rewriteRel(root, extended));
  return changes.plan?.(read) ?? read;
}

/** A column of the table that the source does not show has no position among those that it does. */
const partKey = ({ source }: SourceScan, from: ScanColumn['from'], part: ScanColumn['part'], { kind }: Type): string =>
  JSON.stringify([source.columns.indexOf(from), from.name, part, kind]);

function walked(plan: LogicalPlan, { order, relations, expressions }: Changes): LogicalPlan {
  if (relations === undefined && expressions === undefined) return plan;
  // The kind picks the change of that kind.
  const ofRel = (rel: Rel): Rel => (relations?.[rel.kind] as ((rel: Rel) => Rel) | undefined)?.(rel) ?? rel;
  if (expressions === undefined && order !== 'top-down') return mapPlan(plan, (root) => rewriteRel(root, ofRel));
  const ofExpr = (expr: Expr): Expr => (expressions?.[expr.kind] as ((expr: Expr) => Expr) | undefined)?.(expr) ?? expr;
  const rel = (r: Rel): Rel => (order === 'top-down' ? mapChildren(ofRel(r), { expr, rel }) : ofRel(mapChildren(r, { expr, rel })));
  const expr = (e: Expr): Expr => {
    if (order !== 'top-down') return ofExpr(mapChildren(e, { expr, rel }));
    const changed = ofExpr(e);
    return changed === e ? mapChildren(e, { expr, rel }) : changed;
  };
  return mapPlan(plan, rel);
}
