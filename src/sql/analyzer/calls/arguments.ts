// The arguments of a call, matched to the signature: named ones take their places, and date parts and lambdas are told from values.
import { fail } from '../../base/fail.ts';
import { INT64, STRING, type Type } from '../../base/types.ts';
import { type Pattern, signaturesOf } from '../../functions/signature.ts';
import type { AnyDefinition } from '../../logical/function.ts';
import type { Expr } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import { atPlace, type Context, withNames } from '../context.ts';
import { columnRef } from '../names/scope.ts';
import { resolveDynamic } from './coerce.ts';
import { matchSignature, patternType } from './match-signature.ts';

/** Resolves the call's arguments and matches them to the definition's signatures. */
export function matched(node: ast.Call, fn: AnyDefinition, context: Context): { args: readonly (Expr | null)[]; type: Type } {
  const signatures = signaturesOf(fn.signature);
  const ordered = positional(node, fn);
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
    if (pattern?.kind !== 'lambda') return fail('type', arg.span, `argument ${i + 1} of ${fn.name} is not a lambda`);
    return analyzeLambda(arg, pattern, bindingsOf(signatures, early), context);
  });
  return matchSignature(fn, args, node.span);
}

/** Returns the arguments by position: named ones stand where the signature has them. */
function positional(node: ast.Call, fn: AnyDefinition): readonly (ast.Expr | ast.Lambda | null)[] {
  const parameters = signaturesOf(fn.signature)[0]?.parameters ?? [];
  const args: (ast.Expr | ast.Lambda | null)[] = [];
  let named = false;
  for (const arg of node.args) {
    if (arg.name === null) {
      if (named) fail('type', arg.value.span, 'positional arguments come before named ones');
      // Only a name fills the places of these parameters.
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
        `${fn.name} has no argument named ${arg.name.name}`,
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

/** Returns the types of the signatures' type variables, as far as arguments that are no lambdas say them. */
function bindingsOf(signatures: ReturnType<typeof signaturesOf>, args: readonly (Expr | null)[]): ReadonlyMap<string, Type> {
  const bindings = new Map<string, Type>();
  for (const signature of signatures) {
    for (const [i, parameter] of signature.parameters.entries()) {
      const type = args[i]?.type;
      if (type === undefined) continue;
      if (parameter.pattern.kind === 'array' && parameter.pattern.element.kind === 'variable' && type.kind === 'ARRAY')
        bindings.set(parameter.pattern.element.name, type.element);
      if (parameter.pattern.kind === 'variable') bindings.set(parameter.pattern.name, type);
    }
  }
  return bindings;
}

function analyzeLambda(
  node: ast.Lambda,
  pattern: Extract<Pattern, { kind: 'lambda' }>,
  bindings: ReadonlyMap<string, Type>,
  context: Context,
): Expr {
  const parameters = node.parameters.map((p, i) =>
    context.analysis.newColumn(p.name, patternType(pattern.parameters[i] ?? { kind: 'type', type: INT64 }, bindings)),
  );
  const names = new Map(
    parameters.map((column, i) => [column.name.toLowerCase(), columnRef(column, node.parameters[i]?.span ?? node.span)]),
  );
  const body = resolveDynamic(analyzeExpr(node.body, atPlace('a lambda', withNames(context, names))));
  return { kind: 'lambda', parameters, body, type: body.type, span: node.span };
}
