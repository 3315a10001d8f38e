// Chooses a function's overload for the arguments, and finds its result type.
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import { arrayOf, holdsKind, INT64, SHORT_KINDS, STRING, structOf, type Type, typeName } from '../../base/types.ts';
import { type Pattern, type Signature, signaturesOf } from '../../functions/signature.ts';
import { castTo } from '../../logical/build.ts';
import type { AnyDefinition } from '../../logical/function.ts';
import type { Expr } from '../../logical/nodes.ts';
import { refuseUncompared } from '../clauses/keys.ts';
import { refuseRecords } from '../names/record-values.ts';
import { coerce, coercionCost, commonType, isLiteral, isNullLiteral, resolveDynamic } from './coerce.ts';

interface Matched {
  /** The arguments in the overload's order, coerced; null for optional ones left out; repeated ones follow each other at the end. */
  readonly args: readonly (Expr | null)[];
  readonly type: Type;
}

type Bindings = ReadonlyMap<string, Type>;

/** Pairs the arguments with parameters; undefined when their number does not fit. */
function align(signature: Signature, args: readonly (Expr | null)[]): readonly Pattern[] | undefined {
  const { fixed, repeated, required } = signature;
  if (args.length < required || (repeated === undefined && args.length > fixed.length)) return undefined;
  const patterns: Pattern[] = [];
  for (const [i, arg] of args.entries()) {
    const parameter = fixed[i] ?? repeated;
    if (parameter === undefined || (arg === null && !parameter.optional)) return undefined;
    patterns.push(parameter.pattern);
  }
  return patterns;
}

function collect(pattern: Pattern, expr: Expr, into: Map<string, Expr[]>): boolean {
  if (pattern.kind === 'variable') {
    const known = into.get(pattern.name);
    if (known === undefined) into.set(pattern.name, [expr]);
    else known.push(expr);
    return true;
  }
  if (pattern.kind === 'array') {
    if (isNullLiteral(expr)) return true;
    if (expr.type.kind !== 'ARRAY') return false;
    if (expr.kind === 'array' && expr.elements.length > 0) return expr.elements.every((e) => collect(pattern.element, e, into));
    // [] takes its element type from the other arguments.
    if (expr.kind === 'array' && expr.type.element.kind === 'INT64') return true;
    return collect(pattern.element, { kind: 'instant', type: expr.type.element, span: expr.span }, into);
  }
  if (pattern.kind === 'part') return expr.kind === 'date_part';
  if (pattern.kind === 'lambda') return expr.kind === 'lambda' && collect(pattern.result, expr.body, into);
  return true;
}

export function patternType(pattern: Pattern, bindings: Bindings): Type {
  switch (pattern.kind) {
    case 'type':
      return pattern.type;
    case 'text':
      return STRING;
    case 'variable':
      return bindings.get(pattern.name) ?? INT64;
    case 'array':
      return arrayOf(patternType(pattern.element, bindings));
    case 'struct':
      return structOf(pattern.fields.map((f) => ({ name: f.name, type: patternType(f.pattern, bindings) })));
    default:
      return INT64;
  }
}

interface Attempt {
  readonly cost: number;
  /** The type that each argument is coerced to; null: it stays. */
  readonly targets: readonly (Type | null)[];
  readonly type: Type;
  /** True if arguments of any type may be the result. */
  readonly through: boolean;
}

function tryOverload(signature: Signature, args: readonly (Expr | null)[], name: string): Attempt | undefined {
  const patterns = align(signature, args);
  if (patterns === undefined) return undefined;
  const collected = new Map<string, Expr[]>();
  for (const [i, arg] of args.entries()) {
    const pattern = patterns[i];
    if (arg !== null && (pattern === undefined || !collect(pattern, arg, collected))) return undefined;
  }
  const bindings = new Map<string, Type>();
  for (const [variable, exprs] of collected) {
    const type = commonType(exprs);
    if (type === undefined) return undefined;
    bindings.set(variable, type);
  }
  const type = patternType(signature.result, bindings);
  let cost = 0;
  const decimal = args.some((arg) => arg?.type.kind === 'NUMERIC' || arg?.type.kind === 'BIGNUMERIC');
  const targets: (Type | null)[] = [];
  for (const [i, arg] of args.entries()) {
    const pattern = patterns[i];
    const target = arg === null || pattern === undefined ? null : targetOf(pattern, arg, bindings);
    // An undeclared field need not be whole, and a fraction would be lost.
    if (arg?.type.kind === 'DYNAMIC' && target?.kind === 'INT64' && type.kind === 'FLOAT64') return undefined;
    targets.push(target);
    const one = arg === null || target === null ? 0 : (coercionCost(arg, target) ?? textCost(arg, pattern));
    if (one === undefined) return undefined;
    // Beside a decimal, a number that is written out becomes one, rather than that the decimal becomes a FLOAT64.
    if (one > 2 && decimal && arg?.type.kind === 'FLOAT64' && isLiteral(arg)) cost += 1.5;
    // A text is preferably of the type that the function is named after.
    else cost += target !== null && name.startsWith(`${target.kind}_`) ? Math.min(one, 6) : one;
  }
  const { result } = signature;
  return { cost, targets, type, through: result.kind === 'variable' || result.kind === 'array' };
}

/** The cost of such a cast, which is higher than that of any coercion. */
const textCost = (arg: Expr, pattern: Pattern | undefined): number | undefined =>
  pattern?.kind === 'text' && SHORT_KINDS.has(arg.type.kind) ? 20 : undefined;

/** Returns the type that an argument is coerced to; null: it stays as it is. */
function targetOf(pattern: Pattern, arg: Expr, bindings: Bindings): Type | null {
  if (pattern.kind === 'part' || pattern.kind === 'lambda') return null;
  return pattern.kind === 'any' ? resolveDynamic(arg).type : patternType(pattern, bindings);
}

/** Names a function in messages: operators are not written by their names. */
function calledName({ name, operator }: AnyDefinition): string {
  if (operator === undefined || !name.startsWith('$')) return name;
  return /^\w/.test(operator) ? operator : `operator ${operator}`;
}

const argumentText = (arg: Expr | null): string => {
  if (arg === null) return 'nothing';
  if (arg.kind === 'date_part') return arg.part;
  return isNullLiteral(arg) ? 'NULL' : typeName(arg.type);
};

/** Refuses points in functions of values of any type, but for those that give them back: others would see two numbers. */
function refusePoints({ name, signature, kind }: AnyDefinition, through: boolean, args: readonly (Expr | null)[]): void {
  const point = args.find((arg) => arg != null && holdsKind(arg.type, 'GEOGRAPHY'));
  const counts = kind === 'aggregate' && signature.endsWith('-> INT64');
  if (point == null || through || counts || signature.includes('GEOGRAPHY') || name === '$is_null') return;
  fail('unsupported', point.span, `${name.startsWith('$') ? 'this' : name} does not take values of type GEOGRAPHY`, 'use ST_ASTEXT(point)');
}

/** Chooses the cheapest overload, and coerces the arguments to it. */
export function matchSignature(fn: AnyDefinition, args: readonly (Expr | null)[], span: Span): Matched {
  const name = calledName(fn);
  const signatures = signaturesOf(fn.signature);
  let best: Attempt | undefined;
  for (const signature of signatures) {
    const attempt = tryOverload(signature, args, name);
    if (attempt !== undefined && (best === undefined || attempt.cost < best.cost)) best = attempt;
    if (best?.cost === 0) break;
  }
  if (best !== undefined) {
    refuseRecords(name, args);
    refusePoints(fn, best.through, args);
    if (fn.compares) refuseUncompared(args);
    // Only the chosen overload's coercions are made: a text that is no DATE may still be the TIMESTAMP another overload wants.
    const { targets, type } = best;
    const coerced = args.map((arg, i) => {
      const target = targets[i] ?? null;
      if (arg === null || target === null) return arg;
      return target.kind === 'STRING' && coercionCost(arg, target) === undefined ? castTo(arg, STRING) : coerce(arg, target, name);
    });
    return { args: coerced, type };
  }
  return fail(
    'type',
    span,
    `${name} does not take (${args.map(argumentText).join(', ')})`,
    name.startsWith('operator ')
      ? 'CAST one side to the type of the other'
      : `it takes ${signatures.map((s) => `${name}(${describe(s)})`).join(' or ')}`,
  );
}

/** Writes a signature for users: `value STRING, [start INT64]`. */
function describe(signature: Signature): string {
  return signature.parameters
    .map(
      (p) =>
        `${p.optional ? '[' : ''}${p.name}${p.named ? ' =>' : ''} ${patternText(p.pattern)}${p.repeated ? ', …' : ''}${p.optional ? ']' : ''}`,
    )
    .join(', ');
}

function patternText(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'type':
      return typeName(pattern.type);
    case 'variable':
      return pattern.name;
    case 'array':
      return `ARRAY<${patternText(pattern.element)}>`;
    case 'struct':
      return `STRUCT<${pattern.fields.map((f) => `${f.name} ${patternText(f.pattern)}`).join(', ')}>`;
    case 'any':
      return 'any type';
    case 'text':
      return 'STRING';
    case 'part':
      return 'date part';
    case 'lambda':
      return 'lambda';
  }
}
