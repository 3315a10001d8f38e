// Reads joins. https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#join_types
import type { QuernError } from '../../../base/errors.ts';
import type { Span } from '../../../base/source-text.ts';
import type { Expr, Identifier, Join, TableExpr } from '../ast.ts';
import { seesSetOperator } from './lookahead.ts';
import { parseNameList } from './parse-name.ts';
import { type Parser, parseExpression, parseTable } from './parser.ts';

interface JoinCondition {
  readonly on: Expr | null;
  readonly using: readonly Identifier[];
}

const NO_CONDITION: JoinCondition = { on: null, using: [] };

/** One join of a chain as written, with every ON or USING that follows its right side. */
interface Step {
  readonly type: Join['type'];
  readonly right: TableExpr;
  readonly conditions: readonly (JoinCondition & { readonly span: Span })[];
  /** The end of the right side. */
  readonly end: number;
}

/** Reads a table and the joins behind it, commas included. */
export function parseJoins(s: Parser): TableExpr {
  const { start } = s.token;
  return continueJoins(s, start, parseTable(s));
}

/** Reads the joins behind `first`, begun at `start`. */
export function continueJoins(s: Parser, start: number, first: TableExpr): TableExpr {
  const steps: Step[] = [];
  for (let type = takeJoinType(s); type !== null; type = takeJoinType(s)) {
    const previous = steps.at(-1);
    if (previous?.type === 'COMMA' && (type === 'RIGHT' || type === 'FULL')) {
      throw s.error(`${type} JOIN cannot follow a comma`, 'put the tables after the comma in parentheses, or write CROSS JOIN');
    }
    steps.push(parseStep(s, type));
  }
  return steps.some((step) => step.conditions.length > 1) ? joinNested(s, start, first, steps) : joinLeftToRight(s, start, first, steps);
}

function takeJoinType(s: Parser): Join['type'] | null {
  return s.take(',') ? 'COMMA' : takeJoinWords(s);
}

/** Takes `[LEFT | … ] JOIN`; null when no join follows. */
export function takeJoinWords(s: Parser): Exclude<Join['type'], 'COMMA'> | null {
  const type = s.token.text;
  switch (type) {
    case 'NATURAL':
      throw s.unsupported('NATURAL JOIN is not in BigQuery', 'name the columns: JOIN … USING (a, b)');
    case 'JOIN':
      s.advance();
      return 'INNER';
    case 'INNER':
    case 'CROSS':
    case 'LEFT':
    case 'RIGHT':
    case 'FULL':
      if (seesSetOperator(s)) return null;
      s.advance();
      if (type !== 'INNER' && type !== 'CROSS') s.take('OUTER');
      s.expect('JOIN');
      return type;
    default:
      return null;
  }
}

/** Reads the right side of a pipe's join with its condition. */
export function parseOneJoin(s: Parser, type: Join['type']): JoinCondition & { readonly right: TableExpr } {
  const step = parseStep(s, type);
  const [{ on, using } = NO_CONDITION, extra] = step.conditions;
  if (extra !== undefined) throw surplusCondition(s, extra.span);
  if (step.conditions.length === 0) refuseMissingCondition(s, step);
  return { right: step.right, on, using };
}

function parseStep(s: Parser, type: Join['type']): Step {
  const right = parseTable(s);
  const { end } = s;
  const conditions: Step['conditions'][number][] = [];
  while (s.is('ON') || s.is('USING')) {
    if (type === 'COMMA' || type === 'CROSS') {
      s.fail('a join or the end of FROM', 'a cross join has no condition: use JOIN … ON, or move the condition to WHERE');
    }
    const { start } = s.token;
    const condition = s.take('ON') ? { on: parseExpression(s), using: [] } : { on: null, using: parseUsing(s) };
    conditions.push({ ...condition, span: s.span(start) });
  }
  return { type, right, conditions, end };
}

function parseUsing(s: Parser): Identifier[] {
  s.expect('USING');
  return parseNameList(s);
}

function joinLeftToRight(s: Parser, start: number, first: TableExpr, steps: readonly Step[]): TableExpr {
  return steps.reduce<TableExpr>((left, step) => {
    const { type, right } = step;
    const [condition] = step.conditions;
    if (condition === undefined) {
      refuseMissingCondition(s, step);
      return { kind: 'join', type, left, right, ...NO_CONDITION, span: { start, end: step.end } };
    }
    return { kind: 'join', type, left, right, on: condition.on, using: condition.using, span: { start, end: condition.span.end } };
  }, first);
}

/** True of tables that may be arrays, which alone are joined without a condition; the analysis knows whether `a.b` is one. */
function refuseMissingCondition(s: Parser, { type, right }: Step): void {
  if (type === 'CROSS' || type === 'COMMA') return;
  const array = right.kind === 'unnest' || (right.kind === 'table_name' && right.parts.length > 1);
  if (array && (type === 'INNER' || type === 'LEFT')) return;
  throw missingCondition(s, type, right.span);
}

function missingCondition(s: Parser, type: Join['type'], span: Span): QuernError {
  const hint = 'say which rows belong together with ON or USING; for all pairs, write CROSS JOIN';
  return s.error(`this ${type === 'INNER' ? '' : `${type} `}JOIN has no ON or USING`, hint, span);
}

function surplusCondition(s: Parser, span: Span): QuernError {
  return s.error('this condition does not belong to any JOIN', 'each JOIN has one ON or USING; join several conditions with AND', span);
}

/** Builds `a JOIN (b JOIN c ON x) ON y` of `a JOIN b JOIN c ON x ON y`: each condition closes the nearest open join. */
function joinNested(s: Parser, start: number, first: TableExpr, steps: readonly Step[]): TableExpr {
  const open: { type: Join['type']; left: TableExpr; right: TableExpr; start: number }[] = [];
  let table = first;
  let from = start;
  for (const { type, right, conditions, end } of steps) {
    const waiting = open.at(-1);
    if (type === 'COMMA' && waiting !== undefined) throw missingCondition(s, waiting.type, waiting.right.span);
    if (type === 'CROSS' || type === 'COMMA') {
      table = { kind: 'join', type, left: table, right, ...NO_CONDITION, span: { start: from, end } };
    } else {
      open.push({ type, left: table, right, start: from });
      table = right;
      from = right.span.start;
    }
    for (const { on, using, span } of conditions) {
      const join = open.pop();
      if (join === undefined) throw surplusCondition(s, span);
      table = { kind: 'join', type: join.type, left: join.left, right: table, on, using, span: { start: join.start, end: span.end } };
      from = join.start;
    }
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw missingCondition(s, unclosed.type, unclosed.right.span);
  return table;
}
