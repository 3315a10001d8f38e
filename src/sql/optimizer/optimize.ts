// The driver of the optimizer: applies each rule to the whole plan, in order.
import type { Column, Expr, Rel, ResolvedQuery, ScanColumn, SourceScan } from '../logical/resolved.ts';
import { mapChildren, mapPlan, rewriteRel } from '../logical/rewrite.ts';
import type { Type } from '../types.ts';
import type { Changes, Rule, RuleContext } from './rule.ts';
import { RULES } from './rules/index.ts';

interface OptimizerContext {
  newColumn(name: string, type: Type): Column;
}

/** The plan after all rules. `after` is told each rule with the plan that it has left, the same object where it has changed nothing. */
export function optimize(
  plan: ResolvedQuery,
  context: OptimizerContext,
  after: (rule: Rule, plan: ResolvedQuery) => void = () => {},
): ResolvedQuery {
  return RULES.reduce((before, rule) => {
    const changed = applyRule(rule, before, context);
    after(rule, changed);
    return changed;
  }, plan);
}

function applyRule(rule: Rule, plan: ResolvedQuery, { newColumn }: OptimizerContext): ResolvedQuery {
  const scans = new Map<SourceScan, ScanColumns>();
  const scanColumn: RuleContext['scanColumn'] = (scan, from, part, type) => {
    const columns = scans.get(scan) ?? scanColumns(scan);
    scans.set(scan, columns);
    const key = partKey(part, type);
    const known = columns.known.get(from)?.get(key);
    if (known !== undefined) return known;
    const column = newColumn(('path' in part ? part.path.at(-1) : undefined) ?? from.name, type);
    remember(columns, { column, from, part });
    columns.added.push({ column, from, part });
    return column;
  };
  const changes = rule.changes(plan, { newColumn, scanColumn });
  if (changes === undefined) return plan;
  const changed = walked(plan, changes);
  // Which columns are read is known when all is changed.
  const read = scans.size === 0 ? changed : mapPlan(changed, (root) => rewriteRel(root, (rel) => extended(rel, scans)));
  return changes.plan?.(read) ?? read;
}

/** What a scan reads, and what it is to read besides. */
interface ScanColumns {
  readonly known: Map<ScanColumn['from'], Map<string, Column>>;
  readonly added: ScanColumn[];
}

const partKey = (part: ScanColumn['part'], { kind }: Type): string => JSON.stringify([part, kind]);

function scanColumns({ columns }: SourceScan): ScanColumns {
  const all: ScanColumns = { known: new Map(), added: [] };
  for (const column of columns) remember(all, column);
  return all;
}

function remember({ known }: ScanColumns, { column, from, part }: ScanColumn): void {
  const parts = known.get(from) ?? new Map<string, Column>();
  known.set(from, parts.set(partKey(part, column.type), column));
}

function extended(rel: Rel, scans: ReadonlyMap<SourceScan, ScanColumns>): Rel {
  const added = rel.kind === 'source_scan' ? (scans.get(rel)?.added ?? []) : [];
  return rel.kind === 'source_scan' && added.length > 0 ? { ...rel, columns: [...rel.columns, ...added] } : rel;
}

function walked(plan: ResolvedQuery, { order, relations = {}, expressions }: Changes): ResolvedQuery {
  // The kind picks the change of that kind.
  const ofRel = (rel: Rel): Rel => (relations[rel.kind] as ((rel: Rel) => Rel) | undefined)?.(rel) ?? rel;
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
