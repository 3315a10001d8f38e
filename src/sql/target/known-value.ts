// Computes expressions of literals and bound parameters without the engine.
import { givesNullForNull } from '../../clickhouse/functions.ts';
import type { Check, Lit, SqlExpression } from './ast.ts';

/** A value as ClickHouse compares it: texts by their bytes, integers whatever their width. */
export type KnownValue = string | boolean | bigint | null;

/** Values by name: of parameters, and of the constants that WITH names. */
export interface KnownNames {
  readonly parameters: ReadonlyMap<string, KnownValue>;
  readonly constants: ReadonlyMap<string, KnownValue>;
}

const NULL: SqlExpression = { kind: 'lit', value: null };
const NO_NAMES: KnownNames = { parameters: new Map(), constants: new Map() };

/** True if the condition of literals alone is known not to hold. */
export function isKnownFalse(condition: SqlExpression): boolean {
  const known = knownValue(condition, NO_NAMES);
  return known === false || known === null;
}

/** Returns undefined where the value depends on rows, on unknown names, or on a function that only the engine can compute. */
export function knownValue(node: SqlExpression, names: KnownNames): KnownValue | undefined {
  switch (node.kind) {
    case 'lit':
      return literalValue(node);
    case 'param':
      return names.parameters.get(node.name);
    case 'ident':
      return node.constant === true ? names.constants.get(node.parts.join('.')) : undefined;
    case 'is_null': {
      const value = knownValue(node.operand, names);
      return value === undefined ? undefined : (value === null) !== node.not;
    }
    case 'prefix': {
      const value = node.operator === 'NOT' ? knownValue(node.operand, names) : undefined;
      return typeof value === 'boolean' ? !value : nullOnly(value);
    }
    case 'in':
      return 'kind' in node.items ? undefined : listed(node.operand, node.items, node.not, names);
    case 'infix':
      return node.operator === 'AND' || node.operator === 'OR'
        ? combined(node.operator, knownValue(node.left, names), knownValue(node.right, names))
        : computed(node.operator, knownValue(node.left, names), knownValue(node.right, names));
    case 'check':
      return node.value !== null && passes(node, names) ? knownValue(node.value, names) : undefined;
    case 'func':
      return node.params.length > 0 || node.distinct || node.over !== null ? undefined : called(node.name, node.args, names);
    default:
      return undefined;
  }
}

/** True if the check is one of constants, and is known not to fail. */
export function passes({ condition, rows }: Check, names: KnownNames): boolean {
  const fails = rows === 'constant' ? knownValue(condition, names) : undefined;
  return fails === false || fails === null;
}

const nullOnly = (value: KnownValue | undefined): null | undefined => (value === null ? null : undefined);

function literalValue({ value }: Lit): KnownValue | undefined {
  if (typeof value !== 'number') return value;
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value) : undefined;
}

function called(name: string, args: readonly SqlExpression[], names: KnownNames): KnownValue | undefined {
  const [first] = args;
  if (first === undefined) return undefined;
  if (name === 'if' || name === 'multiIf') return chosen(args, names);
  if (givesNullForNull(name))
    return ofTexts(
      name,
      args.map((arg) => knownValue(arg, names)),
    );
  // The lowering writes integer literals with their type.
  if (name === 'toInt64' || name === 'toUInt8') return first.kind === 'lit' ? knownValue(first, names) : undefined;
  if (name === 'abs' || name === 'lengthUTF8') return measured(name, knownValue(first, names));
  if (name !== 'ifNull' && name !== 'coalesce') return undefined;
  for (const arg of args) {
    const value = knownValue(arg, names);
    if (value !== null) return value;
  }
  return null;
}

/** A dot that no backslash makes a character, in RE2. */
export const BARE_DOT = '(^|[^\\\\])(\\\\\\\\)*\\.';

/** Of patterns, only BARE_DOT is known to mean the same here. */
function ofTexts(name: string, values: readonly (KnownValue | undefined)[]): KnownValue | undefined {
  if (values.includes(null)) return null;
  const texts = values.filter((value) => typeof value === 'string');
  const [text = '', pattern] = texts;
  if (texts.length < values.length) return undefined;
  if (name === 'match' && pattern === BARE_DOT) return new RegExp(BARE_DOT).test(text);
  return name === 'concat' ? texts.join('') : undefined;
}

/** Returns the value of the branch that is taken. The arguments are conditions and values in turns, then the value of ELSE. */
function chosen(args: readonly SqlExpression[], names: KnownNames): KnownValue | undefined {
  let at = 0;
  for (; at + 2 < args.length; at += 2) {
    const condition = knownValue(args[at] ?? NULL, names);
    if (condition === undefined) return undefined;
    if (condition === true) return knownValue(args[at + 1] ?? NULL, names);
  }
  return knownValue(args[at] ?? NULL, names);
}

/** NULL means "unknown": https://clickhouse.com/docs/sql-reference/functions/logical-functions */
function combined(operator: 'AND' | 'OR', a: KnownValue | undefined, b: KnownValue | undefined): boolean | null | undefined {
  const decides = operator === 'OR';
  if (a === decides || b === decides) return decides;
  if (a === null && (b === null || b === !decides)) return null;
  if (b === null && a === !decides) return null;
  return a === !decides && b === !decides ? !decides : undefined;
}

/** The most that integers of any width, and their products, hold without loss here. */
const MOST = BigInt(Number.MAX_SAFE_INTEGER);

const SUMS: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
};

const small = (value: bigint | undefined): bigint | undefined =>
  value !== undefined && value <= MOST && value >= -MOST ? value : undefined;

function measured(name: 'abs' | 'lengthUTF8', value: KnownValue | undefined): KnownValue | undefined {
  if (typeof value === 'bigint' && name === 'abs') return small(value < 0n ? -value : value);
  return typeof value === 'string' && name === 'lengthUTF8' ? BigInt([...value].length) : nullOnly(value);
}

function computed(operator: string, a: KnownValue | undefined, b: KnownValue | undefined): KnownValue | undefined {
  const sum = SUMS[operator];
  if (sum === undefined) return compared(operator, a, b);
  return typeof a === 'bigint' && typeof b === 'bigint' ? small(sum(a, b)) : undefined;
}

function compared(operator: string, a: KnownValue | undefined, b: KnownValue | undefined): boolean | null | undefined {
  const isOrder = Object.hasOwn(ORDERS, operator);
  const isEquality = operator === '=' || operator === '!=';
  if ((a === null || b === null) && (isEquality || isOrder || operator === 'LIKE')) return null;
  if (a === undefined || b === undefined || a === null || b === null || (!isEquality && !isOrder)) return undefined;
  if (typeof a !== typeof b) return undefined;
  if (!isOrder) return (a === b) === (operator === '=');
  // ClickHouse orders texts by their bytes, JavaScript does not.
  return typeof a === 'bigint' && typeof b === 'bigint' ? ORDERS[operator]?.(a, b) : undefined;
}

const ORDERS: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

function listed(operand: SqlExpression, items: readonly SqlExpression[], not: boolean, names: KnownNames): boolean | undefined {
  const value = knownValue(operand, names);
  if (value === undefined || value === null) return undefined;
  const values = items.map((item) => knownValue(item, names));
  if (values.some((item) => item === undefined || item === null || typeof item !== typeof value)) return undefined;
  return values.includes(value) !== not;
}
