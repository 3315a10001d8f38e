// What ClickHouse sends to the shards of a cluster along with a SELECT.
import type { From, Lit, SqlExpression, Statement } from './ast.ts';
import { call } from './build.ts';
import { isConstant } from './constant.ts';
import { eachNode, helperOf } from './helpers.ts';
import { rebuilt } from './rewrite.ts';

type Node = SqlExpression | From;

/** True if ClickHouse sends a SELECT from these tables to shards. */
export function comesFromShards(from: From): boolean {
  if (from.kind === 'join') return comesFromShards(from.left);
  if (from.kind === 'array_join') return comesFromShards(from.input);
  return from.kind === 'table' && from.sharded === true;
}

/**
 * Returns the statement, which reads tables of several servers, in the form that their shards understand. Joins and IN of subqueries get GLOBAL: by
 * itself ClickHouse lets each shard read a subquery again, of tables that the shard may not have.
 */
export function sendToShards(statement: Statement): Statement {
  let joins = false;
  eachNode(statement, (node) => {
    joins ||= 'kind' in node && node.kind === 'join';
  });
  return rebuilt(statement, (node) => {
    const part = node as Node; // one of another kind has none of these
    switch (part.kind) {
      case 'in':
        return 'kind' in part.items ? { ...part, global: true } : part;
      case 'table':
        // ClickHouse does not find the columns of the key of cluster(…) where tables are joined.
        return joins && part.shardingKey !== undefined ? { ...part, shardingKey: undefined } : part;
      case 'join':
        if (part.colocated === true) return { ...part, right: ofOneShard(part.right) };
        return part.type === 'INNER' || part.type === 'LEFT' || part.type === 'LEFT SEMI' ? { ...part, global: true } : part;
      case 'lit':
        return isUInt64(part) ? call('toInt64', part) : part;
      default:
        return node;
    }
  });
}

/** Returns what each shard joins with its rows: ClickHouse puts the shard's own table for a Distributed one, but not for that of `cluster(…)`. */
const ofOneShard = (from: From): From =>
  rebuilt(from, (node) => {
    const part = node as Node; // one of another kind is no table
    return part.kind === 'table' && part.cluster !== undefined ? { ...part, cluster: undefined } : node;
  });

/** True of a number that ClickHouse takes for an UInt64. Only of one in the text it finds that it is an Int64 too, and shards are sent the value and its type. */
const isUInt64 = ({ value }: Lit): boolean =>
  (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) && value >= 2 ** 32 && value < 2 ** 63;

const MAKES_DECIMAL = /Decimal/;
const MAKES_TIME = /^(?:to|parse|make|from)\w*(?:Date|Time)|^toStartOf/i;
const FRAGILE_TYPE = /Date|Time|Decimal/;
/** A text that begins with a day after 1970. */
const LATE = /^(?:197[1-9]|19[89]\d|[2-9]\d{3})-/;
const STEP = /^(add|subtract|toInterval)(Year|Quarter|Month|Week|Day|Hour|Minute|Second|Millisecond|Microsecond)s?$/;
/** The longest steps from the current time that stay behind 1970, and from which the others are far. */
const LONGEST: Readonly<Record<string, number>> = { Year: 50, Quarter: 200, Month: 600, Week: 2600, Day: 18_000, Hour: 400_000 };
const LONGEST_OF_OTHERS = 1e7;

/**
 * True if the statement has a constant that may be lost on the way to shards where ClickHouse sends it as text: a decimal, a TIME, or a time that may be
 * before 1970-01-01 02:46:40. The current time, which the parameter `now` may hold, short steps from it, and literals of later days are none.
 */
export function hasFragileConstant(statement: Statement, now: string): boolean {
  let found = false;
  eachNode(statement, (node) => {
    found ||= isFragile(node as SqlExpression, now); // nodes of other kinds are none of the cases
  });
  return found;
}

function isFragile(node: SqlExpression, now: string): boolean {
  switch (node.kind) {
    case 'param':
      return FRAGILE_TYPE.test(node.type) && node.name !== now;
    case 'cast':
      return FRAGILE_TYPE.test(node.type) && isConstant(node.operand) && !isNull(node.operand) && !isLate(node, now);
    case 'func':
      if (MAKES_DECIMAL.test(node.name) || helperOf(node.name) !== undefined) return isConstant(node);
      if (node.name.startsWith('toInterval')) return isConstant(node) && !isShortStep(node);
      return (MAKES_TIME.test(node.name) || STEP.test(node.name)) && isConstant(node) && !isLate(node, now);
    default:
      return false;
  }
}

/** True of a constant time that is after 1970 for certain. */
function isLate(node: SqlExpression, now: string): boolean {
  switch (node.kind) {
    case 'lit':
      return typeof node.value === 'string' && LATE.test(node.value);
    case 'param':
      return node.name === now;
    case 'cast':
      return /^(?:Nullable\()?Date/.test(node.type) && isLate(node.operand, now);
    case 'func': {
      const [first] = node.args;
      if (/^now(?:64)?$/.test(node.name)) return true;
      if (first === undefined || !isLate(first, now)) return false;
      return STEP.test(node.name) ? isShortStep(node) : MAKES_TIME.test(node.name) && !/^to(?:Time|Time64)$/.test(node.name);
    }
    default:
      return false;
  }
}

function isShortStep({ name, args }: Extract<SqlExpression, { readonly kind: 'func' }>): boolean {
  const amount = args.at(-1);
  const value = amount?.kind === 'lit' && typeof amount.value !== 'string' ? Number(amount.value) : Number.NaN;
  return Math.abs(value) <= (LONGEST[STEP.exec(name)?.[2] ?? ''] ?? LONGEST_OF_OTHERS);
}

const isNull = (node: SqlExpression): boolean => node.kind === 'lit' && node.value === null;
