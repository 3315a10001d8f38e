// Reads pipe operators. https://cloud.google.com/bigquery/docs/reference/standard-sql/pipe-syntax
import type { ExprItem, GroupBy, PipeOperator, Query } from '../ast.ts';
import { seesSetOperator, startsTableOperator } from './lookahead.ts';
import { parseCte, parseQueryInParentheses } from './parse-cte.ts';
import { parsePipeGroupBy } from './parse-group-by.ts';
import { parseOneJoin, takeJoinWords } from './parse-join.ts';
import { parseAlias, parseList, parseName } from './parse-name.ts';
import { parseDirection, parseOrderItem, startsDirection } from './parse-order.ts';
import { parseSelectHead, parseSelectItems } from './parse-select.ts';
import { parseSetOperator } from './parse-set-operation.ts';
import { parseTableOperator } from './parse-table-operator.ts';
import { parseWindowClause } from './parse-window.ts';
import { type Parser, parseExpression } from './parser.ts';

/** Reads every `|> …` that follows. */
export function parsePipes(s: Parser): PipeOperator[] {
  const pipes: PipeOperator[] = [];
  while (s.take('|>')) pipes.push(parsePipe(s));
  return pipes;
}

function parsePipe(s: Parser): PipeOperator {
  const { start } = s.token;
  if (startsTableOperator(s)) return parseTableOperator(s);
  if (seesSetOperator(s)) return parsePipeSetOperation(s);
  const type = takeJoinWords(s);
  if (type !== null) {
    const join = parseOneJoin(s, type);
    return { kind: 'pipe_join', type, ...join, span: s.span(start) };
  }
  const parse = Object.hasOwn(OPERATORS, s.token.text) ? OPERATORS[s.token.text] : undefined;
  if (parse === undefined) {
    if (NOT_TRANSLATED.has(s.token.text)) throw s.unsupported(`|> ${s.token.text} is not translated`, 'rewrite the query without it');
    return s.fail('a pipe operator such as WHERE or AGGREGATE');
  }
  s.advance();
  return parse(s, start);
}

const NOT_TRANSLATED: ReadonlySet<string> = new Set(
  'CALL CREATE DESCRIBE EXPORT FORK IF INSERT LOG MATCH_RECOGNIZE RECURSIVE STATIC_DESCRIBE TEE'.split(' '),
);

/** The readers of operators by their first word, which is read; the operator began at `start`. */
const OPERATORS: Readonly<Record<string, (s: Parser, start: number) => PipeOperator>> = {
  SELECT(s, start) {
    const head = parseSelectHead(s);
    const items = parseSelectItems(s);
    const windows = parseWindowClause(s);
    return { kind: 'pipe_select', ...head, items, windows, span: s.span(start) };
  },
  EXTEND(s, start) {
    const items = parseSelectItems(s);
    const windows = parseWindowClause(s);
    return { kind: 'pipe_extend', items, windows, span: s.span(start) };
  },
  SET(s, start) {
    const items = parsePipeList(s, (stream) => {
      const column = parseName(stream, 'a column name');
      stream.expect('=');
      return { column, value: parseExpression(stream) };
    });
    return { kind: 'pipe_set', items, span: s.span(start) };
  },
  DROP(s, start) {
    const columns = parsePipeList(s, (stream) => parseName(stream, 'a column name'));
    return { kind: 'pipe_drop', columns, span: s.span(start) };
  },
  RENAME(s, start) {
    const columns = parsePipeList(s, (stream) => {
      const from = parseName(stream, 'a column name');
      stream.take('AS');
      return { from, to: parseName(stream, 'the new name') };
    });
    return { kind: 'pipe_rename', columns, span: s.span(start) };
  },
  AS(s, start) {
    const alias = parseName(s, 'the name of the table');
    return { kind: 'pipe_as', alias, span: s.span(start) };
  },
  WHERE(s, start) {
    const condition = parseExpression(s);
    return { kind: 'pipe_where', condition, span: s.span(start) };
  },
  LIMIT(s, start) {
    const limit = parseExpression(s);
    if (s.is(',')) s.fail('OFFSET or "|>"', 'BigQuery writes LIMIT count OFFSET skipped');
    const offset = s.take('OFFSET') ? parseExpression(s) : null;
    return { kind: 'pipe_limit', limit, offset, span: s.span(start) };
  },
  AGGREGATE: parseAggregate,
  DISTINCT(s, start) {
    return { kind: 'pipe_distinct', span: s.span(start) };
  },
  ORDER(s, start) {
    s.expect('BY');
    const items = parsePipeList(s, parseOrderItem);
    return { kind: 'pipe_order_by', items, span: s.span(start) };
  },
  ASSERT(s, start) {
    const [condition, ...payload] = parseList(s, parseExpression);
    if (condition === undefined) return s.fail('a condition');
    return { kind: 'pipe_assert', condition, payload, span: s.span(start) };
  },
  WITH(s, start) {
    const ctes = parsePipeList(s, parseCte);
    return { kind: 'pipe_with', ctes, span: s.span(start) };
  },
  WINDOW(s, start) {
    const items = parsePipeList(s, parseItem);
    const windows = parseWindowClause(s);
    return { kind: 'pipe_window', items, windows, span: s.span(start) };
  },
};

function endsPipe(s: Parser): boolean {
  return s.token.kind === 'end' || s.is('|>') || s.is(')') || s.is(';');
}

/** Reads items separated by commas; a comma may follow the last. */
function parsePipeList<T>(s: Parser, parseOne: (s: Parser) => T): T[] {
  const items = [parseOne(s)];
  while (s.take(',') && !endsPipe(s)) items.push(parseOne(s));
  return items;
}

function parseItem(s: Parser): ExprItem {
  const { start } = s.token;
  const value = parseExpression(s);
  const alias = parseAlias(s);
  return { kind: 'expr_item', value, alias, span: s.span(start) };
}

type AggregateItem = Extract<PipeOperator, { kind: 'pipe_aggregate' }>['items'][number];

function parseAggregate(s: Parser, start: number): PipeOperator {
  const items: AggregateItem[] = [];
  while (!s.is('GROUP') && !endsPipe(s)) {
    items.push(parseAggregateItem(s));
    if (!s.take(',')) break;
  }
  const grouping: { groupBy: GroupBy | null; orderGroups: boolean } = s.is('GROUP')
    ? parsePipeGroupBy(s)
    : { groupBy: null, orderGroups: false };
  if (items.length === 0 && grouping.groupBy === null) s.fail('an aggregate expression or GROUP BY');
  return { kind: 'pipe_aggregate', items, ...grouping, span: s.span(start) };
}

function parseAggregateItem(s: Parser): AggregateItem {
  const item = parseItem(s);
  if (!startsDirection(s)) return { ...item, order: null };
  const direction = parseDirection(s);
  const span = s.span(item.span.start);
  return { ...item, order: { kind: 'order_item', value: item.value, ...direction, collate: null, span }, span };
}

function parsePipeSetOperation(s: Parser): PipeOperator {
  const { start } = s.token;
  const operator = parseSetOperator(s);
  if (!s.is('(')) s.fail('"("', 'the queries of a pipe set operation go in parentheses');
  const queries = parsePipeList<Query>(s, parseQueryInParentheses);
  return { kind: 'pipe_set_operation', ...operator, queries, span: s.span(start) };
}
