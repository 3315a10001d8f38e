// Warnings from the types of a query: a field of a record that nobody has declared reads as NULL, where a declared one has nearly that name; and a text that
// is compared with a time is read as one.
import { nearest } from '../../../base/errors.ts';
import type { Expr, LogicalPlan } from '../../logical/nodes.ts';
import { visit } from '../../logical/walk.ts';
import type { Doubt } from '../../translation.ts';

/** Returns each warning once, in the order of the text. */
export function doubtsOf(plan: LogicalPlan): readonly Doubt[] {
  const found = new Map<string, Doubt>();
  visit(plan, (expr) => {
    const doubt = undeclaredField(expr) ?? textAsTime(expr);
    if (doubt !== undefined) found.set(`${doubt.kind} ${doubt.name} ${doubt.span.start}`, doubt);
  });
  return [...found.values()].sort((a, b) => a.span.start - b.span.start);
}

function undeclaredField(expr: Expr): Doubt | undefined {
  if (expr.kind !== 'record_field' || expr.of.type.kind !== 'RECORD') return undefined;
  const { name, span } = expr;
  const names = expr.of.type.fields.flatMap((field) => field.name ?? []);
  if (names.some((known) => known.toLowerCase() === name.toLowerCase())) return undefined;
  // Two other letters turn a short name into many that may be meant.
  const near = nearest(name, names, name.length < 6 ? 1 : 2);
  return near === undefined ? undefined : { kind: 'undeclared-field', name, instead: near, span };
}

const TIMES: ReadonlySet<string> = new Set(['TIMESTAMP', 'DATETIME', 'DATE', 'TIME']);

function textAsTime(expr: Expr): Doubt | undefined {
  if (expr.kind !== 'cast' || expr.operand.kind !== 'parameter' || expr.operand.type.kind !== 'STRING') return undefined;
  // A cast that is written begins before its operand.
  if (!TIMES.has(expr.type.kind) || expr.span.start !== expr.operand.span.start) return undefined;
  return { kind: 'text-as-time', name: expr.operand.name, instead: expr.type.kind, span: expr.span };
}
