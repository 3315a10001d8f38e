// Reads joins. https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#join_types
import { QuernError } from '../../errors.ts';
import type { Expr, Identifier, Join, TableExpr } from '../ast.ts';
import { parseExpression } from './parse-expression.ts';
import { parseTable } from './parse-from.ts';
import { parseNameList } from './parse-name.ts';
import { seesSetOperator } from './parse-set-operation.ts';
import type { TokenStream } from './token-stream.ts';

export interface JoinCondition {
  readonly on: Expr | null;
  readonly using: readonly Identifier[];
}

const NO_CONDITION: JoinCondition = { on: null, using: [] };

/** One join of a chain as written, with every ON or USING that follows its right side. */
interface Step {
  readonly type: Join['type'];
  readonly right: TableExpr;
  readonly conditions: readonly (JoinCondition & { readonly end: number })[];
  /** End of the right side. */
  readonly end: number;
}

/** A table and the joins behind it; `commas`: a comma joins too. */
export function parseJoins(s: TokenStream, commas: boolean): TableExpr {
  const { start } = s.token;
  return continueJoins(s, start, parseTable(s), commas);
}

/** The joins behind `first`, begun at `start`. */
export function continueJoins(s: TokenStream, start: number, first: TableExpr, commas: boolean): TableExpr {
  const steps: Step[] = [];
  for (let type = takeJoinType(s, commas); type !== null; type = takeJoinType(s, commas)) {
    const previous = steps.at(-1);
    if (previous?.type === 'COMMA' && (type === 'RIGHT' || type === 'FULL')) {
      throw s.error(`${type} JOIN cannot follow a comma`, 'put the tables after the comma in parentheses, or write CROSS JOIN');
    }
    steps.push(parseStep(s, type));
  }
  return steps.some((step) => step.conditions.length > 1) ? joinNested(s, start, first, steps) : joinLeftToRight(start, first, steps);
}

/** Takes the words of a join, or the comma; null when no join follows. */
function takeJoinType(s: TokenStream, commas: boolean): Join['type'] | null {
  if (s.is(',')) {
    if (!commas) return null;
    s.advance();
    return 'COMMA';
  }
  return takeJoinWords(s);
}

/** Takes `[LEFT | … ] JOIN`; null when no join follows. */
export function takeJoinWords(s: TokenStream): Exclude<Join['type'], 'COMMA'> | null {
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

function parseStep(s: TokenStream, type: Join['type']): Step {
  const right = parseTable(s);
  const { end } = s;
  const conditions: Step['conditions'][number][] = [];
  while (s.is('ON') || s.is('USING')) {
    if (type === 'COMMA' || type === 'CROSS') s.fail('a join or the end of FROM', CROSS_HINT);
    conditions.push({ ...parseJoinCondition(s), end: s.end });
  }
  return { type, right, conditions, end };
}

const CROSS_HINT = 'a cross join has no condition: use JOIN … ON, or move the condition to WHERE';

/** `ON …`, `USING (…)` or nothing. */
export function parseJoinCondition(s: TokenStream): JoinCondition {
  if (s.take('ON')) return { on: parseExpression(s), using: [] };
  return s.take('USING') ? { on: null, using: parseNameList(s) } : NO_CONDITION;
}

function joinLeftToRight(start: number, first: TableExpr, steps: readonly Step[]): TableExpr {
  return steps.reduce<TableExpr>((left, { type, right, conditions, end }) => {
    if (conditions.length === 0) refuseMissingCondition(type, right);
    const condition = conditions[0] ?? { ...NO_CONDITION, end };
    return { kind: 'join', type, left, right, on: condition.on, using: condition.using, span: { start, end: condition.end } };
  }, first);
}

/** Only arrays are joined without a condition; which names are arrays, the analysis knows. */
function refuseMissingCondition(type: Join['type'], right: TableExpr): void {
  if (type === 'CROSS' || type === 'COMMA' || right.kind === 'table_name' || right.kind === 'unnest') return;
  const hint = 'say which rows belong together: ON or USING; for all pairs write CROSS JOIN';
  throw new QuernError('syntax', `this ${type} JOIN has no ON or USING`, { span: right.span, hint });
}

/** `a JOIN b JOIN c ON x ON y` is `a JOIN (b JOIN c ON x) ON y`: each condition closes the nearest open join. */
function joinNested(s: TokenStream, start: number, first: TableExpr, steps: readonly Step[]): TableExpr {
  const open: { type: Join['type']; left: TableExpr; start: number }[] = [];
  let table = first;
  let from = start;
  for (const { type, right, conditions, end } of steps) {
    if (type === 'CROSS' || type === 'COMMA') {
      if (type === 'COMMA' && open.length > 0)
        throw s.error('a comma stands between a JOIN and its ON', 'write CROSS JOIN, or give the JOIN its ON');
      table = { kind: 'join', type, left: table, right, ...NO_CONDITION, span: { start: from, end } };
    } else {
      open.push({ type, left: table, start: from });
      table = right;
      from = right.span.start;
    }
    for (const { on, using, end: conditionEnd } of conditions) {
      const join = open.pop();
      if (join === undefined) throw s.error('more ON and USING than joins', 'each JOIN has one condition');
      table = { kind: 'join', type: join.type, left: join.left, right: table, on, using, span: { start: join.start, end: conditionEnd } };
      from = join.start;
    }
  }
  if (open.length > 0) throw s.error('a JOIN has no ON or USING', 'give each JOIN its condition');
  return table;
}
