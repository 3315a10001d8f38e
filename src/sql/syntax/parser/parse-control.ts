// Reads the statements of a text as they are written, those that decide which others run among them.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/procedural-language
import type { Span } from '../../../base/source-text.ts';
import type { Expr, Identifier, OwnFunction, Query, Statement } from '../ast.ts';
import { startsQuery } from './lookahead.ts';
import { parseFunction, parseTableFunction } from './parse-function.ts';
import { parseList, parseName } from './parse-name.ts';
import { parseDrop, parseInsert, parseTableDefinition, skipSchema } from './parse-table-definition.ts';
import { parseAssignment, parseDeclaration } from './parse-variable.ts';
import { type Parser, parseExpression, parseQuery } from './parser.ts';
import { refuseStatement, refuseWrite } from './refuse-statement.ts';

/** A query of its own, whose rows the text returns. */
interface Result {
  readonly kind: 'result';
  readonly query: Query;
  readonly span: Span;
}

/** `IF … THEN … ELSEIF … ELSE … END IF`, and `CASE … END CASE`, whose WHENs are conditions too. */
export interface Choice {
  readonly kind: 'choice';
  readonly whens: readonly { readonly condition: Expr; readonly steps: readonly Step[] }[];
  readonly otherwise: readonly Step[];
  readonly span: Span;
}

/** `EXECUTE IMMEDIATE text INTO a, b USING 1 AS x`. */
export interface Execution {
  readonly kind: 'execute';
  readonly text: Expr;
  readonly into: readonly Identifier[];
  readonly using: readonly { readonly value: Expr; readonly name: Identifier | null }[];
  readonly span: Span;
}

/** `RAISE USING MESSAGE = text`, and `RETURN`. */
interface Stop {
  readonly kind: 'raise' | 'return';
  readonly message: Expr | null;
  readonly span: Span;
}

/** A statement of the text; `Plain` ones say themselves what they do, whatever is known. */
export type Plain = Statement | OwnFunction | Result;
export type Step = Plain | Choice | Execution | Stop;

/** Reads a statement; several for a block, and none for one that leaves nothing to run. */
type Parse = (s: Parser) => Step | readonly Step[] | undefined;

const STATEMENTS: Readonly<Record<string, Parse>> = {
  CREATE: parseCreate,
  DECLARE: parseDeclaration,
  SET: parseAssignment,
  DROP: parseDrop,
  INSERT: parseInsert,
  BEGIN: parseBlock,
  IF: parseIf,
  CASE: parseCase,
  EXECUTE: parseExecution,
  RAISE: parseRaise,
  RETURN: parseReturn,
};

/** True if a statement other than a query begins here. */
const startsStatement = (s: Parser): boolean => s.token.kind === 'word' && Object.hasOwn(STATEMENTS, s.token.text);

const startsResult = (s: Parser): boolean => startsQuery(s) || s.is('(');

/** Reads statements up to the end of the text, or to a word that begins none. */
export function parseSteps(s: Parser): readonly Step[] {
  const steps: Step[] = [];
  while (startsStatement(s) || startsResult(s)) {
    const isQuery = startsResult(s);
    steps.push(...parseStep(s));
    if (!s.is(';')) {
      if (!isQuery && s.token.kind !== 'end' && !s.is('END')) s.fail('";" and a query');
      break;
    }
    while (s.take(';'));
  }
  return steps;
}

/** Reads one statement or query: the several of a block, or none for one that leaves nothing to run. Throws the error for a text that begins neither. */
export function parseStep(s: Parser): readonly Step[] {
  if (startsResult(s)) {
    const { start } = s.token;
    const query = parseQuery(s);
    return [{ kind: 'result', query, span: s.span(start) }];
  }
  const parse = startsStatement(s) ? STATEMENTS[s.token.text] : undefined;
  if (parse === undefined) return refuseStatement(s);
  s.enter();
  const step = parse(s);
  s.leave();
  if (step === undefined) return [];
  return 'kind' in step ? [step] : step;
}

/** Reads what stands between THEN and the next word of its statement, whose variables are those around it. */
function parseInner(s: Parser, closing: readonly string[]): readonly Step[] {
  const steps = parseSteps(s);
  const declared = steps.find(({ kind }) => kind === 'declare');
  if (declared !== undefined) throw s.error('DECLARE is not allowed here', 'declare variables at the beginning of the text', declared.span);
  if (!closing.some((word) => s.is(word))) {
    if (s.token.kind === 'end') s.fail(closing.join(' or '));
    refuseStatement(s);
  }
  return steps;
}

function parseBlock(s: Parser): readonly Step[] {
  const { start } = s.token;
  s.expect('BEGIN');
  if (s.take('TRANSACTION') || s.is(';')) refuseWrite(s, 'BEGIN TRANSACTION', start);
  const steps = parseSteps(s);
  if (s.is('EXCEPTION')) throw s.unsupported('EXCEPTION is not translated', 'leave it out: where the query fails, quern says why');
  if (!s.is('END') && s.token.kind !== 'end') refuseStatement(s);
  s.expect('END');
  return steps;
}

function parseIf(s: Parser): Choice {
  const { start } = s.token;
  s.expect('IF');
  const whens: Choice['whens'][number][] = [];
  do {
    const condition = parseExpression(s);
    s.expect('THEN');
    whens.push({ condition, steps: parseInner(s, ['ELSEIF', 'ELSE', 'END']) });
  } while (s.take('ELSEIF'));
  const otherwise = s.take('ELSE') ? parseInner(s, ['END']) : [];
  s.expect('END', 'IF');
  return { kind: 'choice', whens, otherwise, span: s.span(start) };
}

function parseCase(s: Parser): Choice {
  const { start } = s.token;
  s.expect('CASE');
  const operand = s.is('WHEN') ? undefined : parseExpression(s);
  const whens: Choice['whens'][number][] = [];
  while (s.take('WHEN')) {
    const written = parseExpression(s);
    const { span } = written;
    const condition: Expr = operand === undefined ? written : { kind: 'binary', operator: '=', left: operand, right: written, span };
    s.expect('THEN');
    whens.push({ condition, steps: parseInner(s, ['WHEN', 'ELSE', 'END']) });
  }
  const otherwise = s.take('ELSE') ? parseInner(s, ['END']) : [];
  if (whens.length === 0) s.fail('WHEN');
  s.expect('END', 'CASE');
  return { kind: 'choice', whens, otherwise, span: s.span(start) };
}

function parseExecution(s: Parser): Execution {
  const { start } = s.token;
  s.expect('EXECUTE', 'IMMEDIATE');
  const text = parseExpression(s);
  const into = s.take('INTO') ? parseList(s, (stream) => parseName(stream, 'the name of a variable')) : [];
  const using = s.take('USING')
    ? parseList(s, (stream) => {
        const value = parseExpression(stream);
        return { value, name: stream.take('AS') ? parseName(stream, 'the name of a parameter') : null };
      })
    : [];
  return { kind: 'execute', text, into, using, span: s.span(start) };
}

function parseRaise(s: Parser): Stop {
  const { start } = s.token;
  s.expect('RAISE');
  const hasMessage = s.take('USING');
  if (hasMessage) s.expect('MESSAGE', '=');
  return { kind: 'raise', message: hasMessage ? parseExpression(s) : null, span: s.span(start) };
}

function parseReturn(s: Parser): Stop {
  const { start } = s.token;
  s.expect('RETURN');
  return { kind: 'return', message: null, span: s.span(start) };
}

function parseCreate(s: Parser): Statement | OwnFunction | undefined {
  const { start } = s.token;
  s.expect('CREATE');
  s.takeAll('OR', 'REPLACE');
  const temporary = s.take('TEMP') || s.take('TEMPORARY');
  if (s.is('FUNCTION') || s.sees('AGGREGATE', 'FUNCTION')) return parseFunction(s, start);
  if (s.sees('TABLE', 'FUNCTION')) return parseTableFunction(s, start);
  if (s.is('TABLE') || s.is('VIEW') || s.sees('MATERIALIZED', 'VIEW')) return parseTableDefinition(s, start);
  if (s.is('SCHEMA') && s.peek().kind !== 'end') {
    skipSchema(s);
    if (s.token.kind !== 'end') return undefined;
    throw s.unsupported('CREATE SCHEMA is not a query', CREATES, start);
  }
  throw s.unsupported(`CREATE ${temporary ? 'TEMP ' : ''}${s.token.text} is not a query`, CREATES, start);
}

const CREATES = 'CREATE FUNCTION and CREATE TABLE or VIEW … AS SELECT can come before the query';
