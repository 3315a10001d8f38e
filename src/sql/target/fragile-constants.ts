// Constants that may be lost on the way to the shards of a cluster where ClickHouse sends them as text.
import type { NamedConstant, SqlExpression, Statement } from './ast.ts';
import { isConstant } from './constant.ts';
import { eachNode } from './helpers.ts';
import { rewrite } from './rewrite.ts';

type Func = Extract<SqlExpression, { readonly kind: 'func' }>;

const FRAGILE_TYPE = /Date|Time|Decimal/;
const MAKES_TIME = /^(?:to|parse|make|from)\w*(?:Date|Time)|^toStartOf/i;
const STEP = /^(?:add|subtract)([A-Z][a-z]+)s$/;
const MAKES_FRAGILE = new RegExp(`Decimal|${MAKES_TIME.source}|${STEP.source}`, 'i');
/** The most days of a step; one of a smaller unit has next to none. */
const DAYS: Readonly<Record<string, number>> = { Year: 366, Quarter: 92, Month: 31, Week: 7, Day: 1, Hour: 1 / 24, Minute: 1 / 1440 };
const DAYS_OF_OTHERS = 1 / 86_400;
/** Days after 1970-01-01: times from the first one on are late, and the current one is later than the second, even where its year or decade begins. */
const LATE = 365;
const NOW = LATE + 18_000;

/**
 * True if the statement has a constant that may be lost: a decimal, a TIME, or a time that may be before 1970-01-01 02:46:40. The current time, which the
 * parameter `now` may hold, literals of later days, and short steps from either are none. Shards are sent the value of a whole constant, not its parts.
 */
export function hasFragileConstant(statement: Statement, now: string): boolean {
  const named = new Map<string, NamedConstant>();
  eachNode(statement, (node) => {
    if (isNamed(node)) named.set(node.name, node);
  });
  return new Constants(now, named).isFragileIn(statement);
}

const isNamed = (node: object): node is NamedConstant =>
  'name' in node && 'value' in node && !('kind' in node) && typeof node.name === 'string';

class Constants {
  private readonly seen = new Set<string>();
  /** The names of constants: WITH also names what depends on rows. */
  private readonly bound = new Set<string>();
  private readonly now: string;
  private readonly named: ReadonlyMap<string, NamedConstant>;

  constructor(now: string, named: ReadonlyMap<string, NamedConstant>) {
    this.now = now;
    this.named = named;
    for (const { name, value } of named.values()) if (isConstant(value, this.bound)) this.bound.add(name);
  }

  isFragileIn(tree: object): boolean {
    let found = false;
    rewrite(tree, (node) => {
      if (found || (isNamed(node) && node.helper === undefined)) return node; // a named constant counts where it is read
      const part = node as SqlExpression; // nodes of other kinds are none of the cases
      if (this.firstDay(part) >= LATE) return node;
      const value = this.valueOf(part);
      if (value !== part && part.kind === 'ident' && !this.seen.has(part.parts[0] ?? '')) {
        this.seen.add(part.parts[0] ?? '');
        found ||= this.isFragileIn([value]);
      }
      found ||= this.isFragile(part);
      return undefined;
    });
    return found;
  }

  private isFragile(node: SqlExpression): boolean {
    switch (node.kind) {
      case 'param':
        return FRAGILE_TYPE.test(node.type);
      case 'cast':
        return FRAGILE_TYPE.test(node.type) && this.isConstant(node.operand) && !isNull(node.operand);
      case 'func':
        return (this.named.has(node.name) || MAKES_FRAGILE.test(node.name) || isOfFragileType(node.args.at(-1))) && this.isConstant(node);
      default:
        return false;
    }
  }

  /** Returns a day that the constant time is not before, in days after 1970-01-01; -Infinity if none is known. */
  private firstDay(node: SqlExpression): number {
    switch (node.kind) {
      case 'lit':
        return isNull(node) ? Infinity : firstDayOfYear(node.value);
      case 'param':
        return node.name === this.now ? NOW : -Infinity;
      case 'ident':
        return this.valueOf(node) === node ? -Infinity : this.firstDay(this.valueOf(node));
      case 'cast':
        return /^(?:Nullable\()?Date/.test(node.type) ? this.firstDay(node.operand) : -Infinity;
      case 'func': {
        const { name, args } = node;
        const [first] = args;
        if (/^now(?:64)?$/.test(name)) return NOW;
        if (first === undefined || !this.isConstant(node)) return -Infinity;
        if (isChoice(node) || name === 'least') return Math.min(...valuesOf(node).map((value) => this.firstDay(value)));
        if (STEP.test(name)) return this.firstDay(first) - mostDays(node);
        return MAKES_TIME.test(name) && !/^toTime(?:64)?$/.test(name) ? this.firstDay(first) : -Infinity;
      }
      default:
        return -Infinity;
    }
  }

  /** Returns what a name in WITH stands for; other expressions as they are. */
  private valueOf(node: SqlExpression): SqlExpression {
    const constant = node.kind === 'ident' && node.parts.length === 1 ? this.named.get(node.parts[0] ?? '') : undefined;
    return constant === undefined || constant.helper !== undefined ? node : constant.value;
  }

  private isConstant(node: SqlExpression): boolean {
    return isConstant(node, this.bound);
  }
}

const firstDayOfYear = (text: unknown): number => 365 * (Number(/^\d{4}(?=-)/.exec(String(text))?.[0] ?? -Infinity) - 1970);

const isChoice = ({ name }: Func): boolean => name === 'if' || name === 'multiIf';

/** The values of a choice, without its conditions; all arguments of another function. */
const valuesOf = (node: Func): readonly SqlExpression[] =>
  isChoice(node) ? node.args.filter((_, i) => i % 2 === 1 || i === node.args.length - 1) : node.args;

/** Returns the most days that a step takes, in either direction. */
function mostDays({ name, args }: Func): number {
  const most = (amount: SqlExpression | undefined): number => {
    if (amount?.kind === 'func' && isChoice(amount)) return Math.max(...valuesOf(amount).map(most));
    return amount?.kind === 'lit' && typeof amount.value !== 'string' ? Math.abs(Number(amount.value)) : Infinity;
  };
  return most(args.at(-1)) * (DAYS[STEP.exec(name)?.[1] ?? ''] ?? DAYS_OF_OTHERS);
}

/** True of the type that a function such as `reinterpret` is given. */
const isOfFragileType = (arg: SqlExpression | undefined): boolean =>
  arg?.kind === 'lit' && /^(?:Date|Time|Decimal)\d*(?:\(|$)/.test(String(arg.value));

const isNull = (node: SqlExpression): boolean => node.kind === 'lit' && node.value === null;
