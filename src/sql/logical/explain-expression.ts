// Prints expressions of a logical plan as short text, in the form of a query.
import { dateText, datetimeText, timeText } from '../base/civil.ts';
import type { IntervalValue } from '../base/interval.ts';
import { typeName } from '../base/types.ts';
import type * as plan from './nodes.ts';
import type { Expr } from './nodes.ts';

/** Names things in a plan: columns, and the relations of subqueries. */
export interface Naming {
  column(column: plan.Column): string;
  subquery(rel: plan.Rel, column: plan.Column | null): string;
}

type Printers = { readonly [K in Expr['kind']]: (expr: Extract<Expr, { readonly kind: K }>, naming: Naming) => string };

/** The precedence of operators, loosest first; calls and names bind tightest. */
const LEVELS: readonly RegExp[] = [
  /^OR$/,
  /^AND$/,
  /^NOT$/,
  /^(=|<>|<=?|>=?|IS .*|IN.*|.*LIKE.*|BETWEEN)$/,
  /^\|$/,
  /^\^$/,
  /^&$/,
  /^(<<|>>)$/,
  /^[+-]$/,
  /^(\*|\/|\|\|)$/,
];
const UNARY = LEVELS.length;
export const AND = 1;
const NOT = 2;

function levelOf(expr: Expr): number {
  if (expr.kind === 'literal')
    return (typeof expr.value === 'number' || typeof expr.value === 'bigint') && expr.value < 0 ? UNARY : UNARY + 1;
  if (expr.kind === 'lambda') return -1;
  if (expr.kind !== 'call' || expr.safe || /^(\[\]|.*(OFFSET|ORDINAL))$/.test(expr.fn.operator ?? '[]')) return UNARY + 1;
  const level = LEVELS.findIndex((operators) => operators.test(expr.fn.operator ?? ''));
  return expr.args.length === 1 && level > NOT && !/^IS/.test(expr.fn.operator ?? '') ? UNARY : level;
}

export const expressionText = (expr: Expr, naming: Naming): string =>
  // The kind picks the printer of that kind.
  (PRINTERS[expr.kind] as (expr: Expr, naming: Naming) => string)(expr, naming);

/** Prints an operand, in parentheses where it binds no tighter than the expression around it. */
export function operandText(expr: Expr, level: number, naming: Naming): string {
  const text = expressionText(expr, naming);
  return levelOf(expr) < level ? `(${text})` : text;
}

const list = (exprs: readonly (Expr | null)[], naming: Naming): string =>
  exprs.flatMap((e) => (e === null ? [] : [expressionText(e, naming)])).join(', ');

const PRINTERS: Printers = {
  literal: literalText,
  column: ({ column }, naming) => naming.column(column),
  parameter: ({ name }) => `@${name}`,
  instant: () => 'CURRENT_TIMESTAMP()',
  call: callText,
  cast: ({ operand, type, safe, format, timeZone }, naming) =>
    `${safe ? 'SAFE_' : ''}CAST(${expressionText(operand, naming)} AS ${typeName(type)}${
      format === null ? '' : ` FORMAT ${expressionText(format, naming)}`
    }${timeZone === null ? '' : ` AT TIME ZONE ${expressionText(timeZone, naming)}`})`,
  case: (expr, naming) => {
    const { whens, otherwise } = expr;
    const [first, ...more] = whens;
    if (first !== undefined && more.length === 0 && otherwise !== null) return `IF(${list([first.when, first.then, otherwise], naming)})`;
    return caseParts(expr, naming).join(' ');
  },
  struct: ({ fields, type }, naming) => {
    const values = fields.map((field, i) => {
      const text = expressionText(field, naming);
      const name = type.kind === 'STRUCT' ? (type.fields[i]?.name ?? text) : text;
      return name === text ? text : `${text} AS ${name}`;
    });
    return `STRUCT(${values.join(', ')})`;
  },
  field: ({ of, index }, naming) =>
    `${operandText(of, UNARY + 1, naming)}.${(of.type.kind === 'STRUCT' ? of.type.fields[index]?.name : null) ?? index + 1}`,
  record_field: ({ of, name }, naming) => `${operandText(of, UNARY + 1, naming)}.${name}`,
  array: ({ elements }, naming) => `[${list(elements, naming)}]`,
  subquery: ({ mode, input, column, needle }, naming) => {
    const name = naming.subquery(input, mode === 'exists' ? null : column);
    if (mode === 'in') return `${needle === null ? '' : operandText(needle, UNARY, naming)} IN (${name})`;
    return `${{ scalar: '', array: 'ARRAY', exists: 'EXISTS' }[mode]}(${name})`;
  },
  lambda: ({ parameters, body }, naming) => {
    const names = parameters.map((p) => naming.column(p));
    return `${names.length === 1 ? names[0] : `(${names.join(', ')})`} -> ${expressionText(body, naming)}`;
  },
  date_part: ({ part }) => part,
  aggregate: ({ call }, naming) => aggregateText(call, naming),
  window: ({ call }, naming) => windowText(call, naming),
};

/** Prints CASE and its branches. */
export const caseParts = ({ whens, otherwise }: plan.Case, naming: Naming): readonly string[] => [
  'CASE',
  ...whens.map(({ when, then }) => `WHEN ${expressionText(when, naming)} THEN ${expressionText(then, naming)}`),
  ...(otherwise === null ? [] : [`ELSE ${expressionText(otherwise, naming)}`]),
  'END',
];

function callText(expr: plan.FunctionCall, naming: Naming): string {
  const { fn, args, safe } = expr;
  const [first, second, third] = args;
  if (fn.operator === undefined || safe || first == null)
    return `${safe ? 'SAFE.' : ''}${fn.name.replace(/^\$/, '').toUpperCase()}(${list(args, naming)})`;
  const level = levelOf(expr);
  const left = (): string => operandText(first, /^(AND|OR|[-+*/&^|]|\|\|)$/.test(fn.operator ?? '') ? level : level + 1, naming);
  if (fn.operator === '[]') return `${operandText(first, UNARY + 1, naming)}[${list([second ?? null], naming)}]`;
  if (/(OFFSET|ORDINAL)$/.test(fn.operator))
    return `${operandText(first, UNARY + 1, naming)}[${fn.operator}(${list([second ?? null], naming)})]`;
  if (/^IS (NOT )?(NULL|TRUE|FALSE)$/.test(fn.operator)) return `${left()} ${fn.operator}`;
  if (args.length === 1 && fn.operator !== 'IN')
    return `${fn.operator}${fn.operator === 'NOT' ? ' ' : ''}${operandText(first, level + 1, naming)}`;
  if (fn.operator === 'BETWEEN' && third != null)
    return `${left()} BETWEEN ${operandText(second ?? first, level + 1, naming)} AND ${operandText(third, level + 1, naming)}`;
  if (/^IN|(ANY|ALL)$/.test(fn.operator))
    return `${left()} ${fn.operator}${fn.operator === 'IN' ? ' ' : ''}(${list(args.slice(1), naming)})`;
  const associative = fn.operator === 'AND' || fn.operator === 'OR' || fn.operator === '||';
  return `${left()} ${fn.operator} ${second == null ? '' : operandText(second, associative ? level : level + 1, naming)}`;
}

export function orderText({ value, descending, nullsFirst }: plan.OrderItem, naming: Naming): string {
  const nulls = nullsFirst === descending ? ` NULLS ${nullsFirst ? 'FIRST' : 'LAST'}` : '';
  return `${expressionText(value, naming)}${descending ? ' DESC' : ''}${nulls}`;
}

const orders = (orderBy: readonly plan.OrderItem[], naming: Naming): string => orderBy.map((item) => orderText(item, naming)).join(', ');

export function aggregateText(call: plan.AggregateCall, naming: Naming): string {
  const { having, orderBy, limit } = call;
  const modifiers = [
    ...(having === null ? [] : [`HAVING ${having.which} ${expressionText(having.value, naming)}`]),
    ...(orderBy.length === 0 ? [] : [`ORDER BY ${orders(orderBy, naming)}`]),
    ...(limit === null ? [] : [`LIMIT ${expressionText(limit, naming)}`]),
  ];
  return aggregation(call, modifiers, naming);
}

export function windowText(call: plan.WindowCall, naming: Naming): string {
  const { partitionBy, orderBy, frame } = call;
  const bound = ({ kind, offset }: plan.FrameBound): string =>
    `${offset === null ? '' : `${expressionText(offset, naming)} `}${kind.replace('_', ' ').toUpperCase()}`;
  const over = [
    ...(partitionBy.length === 0 ? [] : [`PARTITION BY ${list(partitionBy, naming)}`]),
    ...(orderBy.length === 0 ? [] : [`ORDER BY ${orders(orderBy, naming)}`]),
    ...(frame === null ? [] : [`${frame.unit} BETWEEN ${bound(frame.start)} AND ${bound(frame.end)}`]),
  ];
  return `${aggregation(call, [], naming)} OVER (${over.join(' ')})`;
}

function aggregation(call: plan.AggregateCall | plan.WindowCall, modifiers: readonly string[], naming: Naming): string {
  const { fn, args, distinct, nulls, safe } = call;
  const name = fn.name.replace(/^\$/, '').toUpperCase();
  const star = name === 'COUNT' && args.every((a) => a === null);
  const inside = [
    `${distinct ? 'DISTINCT ' : ''}${star ? '*' : list(args, naming)}`,
    ...(nulls === null ? [] : [`${nulls} NULLS`]),
    ...modifiers,
  ];
  return `${safe ? 'SAFE.' : ''}${name}(${inside.join(' ')})`;
}

const quoted = (text: string): string => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

function literalText({ value, type }: plan.Literal): string {
  if (value === null) return 'NULL';
  if (typeof value === 'object') return intervalText(value);
  switch (type.kind) {
    case 'BOOL':
    case 'INT64':
      return String(value).toUpperCase();
    case 'FLOAT64':
      return `${Object.is(value, -0) ? '-0' : value}${Number.isInteger(value) ? '.0' : ''}`;
    case 'STRING':
      return quoted(String(value));
    case 'BYTES':
      return `b${quoted(String(value))}`;
    case 'DATE':
      return `DATE '${dateText(Number(value))}'`;
    case 'TIME':
      return `TIME '${timeText(BigInt(value))}'`;
    case 'DATETIME':
    case 'TIMESTAMP':
      return `${type.kind} '${datetimeText(BigInt(value)).replace(/\.?0{1,6}$/, '')}'`;
    default:
      return `${typeName(type)} ${quoted(String(value))}`;
  }
}

const UNITS: readonly (readonly [unit: string, size: bigint])[] = [
  ['HOUR', 3_600_000_000n],
  ['MINUTE', 60_000_000n],
  ['SECOND', 1_000_000n],
  ['MICROSECOND', 1n],
];

/** Prints an interval in the largest units of which it is a whole number. */
function intervalText({ months, days, micros }: IntervalValue): string {
  const [unit, size] = UNITS.find(([, each]) => micros % each === 0n) ?? ['MICROSECOND', 1n];
  const parts = [
    [months, 'MONTH'],
    [days, 'DAY'],
    [micros / size, unit],
  ] as const;
  const used = parts.filter(([count]) => count !== 0n).map(([count, name]) => `INTERVAL ${count} ${name}`);
  return used.length === 0 ? 'INTERVAL 0 SECOND' : used.join(' + ');
}
