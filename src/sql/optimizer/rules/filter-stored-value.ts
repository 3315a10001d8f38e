// A key does not see through the conversions with which a UInt64 is shown as BIGNUMERIC, or a UUID as STRING. So comparisons with values that are the same
// for all rows are made with the stored value, where they hold for the same rows.
// Measured on 10M rows ordered by such a column: `=` reads one to four granules instead of all, in 4 to 16 ms instead of 350 to 4,600.
import { int64, ref } from '../../logical/build.ts';
import type { Expr, FunctionCall, Rel } from '../../logical/nodes.ts';
import { rewriteExpr } from '../../logical/walk.ts';
import { STRING } from '../../types.ts';
import { call } from '../build.ts';
import { isConstantIn, shows } from '../column-origin.ts';
import { comparisonOf, type Wanted } from '../comparison.ts';
import type { Rule } from '../rule.ts';
import { type StoredNumber, type StoredValue, storedValues } from '../stored-values.ts';

export const filterStoredValue: Rule = {
  name: 'filter-stored-value',
  changes(plan, context) {
    const values = storedValues(plan, context);
    if (values.size === 0) return undefined;
    return {
      relations: {
        filter(rel) {
          const of = inFilter(rel.input, values);
          const exact = rewriteExpr(rel.condition, (expr) => (expr.kind === 'call' ? (ofStored(expr, of) ?? expr) : expr));
          const condition = whereTrue(exact, of);
          return condition === rel.condition ? rel : { ...rel, condition };
        },
      },
    };
  },
};

type InFilter = Wanted<StoredValue>;

const inFilter = (input: Rel, values: ReadonlyMap<number, StoredValue>): InFilter => ({
  find(expr) {
    const value = expr?.kind === 'column' ? values.get(expr.column.id) : undefined;
    return value !== undefined && shows(input, value.shown.id) ? value : undefined;
  },
  constant: (expr) => isConstantIn(expr, input),
});

/** The comparison made with the stored value: NULL, true and false for the same rows. */
function ofStored(expr: FunctionCall, of: InFilter): Expr | undefined {
  if (expr.fn.name === '$in_list') return inStored(expr, of);
  const compared = comparisonOf(expr, of);
  if (compared === undefined) return undefined;
  const { found, name, value, to } = compared;
  const { as } = found;
  if (as.kind === 'text') {
    const held = name === '$equal' || name === '$not_equal' ? storedText(value, found, as.of) : undefined;
    return held === undefined ? undefined : call(name, [ref(found.stored(), expr), held], expr);
  }
  const side = (op: string, bound: Expr): Expr | undefined => compareNumber({ ...found, as }, op, bound, expr);
  if (name !== '$between') return side(name, value);
  const [low, high] = [side('$greater_or_equal', value), side('$less_or_equal', to ?? value)];
  return low === undefined || high === undefined ? undefined : call('$and', [low, high], expr);
}

function compareNumber(number: StoredValue<StoredNumber>, name: string, value: Expr, at: Expr): Expr | undefined {
  const { first, last, scale } = number.as;
  const stored = ref(number.stored(), at);
  const than = (op: string, bound: bigint): Expr => call(op, [stored, storedNumber(bound, number, at)], at);
  const never = (): Expr => than('$less', first);
  const always = (): Expr => than('$greater_or_equal', first);
  if (value.kind !== 'literal') {
    const whole = scale === 0 ? wholeNumber(value) : undefined;
    return whole === undefined ? undefined : call(name, [stored, whole], at);
  }
  const found = countedIn(value, scale);
  if (found === undefined) return undefined;
  const { floor, exact } = found;
  const atLeast = (bound: bigint): Expr => (bound > last ? never() : than('$greater_or_equal', bound < first ? first : bound));
  const atMost = (bound: bigint): Expr => (bound < first ? never() : than('$less_or_equal', bound > last ? last : bound));
  const held = exact && floor >= first && floor <= last;
  switch (name) {
    case '$less':
      return atMost(exact ? floor - 1n : floor);
    case '$less_or_equal':
      return atMost(floor);
    case '$greater':
      return atLeast(floor + 1n);
    case '$greater_or_equal':
      return atLeast(exact ? floor : floor + 1n);
    case '$equal':
      return held ? than(name, floor) : never();
    case '$not_equal':
      return held ? than(name, floor) : always();
    default:
      return undefined;
  }
}

/** An INT64 without the cast that its comparison with a wider number takes. ClickHouse compares integers of all widths as numbers. */
function wholeNumber(value: Expr): Expr | undefined {
  if (value.type.kind === 'INT64') return value;
  return value.kind === 'cast' && (value.type.kind === 'NUMERIC' || value.type.kind === 'BIGNUMERIC')
    ? wholeNumber(value.operand)
    : undefined;
}

/** How often 10 to the power of -`scale` goes into the literal. */
function countedIn(
  { value }: Extract<Expr, { readonly kind: 'literal' }>,
  scale: number,
): { readonly floor: bigint; readonly exact: boolean } | undefined {
  const [text, sign, whole = '', fraction = ''] =
    /^(-?)(\d+)(?:\.(\d+))?$/.exec(typeof value === 'bigint' ? String(value) : typeof value === 'string' ? value : '') ?? [];
  if (text === undefined) return undefined;
  const cut = BigInt(`${whole}${fraction.slice(0, scale).padEnd(scale, '0')}`);
  const exact = /^0*$/.test(fraction.slice(scale));
  if (sign !== '-') return { floor: cut, exact };
  return { floor: exact ? -cut : -cut - 1n, exact };
}

function storedNumber(count: bigint, { as: { scale }, type }: StoredValue<StoredNumber>, at: Expr): Expr {
  if (scale === 0 && BigInt.asIntN(64, count) === count) return int64(count, at);
  const digits = String(count < 0n ? -count : count).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return asStored(`${count < 0n ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`, type, at);
}

const textOf = (value: string, { span }: Expr): Expr => ({ kind: 'literal', value, type: STRING, span });
const asStored = (value: string, type: string, at: Expr): Expr => call('$as_stored', [textOf(value, at), textOf(type, at)], at, STRING);

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** The constant that reads as this text, where the text is written so. */
function storedText(value: Expr, { type }: StoredValue, of: 'UUID' | 'IPv4' | 'IPv6' | readonly string[]): Expr | undefined {
  if (value.kind !== 'literal' || typeof value.value !== 'string') return undefined;
  const text = value.value;
  // Members are compared by their names.
  if (typeof of !== 'string') return of.includes(text) ? value : undefined;
  const written = of === 'UUID' ? UUID : of === 'IPv4' ? IPV4 : undefined;
  return written?.test(text) === true ? asStored(text, type, value) : undefined;
}

/** A list of literals without those that no stored value equals. */
function inStored(expr: FunctionCall, of: InFilter): Expr | undefined {
  const [value, ...items] = expr.args;
  const found = of.find(value);
  if (found === undefined || !items.every((item) => item?.kind === 'literal' && item.value !== null)) return undefined;
  const { as } = found;
  const held = items.flatMap((item) => {
    if (item?.kind !== 'literal') return [];
    if (as.kind === 'text') return storedText(item, found, as.of) ?? [];
    const counted = countedIn(item, as.scale);
    const isHeld = counted?.exact === true && counted.floor >= as.first && counted.floor <= as.last;
    return isHeld ? storedNumber(counted.floor, { ...found, as }, item) : [];
  });
  // Addresses of 16 bytes have texts that only ClickHouse tells from others.
  if (held.length === 0 || (as.kind === 'text' && as.of === 'IPv6')) return undefined;
  return call('$in_stored', [ref(found.stored(), expr), ...held], expr);
}

/** The condition, for the same rows true: elsewhere it may be false instead of NULL. */
function whereTrue(condition: Expr, of: InFilter): Expr {
  if (condition.kind !== 'call') return condition;
  if (condition.fn.name === '$and' || condition.fn.name === '$or') {
    const args = condition.args.map((arg) => (arg === null ? arg : whereTrue(arg, of)));
    return args.every((arg, i) => arg === condition.args[i]) ? condition : { ...condition, args };
  }
  if (condition.fn.name === '$in_list') {
    const [value, ...items] = condition.args;
    const tests = items.map((item) => (item == null ? undefined : readsAs(of.find(value), item, condition, of)));
    if (value == null || tests.length > MOST_TESTS || !tests.every((test) => test !== undefined)) return condition;
    return tests.reduce((all, test) => call('$or', [all, test], condition));
  }
  const { found, name, value } = comparisonOf(condition, of) ?? {};
  return (name === '$equal' && value !== undefined ? readsAs(found, value, condition, of) : undefined) ?? condition;
}

/** Longer lists would make the query much longer. */
const MOST_TESTS = 64;

function readsAs(found: StoredValue | undefined, text: Expr, at: Expr, { constant }: InFilter): Expr | undefined {
  if (found?.as.kind !== 'text' || !constant(text)) return undefined;
  const { of } = found.as;
  const stored = ref(found.stored(), at);
  if (typeof of === 'string') return call('$reads_as', [stored, text, textOf(of, at)], at);
  if (of.length > MOST_TESTS) return undefined;
  return call('$reads_as_member', [stored, text, ...of.map((name) => textOf(name, at))], at);
}
