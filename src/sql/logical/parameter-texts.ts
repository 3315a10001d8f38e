// Finds the kinds of text that parameters must have wherever the query runs: another text can be refused before the engine runs.
import type { TextKind } from '../base/types.ts';
import { splitConjunction } from './build.ts';
import { neededColumns } from './needed-columns.ts';
import type { Column, CteScan, Expr, LogicalPlan, Rel } from './nodes.ts';
import { parametersIn } from './properties/parameters.ts';
import { childrenOf, eachChild } from './walk.ts';

const TIMES: Readonly<Record<string, TextKind>> = { TIMESTAMP: 'timestamp', DATETIME: 'datetime', DATE: 'date', TIME: 'time' };

/**
 * Returns the kinds by name of the parameter, of those that are read so whatever the other arguments are. A call below CASE, OR, COALESCE or SAFE., in a
 * subquery or in a column that nobody reads, says nothing, and neither does a query with a condition that arguments alone decide: there the text may never
 * be read.
 */
export function textsReadAs(plan: LogicalPlan): ReadonlyMap<string, TextKind> {
  const found = new Map<string, TextKind>();
  const ctes = new Map(plan.ctes.map((cte) => [cte.id, cte]));
  const parametersOf = parametersIn(plan);
  const needed = neededColumns(plan);
  const walked = new Set<number>();
  let decidedByArguments = false;

  function condition(expr: Expr): void {
    for (const part of splitConjunction(expr)) {
      decidedByArguments ||= (parametersOf(part)?.size ?? 0) > 0;
      read(part);
    }
  }

  function read(expr: Expr): void {
    switch (expr.kind) {
      case 'cast':
        if (expr.safe) return;
        if (expr.format === null) note(expr.operand, TIMES[expr.type.kind]);
        read(expr.operand);
        return;
      case 'call': {
        if (expr.safe) return;
        const { strict, compares, readsText: [position, kind] = [] } = expr.fn;
        if (position !== undefined) note(expr.args[position], kind);
        if (strict === 'any' || compares) childrenOf(expr).forEach(read);
        return;
      }
      case 'struct':
      case 'array':
        childrenOf(expr).forEach(read);
    }
  }

  function note(expr: Expr | null | undefined, kind: TextKind | undefined): void {
    if (expr?.kind !== 'parameter' || expr.type.kind !== 'STRING' || kind === undefined) return;
    if (!found.has(expr.name)) found.set(expr.name, kind);
  }

  function walk(rel: Rel): void {
    if (rel.kind === 'cte_scan') walkCte(rel);
    else if (rel.kind === 'filter') condition(rel.condition);
    else if (rel.kind === 'join') {
      if (rel.on !== null) condition(rel.on);
    } else eachChild(withoutUnread(rel), { expr: read, rel: () => {} });
    eachChild(rel, { expr: () => {}, rel: walk });
  }

  function withoutUnread(rel: Rel): Rel {
    const isRead = ({ column }: { readonly column: Column }): boolean => needed.has(column.id);
    if (rel.kind === 'project') return { ...rel, items: rel.items.filter(isRead) };
    if (rel.kind === 'window') return { ...rel, items: rel.items.filter(isRead) };
    return rel.kind === 'aggregate' ? { ...rel, aggregates: rel.aggregates.filter(isRead) } : rel;
  }

  function walkCte({ cte }: CteScan): void {
    const table = ctes.get(cte);
    if (table === undefined || walked.has(cte)) return;
    walked.add(cte);
    walk(table.rel);
  }

  walk(plan.rel);
  return decidedByArguments ? new Map() : found;
}
