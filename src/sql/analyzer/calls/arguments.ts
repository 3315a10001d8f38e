// The arguments of a call: named ones put in their places, date parts and lambdas told from values, all matched to the signature.
import { fail } from '../../base/fail.ts';
import { INT64, STRING, type Type } from '../../base/types.ts';
import { type Pattern, signaturesOf } from '../../functions/signature.ts';
import type { AnyDefinition } from '../../logical/function.ts';
import type { Expr } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import { type Context, withNames } from '../context.ts';
import { resolveDynamic } from './coerce.ts';
import { matchSignature, patternType } from './match-signature.ts';

/** The call's arguments, resolved and matched to the definition's signatures. */
export function matched(node: ast.Call, fn: AnyDefinition, name: string, context: Context): { args: readonly (Expr | null)[]; type: Type } {
  const signatures = signaturesOf(fn.signature);
  const ordered = positional(node, fn, name);
  const early = ordered.map((arg, i): Expr | null => {
    if (arg === null || arg.kind === 'lambda') return null;
    if (signatures.some((s) => s.parameters[i]?.pattern.kind === 'part')) {
      const part = datePart(arg);
      if (part !== undefined) return { kind: 'date_part', part, type: STRING, span: arg.span };
    }
    return analyzeExpr(arg, context);
  });
  const args = ordered.map((arg, i): Expr | null => {
    if (arg === null || arg.kind !== 'lambda') return early[i] ?? null;
    const patterns = signatures.flatMap((s) => s.parameters[i]?.pattern ?? []);
    const pattern = patterns.find((p) => p.kind === 'lambda' && p.parameters.length >= arg.parameters.length);
    if (pattern?.kind !== 'lambda') return fail('type', arg.span, `argument ${i + 1} of ${name} is not a lambda`);
    return analyzeLambda(arg, pattern, early, signatures, context);
  });
  const result = matchSignature(name, fn, args, node.span);
  return { args: result.args, type: result.type };
}

/** Arguments by position: named ones are put where the signature has them. */
function positional(node: ast.Call, fn: AnyDefinition, name: string): readonly (ast.Expr | ast.Lambda | null)[] {
  const parameters = signaturesOf(fn.signature)[0]?.parameters ?? [];
  const args: (ast.Expr | ast.Lambda | null)[] = [];
  let named = false;
  for (const arg of node.args) {
    if (arg.name === null) {
      if (named) fail('type', arg.value.span, 'positional arguments come before named ones');
      // Places of arguments that only a name fills.
      while (parameters[args.length]?.named === true) args.push(null);
      args.push(arg.value);
      continue;
    }
    named = true;
    const wanted = arg.name.name.toLowerCase();
    const at = parameters.findIndex((p) => p.name.toLowerCase() === wanted);
    if (at < 0)
      fail(
        'type',
        arg.name.span,
        `${name} has no argument named ${arg.name.name}`,
        `its arguments are ${parameters.map((p) => p.name).join(', ')}`,
      );
    while (args.length < at) args.push(null);
    args[at] = arg.value;
  }
  return args;
}

function datePart(arg: ast.Expr): string | undefined {
  if (arg.kind === 'path' && arg.parts.length === 1) return arg.parts[0]?.name.toUpperCase();
  if (arg.kind === 'call' && arg.name.length === 1 && arg.args.length === 1) {
    const inner = arg.args[0]?.value;
    const weekday = inner?.kind === 'path' ? inner.parts[0]?.name.toUpperCase() : undefined;
    return arg.name[0]?.name.toUpperCase() === 'WEEK' && weekday !== undefined ? `WEEK(${weekday})` : undefined;
  }
  return undefined;
}

function analyzeLambda(
  node: ast.Lambda,
  pattern: Extract<Pattern, { kind: 'lambda' }>,
  others: readonly (Expr | null)[],
  signatures: ReturnType<typeof signaturesOf>,
  context: Context,
): Expr {
  const bindings = new Map<string, Type>();
  for (const signature of signatures) {
    for (const [i, parameter] of signature.parameters.entries()) {
      const type = others[i]?.type;
      if (type === undefined) continue;
      if (parameter.pattern.kind === 'array' && parameter.pattern.element.kind === 'variable' && type.kind === 'ARRAY')
        bindings.set(parameter.pattern.element.name, type.element);
      if (parameter.pattern.kind === 'variable') bindings.set(parameter.pattern.name, type);
    }
  }
  const parameters = node.parameters.map((p, i) =>
    context.analysis.newColumn(p.name, patternType(pattern.parameters[i] ?? { kind: 'type', type: INT64 }, bindings)),
  );
  const names = new Map(
    parameters.map((column, i) => [
      column.name.toLowerCase(),
      { kind: 'column', column, type: column.type, span: node.parameters[i]?.span ?? node.span } as const,
    ]),
  );
  const body = resolveDynamic(analyzeExpr(node.body, { ...withNames(context, names), noAggregates: 'a lambda', noWindows: 'a lambda' }));
  return { kind: 'lambda', parameters, body, type: body.type, span: node.span };
}
