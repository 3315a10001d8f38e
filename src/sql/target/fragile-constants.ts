// Constants that may be lost on the way to the shards of a cluster where ClickHouse sends them as text.
import type { NamedConstant, SqlExpression, Statement } from './ast.ts';
import { isConstant } from './constant.ts';
import { eachNode } from './helpers.ts';
import { rewrite } from './rewrite.ts';

type Func = Extract<SqlExpression, { readonly kind: 'func' }>;

const MAKES_DECIMAL = /Decimal/;
const MAKES_TIME = /^(?:to|parse|make|from)\w*(?:Date|Time)|^toStartOf/i;
const FRAGILE_TYPE = /Date|Time|Decimal/;
/** A text that begins with a day after 1970. */
const LATE = /^(?:197[1-9]|19[89]\d|[2-9]\d{3})-/;
const STEP = /^(add|subtract|toInterval)(Year|Quarter|Month|Week|Day|Hour|Minute|Second|Millisecond|Microsecond|Nanosecond)s?$/;
/** The longest steps from the current time that stay behind 1970, and from which the others are far. */
const LONGEST: Readonly<Record<string, number>> = { Year: 50, Quarter: 200, Month: 600, Week: 2600, Day: 18_000, Hour: 400_000 };
const LONGEST_OF_OTHERS = 1e7;

/**
 * True if the statement has a constant that may be lost: a decimal, a TIME, or a time that may be before 1970-01-01 02:46:40. The current time, which the
 * parameter `now` may hold, short steps from it, and literals of later days are none. Shards are sent the value of a whole constant, not its parts.
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
      if (this.isLate(part)) return node;
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
        if (node.name.startsWith('toInterval') && isShortStep(node)) return false;
        return (
          (this.named.has(node.name) || [MAKES_DECIMAL, MAKES_TIME, STEP].some((made) => made.test(node.name))) && this.isConstant(node)
        );
      default:
        return false;
    }
  }

  /** True of a constant time that is after 1970 for certain. */
  private isLate(node: SqlExpression): boolean {
    switch (node.kind) {
      case 'lit':
        return typeof node.value === 'string' && LATE.test(node.value);
      case 'param':
        return node.name === this.now;
      case 'ident':
        return this.valueOf(node) !== node && this.isLate(this.valueOf(node));
      case 'cast':
        return /^(?:Nullable\()?Date/.test(node.type) && this.isLate(node.operand);
      case 'func': {
        const { name, args } = node;
        const [first] = args;
        if (/^now(?:64)?$/.test(name)) return true;
        if (name === 'if' || name === 'multiIf')
          return this.isConstant(node) && valuesOf(node).every((value) => isNull(value) || this.isLate(value));
        if (name === 'least') return args.every((arg) => this.isLate(arg));
        if (first === undefined || !this.isLate(first)) return false;
        return STEP.test(name) ? this.isNow(first) && this.isConstant(node) && isShortStep(node) : makesTime(name);
      }
      default:
        return false;
    }
  }

  /** True of the current time, or the start of its day or the like: from an earlier time, or after another step, a step may lead before 1970. */
  private isNow(node: SqlExpression): boolean {
    const value = this.valueOf(node);
    if (value !== node) return this.isNow(value);
    if (node.kind === 'param') return node.name === this.now;
    if (node.kind === 'cast') return this.isNow(node.operand);
    const [first] = node.kind === 'func' ? node.args : [];
    return node.kind === 'func' && (/^now(?:64)?$/.test(node.name) || (first !== undefined && makesTime(node.name) && this.isNow(first)));
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

const makesTime = (name: string): boolean => MAKES_TIME.test(name) && !/^to(?:Time|Time64)$/.test(name);

/** The values of a choice, without its conditions. */
const valuesOf = ({ args }: Func): readonly SqlExpression[] => args.filter((_, i) => i % 2 === 1 || i === args.length - 1);

function isShortStep({ name, args }: Func): boolean {
  const longest = LONGEST[STEP.exec(name)?.[2] ?? ''] ?? LONGEST_OF_OTHERS;
  const isShort = (amount: SqlExpression | undefined): boolean => {
    if (amount?.kind === 'func' && (amount.name === 'if' || amount.name === 'multiIf')) return valuesOf(amount).every(isShort);
    return amount?.kind === 'lit' && typeof amount.value !== 'string' && Math.abs(Number(amount.value)) <= longest;
  };
  return isShort(args.at(-1));
}

const isNull = (node: SqlExpression): boolean => node.kind === 'lit' && node.value === null;
