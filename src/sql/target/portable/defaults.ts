// The same values with ClickHouse's own defaults for the settings that translations rely on elsewhere: see settings.ts.
import type { Func, OrderBy, Select, SqlExpression } from '../ast.ts';
import { call, iff, infix, isNull, lit, NULL, narrow } from '../build.ts';
import { asFunc, isStatement } from '../checks.ts';
import { isConstant } from '../constant.ts';
import { eachNode } from '../helpers.ts';
import { rebuilt } from '../rewrite.ts';

type Cast = Extract<SqlExpression, { readonly kind: 'cast' }>;
type Infix = Extract<SqlExpression, { readonly kind: 'infix' }>;

// The kind of a node determines its type.
const asCast = (node: object): Cast | undefined => ('kind' in node && node.kind === 'cast' ? (node as Cast) : undefined);
const asInfix = (node: object): Infix | undefined => ('kind' in node && node.kind === 'infix' ? (node as Infix) : undefined);

// ---- `enable_extended_results_for_datetime_functions` -------------------------------------------------------------------------

const TIME = { type: "DateTime64(6, 'UTC')", widens: 'DateTime' } as const;
const DAY = { type: 'Date32', widens: 'Date' } as const;

/** Functions that give a DateTime or a Date of a wider type. */
const STARTS = new Map<string, typeof TIME | typeof DAY>([
  ...['Day', 'Hour', 'Minute', 'Interval'].map((unit) => [`toStartOf${unit}`, TIME] as const),
  ...['Year', 'ISOYear', 'Quarter', 'Month', 'Week'].map((unit) => [`toStartOf${unit}`, DAY] as const),
]);

/** Functions that take both alike. */
const TAKES_BOTH =
  /^(?:toStartOf(?:Day|Hour|Minute|Interval|Year|ISOYear|Quarter|Month|Week)|toDateTime64|toDate32|dateDiff|formatDateTime|uniq|count)$/;
const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=']);

const EARLY_NOTE =
  'the start of an hour, a day, a week or longer is right from 1970 on; before that, it lies elsewhere without a setting of ClickHouse';

/** True of times that may lie before 1970: those of events do not, which are not cut to their second first. */
function mayBeEarly(start: Func): boolean {
  let [isRead, isCut] = [false, false];
  eachNode(start, (node) => {
    isRead ||= 'kind' in node && node.kind === 'ident';
    isCut ||= asFunc(node)?.name === 'toStartOfSecond';
  });
  return isCut || !isRead;
}

/** Widens the starts of days, hours and the like again where their type makes a difference. */
export const withWideTimes = <T extends object>(tree: T, notes: Set<string>): T =>
  rebuilt(tree, (node) => {
    const func = asFunc(node);
    if (func !== undefined) {
      if (STARTS.has(func.name) && mayBeEarly(func)) notes.add(EARLY_NOTE);
      const taken = TAKES_BOTH.test(func.name) ? { ...func, args: func.args.map(narrow) } : func;
      const start = STARTS.get(func.name);
      return start === undefined ? taken : ({ kind: 'cast', operand: taken, ...start } satisfies Cast);
    }
    const compared = asInfix(node);
    if (compared !== undefined && COMPARISONS.has(compared.operator))
      return { ...compared, left: narrow(compared.left), right: narrow(compared.right) };
    return isStatement(node) && node.kind === 'select' ? withNarrowKeys(node) : node;
  });

/** `enable_positional_arguments`: a number among the keys is the position of a column. */
const isPosition = (key: SqlExpression): boolean => key.kind === 'lit' && typeof key.value !== 'string';

const withNarrowKeys = (select: Select): Select => ({
  ...select,
  groupBy: select.groupBy?.map((key) => (isPosition(key) ? call('identity', key) : narrow(key))) ?? null,
  orderBy: select.orderBy.filter(({ value }) => !isPosition(value)).map((item): OrderBy => ({ ...item, value: narrow(item.value) })),
});

// ---- others -------------------------------------------------------------------------------------------------------------------

export const withDefaultSettings = <T extends object>(tree: T): T =>
  rebuilt(tree, (node) => {
    const cast = asCast(node);
    if (cast !== undefined) return ofCast(cast);
    const func = asFunc(node);
    return func === undefined ? node : (CALLS.get(func.name)?.(func) ?? node);
  });

/** True if a tuple in the tree is NULL, which takes a setting. */
export function holdsNullTuple(tree: object): boolean {
  let found = false;
  eachNode(tree, (node) => {
    const cast = asCast(node);
    found ||= cast !== undefined && /^Nullable\(Tuple/.test(cast.type) && cast.operand.kind === 'lit' && cast.operand.value === null;
  });
  return found;
}

/** Functions that give a type, and NULL for NULL. */
const CONVERSIONS = new Map<string, (value: SqlExpression) => SqlExpression>([
  ['String', (value) => call('toString', value)],
  ['Int64', (value) => call('toInt64', value)],
  ['Float64', (value) => call('toFloat64', value)],
  ['Date32', (value) => call('toDate32', value)],
  [TIME.type, (value) => call('toDateTime64', value, lit(6), lit('UTC'))],
]);

/** Types that are never inside of Nullable. */
const BARE = /^(?:Nullable|Array|Map|Tuple|LowCardinality|JSON)\b/;

/** `cast_keep_nullable` and `enable_nullable_tuple_type`: a NULL fails in a cast to a type without it, and no Tuple can be NULL. */
function ofCast(cast: Cast): SqlExpression {
  const type = cast.type.replaceAll(/Nullable\((?=Tuple\()((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)\)/g, '$1');
  if (isConstant(cast.operand)) return { ...cast, type };
  const [, plain = type] = /^Nullable\((.*)\)$/.exec(type) ?? [];
  return CONVERSIONS.get(plain)?.(cast.operand) ?? { ...cast, type: BARE.test(type) ? type : `Nullable(${type})` };
}

const CALLS = new Map<string, (func: Func) => SqlExpression>([
  ['greatest', nullForNull],
  ['least', nullForNull],
  // `output_format_json_escape_forward_slashes`: before each slash stands a backslash of its own.
  ['toJSONString', (func) => call('replaceAll', func, lit('\\/'), lit('/'))],
]);

/** `least_greatest_legacy_null_behavior`: NULLs are passed over. */
function nullForNull(func: Func): SqlExpression {
  const [first, ...more] = func.args.filter(mayBeNull).map(isNull);
  if (first === undefined) return func;
  return iff(
    more.reduce((all, test) => infix('OR', all, test), first),
    NULL,
    func,
  );
}

const NEVER_NULL: ReadonlySet<string> = new Set(['length', 'count', 'ifNull']);

const mayBeNull = (value: SqlExpression): boolean =>
  value.kind !== 'raw' && !(value.kind === 'lit' && value.value !== null) && !(value.kind === 'func' && NEVER_NULL.has(value.name));
