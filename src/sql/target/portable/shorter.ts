// The same values in fewer words.
import type { Func, Select, SqlExpression, Statement } from '../ast.ts';
import { call, lit, narrow } from '../build.ts';
import { asFunc, isStatement } from '../checks.ts';
import { looseTextOf } from '../helpers.ts';
import { plainCount } from '../plain-counts.ts';
import { rebuilt } from '../rewrite.ts';
import { SameMap } from '../same.ts';
import { textOf } from './conditions.ts';

export const withShortForms = <T extends object>(tree: T): T =>
  rebuilt(tree, (node) => {
    const func = asFunc(node);
    if (func !== undefined) return FORMS.get(func.name)?.(func) ?? node;
    if ('kind' in node && node.kind === 'in') return listed(node as InList); // the kind determines the type
    return 'kind' in node && node.kind === 'infix' ? between(node as Infix) : node;
  });

type Infix = Extract<SqlExpression, { readonly kind: 'infix' }>;
type InList = Extract<SqlExpression, { readonly kind: 'in' }>;

/** `value IN UNNEST([…])`, by the elements. */
function listed(node: InList): SqlExpression {
  const [list] = 'kind' in node.items || node.ofArray !== true ? [] : node.items;
  const elements = list?.kind === 'array' ? list.elements : [];
  return elements.length > 0 && elements.every(({ kind, ...element }) => kind === 'lit' && 'value' in element && element.value !== null)
    ? { kind: 'in', operand: node.operand, items: elements, not: node.not }
    : node;
}

/** Beside an Int64, a smaller literal makes the same sums. */
const SMALL = 2n ** 31n;

const FORMS = new Map<string, (func: Func) => SqlExpression | undefined>(
  Object.entries({
    toInt64({ args: [value] }: Func) {
      if (value?.kind !== 'lit' || (typeof value.value !== 'bigint' && !Number.isInteger(value.value))) return undefined;
      const number = BigInt(value.value as number | bigint); // an integer of either kind
      return number < SMALL && number > -SMALL ? value : undefined;
    },
    // The bits in front are those of the type.
    bitNot: ({ args: [value] }: Func) => (value === undefined ? undefined : call('bitNot', call('toInt64', value))),
    toDateTime64({ args: [text, ...more] }: Func): SqlExpression | undefined {
      const whole = text?.kind === 'lit' && typeof text.value === 'string' ? /^(.*:\d\d)\.0+$/.exec(text.value)?.[1] : undefined;
      return whole === undefined ? undefined : call('toDateTime64', lit(whole), ...more);
    },
    toInt64OrNull: numberOf,
    toFloat64OrNull: numberOf,
    text_to_int64: numberOf,
    text_to_float64: numberOf,
    // The numbers of a log were written as JSON.
    ifNotFinite: ({ args: [value] }: Func) => (/^toFloat64Or/.test(asFunc(value ?? {})?.name ?? '') ? value : undefined),
    avg: whole,
    avgOrNull: whole,
    toNullable: ({ args: [value] }: Func) => (value !== undefined && isNullable(value) ? value : undefined),
  }),
);

/** True of calls whose type has NULL already. */
const isNullable = (value: SqlExpression): boolean => value.kind === 'func' && (value.name === 'nullIf' || value.name.endsWith('OrNull'));

/** ClickHouse adds up integers for the mean of integers. */
function whole(func: Func): SqlExpression | undefined {
  const [number] = func.args;
  const inner = number?.kind === 'func' && number.name === 'toFloat64' ? number.args[0] : undefined;
  return inner?.kind === 'func' && /^(?:toInt64Or|text_to_int64)/.test(inner.name) ? { ...func, args: [inner] } : undefined;
}

/** An empty text is no number. One that stands for nothing counts as '0' in `coalesce(text, '0')`, which toInt64OrZero gives. */
function numberOf({ name, args: [value] }: Func): SqlExpression | undefined {
  if (value === undefined) return undefined;
  const text = textOf(value) ?? looseTextOf(value)?.text;
  if (text !== undefined) return call(name, text);
  const [first, zero, ...more] = value.kind === 'func' && (value.name === 'coalesce' || value.name === 'ifNull') ? value.args : [];
  const given = first && textOf(first);
  const converted = name.startsWith('text_to_') ? undefined : name.replace('OrNull', 'OrZero');
  return given !== undefined && converted !== undefined && zero?.kind === 'lit' && zero.value === '0' && more.length === 0
    ? call(converted, given)
    : undefined;
}

/** `value >= low AND value <= high`, where the value is long. */
function between(node: Infix): SqlExpression {
  const { operator, left, right } = node;
  if (operator !== 'AND' || right.kind !== 'infix' || right.operator !== '<=') return node;
  const [before, low] = left.kind === 'infix' && left.operator === 'AND' ? [left.left, left.right] : [null, left];
  if (low.kind !== 'infix' || low.operator !== '>=') return node;
  const values = new SameMap<true>();
  values.set(low.left, true);
  if (values.get(right.left) === undefined) return node;
  const range: SqlExpression = { kind: 'between', operand: low.left, low: low.right, high: right.right };
  return before === null ? range : { ...node, left: before, right: range };
}

/** The columns of the result as ClickHouse counts and stores them: the numbers and times are the same. */
export function withPlainResults(statement: Statement): Statement {
  if (!isStatement(statement) || statement.kind === 'set') return statement;
  const items = statement.items.map((item) => ({ ...item, value: plain(item.value) }));
  const orderBy = statement.orderBy.map((item) => ({ ...item, value: plain(item.value) }));
  return { ...statement, items, orderBy } satisfies Select;
}

const plain = (value: SqlExpression): SqlExpression => plainCount(value) ?? narrow(value);
