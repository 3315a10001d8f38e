// Prints the logical plan: an operator a line, and its inputs below it, further in. It is for people who write queries, and for tests of rules.
import { recordLayoutOf } from '../layouts/index.ts';
import { splitConjunction } from './build.ts';
import { AND, aggregateText, caseParts, expressionText, type Naming, operandText, orderText, windowText } from './explain-expression.ts';
import { neededColumns } from './needed-columns.ts';
import type { Aggregate, Column, Expr, LogicalPlan, Rel, ScanColumn } from './nodes.ts';
import { columnsMade } from './properties/made.ts';
import { rewriteRel } from './walk.ts';

/** Longer lines are split into one for each of their parts. */
const WIDTH = 110;

/** Names columns and WITH tables: those of the same name get numbers, the same ones in every plan that is printed with these names. */
type PlanNames = (kind: 'column' | 'with', id: number, name: string) => string;

export function planNames(): PlanNames {
  const given = new Map<string, string>();
  const taken = new Map<string, number>();
  return (kind, id, name) => {
    const key = `${kind} ${id}`;
    const known = given.get(key);
    if (known !== undefined) return known;
    const same = `${kind} ${name.toLowerCase()}`;
    const number = (taken.get(same) ?? 0) + 1;
    taken.set(same, number);
    const text = `${/^\w+$/.test(name) ? name : `\`${name}\``}${number === 1 ? '' : `#${number}`}`;
    given.set(key, text);
    return text;
  };
}

/** The parts of an operator's line. */
interface Line {
  readonly head: string;
  /** The items, each in one piece, or in several where that is too long. */
  readonly items?: readonly (string | readonly string[])[];
  /** True if a colon stands between the head and the items in one line. */
  readonly colon?: true;
  readonly between?: ', ' | ' AND ';
  readonly inputs: readonly Rel[];
}

interface Printer extends Naming {
  readonly needed: ReadonlySet<number>;
  /** The names of WITH tables by id. */
  readonly tables: ReadonlyMap<number, string>;
}

/** Prints the plan without the columns that nothing reads, a line for each operator. */
export function explainPlan(plan: LogicalPlan, names: PlanNames = planNames()): string {
  const column = ({ id, name }: Column): string => names('column', id, name === '' ? 'column' : name);
  const tables = new Map(plan.ctes.map(({ id, name }) => [id, names('with', id, name)]));
  const needed = neededColumns(plan);
  // Innermost first: the columns of tables have their own names.
  for (const { rel } of [...plan.ctes, plan])
    rewriteRel(rel, (r) => {
      for (const made of columnsMade(r)) if (needed.has(made.id)) column(made);
      return r;
    });

  const lines: string[] = [];
  let subqueries = 0;
  let waiting: { readonly head: string; readonly rel: Rel }[] = [];
  const printer: Printer = {
    needed,
    tables,
    column,
    subquery(rel, wanted) {
      const name = `subquery ${++subqueries}`;
      waiting.push({ head: `Subquery ${subqueries}${wanted === null ? '' : `: ${column(wanted)}`}`, rel });
      return name;
    },
  };
  const write = (whole: Rel, indent: string): void => {
    const rel = withoutIdle(whole, needed);
    const line = (OPERATORS[rel.kind] as (rel: Rel, printer: Printer) => Line)(rel, printer); // the kind picks the printer of that kind
    lines.push(...written(line, indent));
    const inside = waiting;
    waiting = [];
    for (const { head, rel: subquery } of inside) {
      lines.push(`${indent}  ${head}`);
      write(subquery, `${indent}    `);
    }
    for (const input of line.inputs) write(input, `${indent}  `);
  };
  for (const { id, rel, columns, recursive } of plan.ctes) {
    const shown = columns.filter((c) => needed.has(c.id)).map(column);
    lines.push(...written({ head: `With ${recursive ? 'recursive ' : ''}${tables.get(id)}`, colon: true, items: shown, inputs: [] }, ''));
    write(rel, '  ');
  }
  const outputs = plan.outputs.map((o) => named(o.name, column(o.column)));
  lines.push(...written({ head: 'Output', items: outputs, inputs: [] }, ''));
  write(plan.rel, '  ');
  return `${lines.join('\n')}\n`;
}

/** Returns the relation below operators that make no column which is read. */
function withoutIdle(rel: Rel, needed: ReadonlySet<number>): Rel {
  const isIdle = (rel.kind === 'project' || rel.kind === 'window') && !rel.items.some(({ column }) => needed.has(column.id));
  return isIdle ? withoutIdle(rel.input, needed) : rel;
}

const named = (name: string, value: string): string => (name.toLowerCase() === value.toLowerCase() ? name : `${name || 'f_'} := ${value}`);

function written({ head, colon, items = [], between = ', ' }: Line, indent: string): readonly string[] {
  const inOne = items.map((item) => (typeof item === 'string' ? item : item.join(' ')));
  const whole = `${indent}${head}${items.length === 0 ? '' : `${colon === true ? ':' : ''} ${inOne.join(between)}`}`;
  if (whole.length <= WIDTH || (items.length < 2 && inOne[0] === items[0])) return [whole];
  const lines = items.flatMap((item, i) => {
    const fits = typeof item === 'string' || inOne[i] === undefined || indent.length + 4 + inOne[i].length <= WIDTH;
    const [first = '', ...more] = fits ? [inOne[i]] : item;
    return [
      `${between === ', ' || i === 0 ? '' : 'AND '}${first}`,
      ...more.map((part, at) => (at === more.length - 1 ? part : `  ${part}`)),
    ];
  });
  return [`${indent}${head}`, ...lines.map((line) => `${indent}    ${line}`)];
}

/** Prints `column := value`; a CASE comes in pieces. */
function assigned(column: Column, value: Expr, p: Printer): string | readonly string[] {
  if (value.kind !== 'case' || value.whens.length < 2) return `${p.column(column)} := ${expressionText(value, p)}`;
  const [first, ...branches] = caseParts(value, p);
  return [`${p.column(column)} := ${first}`, ...branches];
}

type Operators = { readonly [K in Rel['kind']]: (rel: Extract<Rel, { readonly kind: K }>, printer: Printer) => Line };

const OPERATORS: Operators = {
  one_row: () => ({ head: 'One row', inputs: [] }),
  source_scan: ({ source, alias, columns }, p) => ({
    head: `Scan ${source.name}${alias.toLowerCase() === source.name.toLowerCase() ? '' : ` as ${alias}`}`,
    colon: true,
    items: columns.filter(({ column }) => p.needed.has(column.id)).map((c) => named(p.column(c.column), partText(c))),
    inputs: [],
  }),
  cte_scan: ({ cte, alias, columns }, p) => {
    const table = p.tables.get(cte) ?? alias;
    return {
      head: `Read ${table}${alias.toLowerCase() === table.toLowerCase() ? '' : ` as ${alias}`}`,
      colon: true,
      items: columns.filter(({ id }) => p.needed.has(id)).map((c) => p.column(c)),
      inputs: [],
    };
  },
  join: ({ type, left, right, on, colocated }, p) => ({
    head: `${type.charAt(0)}${type.slice(1).toLowerCase()} join${colocated === true ? ' on each shard' : ''}${on === null ? '' : ' on'}`,
    items: on === null ? [] : conditions(on, p),
    between: ' AND ',
    inputs: [left, right],
  }),
  unnest: ({ input, array, element, zipped = [], offset, outer }, p) => ({
    head: outer ? 'Unnest outer' : 'Unnest',
    items: [
      ...[{ array, element }, ...zipped].map((w) => `${p.column(w.element)} := ${expressionText(w.array, p)}`),
      ...(offset === null ? [] : [`${p.column(offset)} := OFFSET`]),
    ],
    inputs: input === null ? [] : [input],
  }),
  filter: ({ input, condition }, p) => ({ head: 'Filter', items: conditions(condition, p), between: ' AND ', inputs: [input] }),
  project: ({ input, items }, p) => ({
    head: 'Project',
    items: items.filter(({ column }) => p.needed.has(column.id)).map(({ column, value }) => assigned(column, value, p)),
    inputs: [input],
  }),
  aggregate: (rel, p) => ({
    head: `Aggregate${groupText(rel, p)}`,
    colon: rel.keys.length > 0 || undefined,
    items: [
      ...rel.aggregates
        .filter(({ column }) => p.needed.has(column.id))
        .map(({ column, call }) => `${p.column(column)} := ${aggregateText(call, p)}`),
      ...rel.groupings.map(({ column, key }) => `${p.column(column)} := GROUPING(${keyName(rel, key, p)})`),
    ],
    inputs: [rel.input],
  }),
  window: ({ input, items }, p) => ({
    head: 'Window',
    items: items.filter(({ column }) => p.needed.has(column.id)).map(({ column, call }) => `${p.column(column)} := ${windowText(call, p)}`),
    inputs: [input],
  }),
  distinct: ({ input, columns }, p) => ({ head: 'Distinct', items: columns.map((c) => p.column(c)), inputs: [input] }),
  order_limit: ({ input, orderBy, limit, offset }, p) => {
    const rows = [
      ...(limit === null ? [] : [`limit ${expressionText(limit, p)}`]),
      ...(offset === null ? [] : [`offset ${expressionText(offset, p)}`]),
    ].join(' ');
    if (orderBy.length === 0) return { head: `${rows.charAt(0).toUpperCase()}${rows.slice(1)}`, inputs: [input] };
    const order = orderBy.map((item) => orderText(item, p)).join(', ');
    return { head: 'Order by', items: [rows === '' ? order : `${order} ${rows}`], inputs: [input] };
  },
  gather: ({ input }) => ({ head: 'Gather', inputs: [input] }),
  set_operation: ({ operator, all, inputs, columns }, p) => ({
    head: `${operator.charAt(0)}${operator.slice(1).toLowerCase()} ${all ? 'all' : 'distinct'}`,
    items: columns.map(
      (c, i) => `${p.column(c)} := ${inputs.map(({ columns: of }) => (of[i] === undefined ? '?' : p.column(of[i]))).join(' | ')}`,
    ),
    inputs: inputs.map(({ rel }) => rel),
  }),
};

const conditions = (condition: Expr, p: Printer): readonly string[] => splitConjunction(condition).map((c) => operandText(c, AND, p));

function groupText(rel: Aggregate, p: Printer): string {
  if (rel.keys.length === 0) return '';
  const keys = rel.keys.map(({ column, value }) => `${p.column(column)} := ${expressionText(value, p)}`).join(', ');
  const sets = rel.groupingSets?.map((set) => `(${set.map((key) => keyName(rel, key, p)).join(', ')})`).join(', ');
  return ` by ${keys}${sets === undefined ? '' : ` in sets ${sets}`}`;
}

const keyName = ({ keys }: Aggregate, at: number, p: Printer): string => (keys[at] === undefined ? '?' : p.column(keys[at].column));

function partText({ from, part }: ScanColumn): string {
  switch (part.kind) {
    case 'whole':
      return from.name;
    case 'stored':
      return `${from.name} as stored`;
    case 'path':
      return [from.name, ...part.path].join('.');
    case 'text':
      return `${[from.name, ...part.path].join('.')} where it is text`;
    case 'present':
      return `${[from.name, ...part.path].join('.')} exists`;
    case 'fields':
      return `${from.name}[].{${part.path.join(', ')}}`;
    case 'entry':
      return `${from.name}['${part.path.join('')}']`;
    case 'elements':
      return [from.name, ...part.path].map((name, i) => `${name}${isRepeated(from.read, part.path.slice(0, i)) ? '[]' : ''}`).join('.');
  }
}

const isRepeated = (read: ScanColumn['from']['read'], path: readonly string[]): boolean =>
  recordLayoutOf(read)?.isRepeated?.(read, path) === true;
