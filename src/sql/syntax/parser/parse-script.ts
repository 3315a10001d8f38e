// Reads a whole text: functions, variables and tables of its own, then one query.
import type { CreatedTable, OwnFunction, Query, Script, Statement } from '../ast.ts';
import { refuseDeepTree } from '../tree-depth.ts';
import { GRAMMAR } from './grammar.ts';
import { startsQuery } from './lookahead.ts';
import { parseFunction, parseTableFunction } from './parse-function.ts';
import { parseDrop, parseInsert, parseTableDefinition, skipSchema } from './parse-table-definition.ts';
import { parseAssignment, parseDeclaration } from './parse-variable.ts';
import { Parser, parseQuery } from './parser.ts';
import { refuseForeignDrop, refuseInsert, refuseRest, refuseSecond, refuseStatement, refuseWrite } from './refuse-statement.ts';

/**
 * Reads CREATE FUNCTION, DECLARE, SET and CREATE … AS SELECT any number of times and one query, which may be the last CREATE … AS SELECT or an
 * INSERT … SELECT; all of it or its end may stand between BEGIN and END.
 * @throws QuernError `syntax` with the place and what was expected, `unsupported` for BigQuery that quern does not take.
 */
export function parseScript(text: string): Script {
  const s = new Parser(text, GRAMMAR);
  const { start } = s.token;
  const { read, blocks } = parseOpening(s);
  const last = read.findLast((one) => one.kind !== 'drop_table');
  const created = (s.token.kind === 'end' || s.is('END')) && last?.kind === 'create_table' ? last : undefined;
  const insert = read.find((one) => one !== created && one.kind === 'create_table' && one.adds);
  if (insert !== undefined) refuseInsert(insert.span);
  if (created === undefined) {
    refuseForeignDrops(read);
    if (!startsQuery(s) && !s.is('(')) refuseStatement(s);
  }
  const query = created === undefined ? parseQuery(s) : queryOf(created);
  const span = s.span(start);
  while (s.take(';'));
  const dropped = read.some(isTable) ? parseStatements(s, 'DROP') : [];
  for (let open = blocks; open > 0; open -= 1) closeBlock(s);
  expectEnd(s, text);
  refuseForeignDrops([...read, ...dropped]);
  const functions = read.filter(isFunction);
  const statements = (created === undefined ? read : read.slice(0, read.indexOf(created))).filter((one) => !isFunction(one));
  const script: Script = { kind: 'script', functions, statements, creates: created?.table.name ?? null, query, span };
  refuseDeepTree(script);
  return script;
}

/** The statements before a query, and the number of blocks that begin there and hold it. */
function parseOpening(s: Parser): { readonly read: readonly (Statement | OwnFunction)[]; readonly blocks: number } {
  const read = [...parseStatements(s)];
  let blocks = 0;
  while (s.is('BEGIN')) {
    const { start } = s.token;
    s.advance();
    if (s.take('TRANSACTION') || s.is(';')) refuseWrite(s, 'BEGIN TRANSACTION', start);
    blocks += 1;
    read.push(...parseStatements(s));
  }
  return { read, blocks };
}

function closeBlock(s: Parser): void {
  if (s.is('EXCEPTION')) throw s.unsupported('EXCEPTION is not translated', 'leave it out: where the query fails, quern says why');
  if (!s.is('END') && (startsQuery(s) || startsStatement(s))) refuseSecond(s);
  s.expect('END');
  while (s.take(';'));
}

/** Reads the statements before a query, or before the end; with `only`, those of one kind alone. */
function parseStatements(s: Parser, only?: string): readonly (Statement | OwnFunction)[] {
  const read: (Statement | OwnFunction)[] = [];
  while (startsStatement(s) && (only === undefined || s.is(only))) {
    const one = parseStatement(s);
    if (one !== undefined) read.push(one);
    if (s.token.kind !== 'end' && !s.take(';')) s.fail('";" and a query');
    while (s.take(';'));
  }
  return read;
}

const isFunction = (read: Statement | OwnFunction): read is OwnFunction =>
  read.kind === 'create_function' || read.kind === 'create_table_function';

const isTable = (statement: Statement | OwnFunction): statement is CreatedTable => statement.kind === 'create_table';

function refuseForeignDrops(statements: readonly (Statement | OwnFunction)[]): void {
  const created = new Set(
    statements.flatMap((one) => (isTable(one) && one.adds !== true ? [one] : [])).map(({ table }) => table.name.name.toLowerCase()),
  );
  const foreign = statements.find((one) => one.kind === 'drop_table' && !created.has(one.name.name.toLowerCase()));
  if (foreign?.kind !== 'drop_table') return;
  refuseForeignDrop(foreign);
}

/** Reads a query, or the text of one CREATE FUNCTION. Throws as `parseScript` does. */
export const parseText = (text: string): Script | OwnFunction => (isFunctionFile(text) ? parseFunctionFile(text) : parseScript(text));

/** True if the text is a CREATE FUNCTION and no query. Throws as `parseScript` does for a function that cannot be read. */
export function isFunctionFile(text: string): boolean {
  const s = new Parser(text, GRAMMAR);
  if (!s.is('CREATE')) return false;
  const read = parseStatements(s);
  return s.token.kind === 'end' && read.length === 1 && read[0] !== undefined && isFunction(read[0]);
}

/** Reads the text of one CREATE FUNCTION. Throws as `parseScript` does. */
export function parseFunctionFile(text: string): OwnFunction {
  const s = new Parser(text, GRAMMAR);
  const read = s.is('CREATE') ? parseCreate(s) : undefined;
  if (read === undefined || !isFunction(read))
    throw s.error('this is not a CREATE FUNCTION', 'write CREATE FUNCTION name(x INT64) AS (x + 1)', { start: 0, end: s.end });
  while (s.take(';'));
  if (s.token.kind !== 'end') s.fail('the end of the function', 'a file holds only one function');
  refuseDeepTree(read);
  return read;
}

/** Returns the rows of a created table, under the names that its list gives to their columns. */
function queryOf({ table }: CreatedTable): Query {
  if (table.columns.length === 0) return table.query;
  const { span } = table;
  const none = { orderBy: [], limit: null, offset: null, pipes: [], recursive: false };
  const from = {
    kind: 'table_name' as const,
    parts: [table.name],
    alias: null,
    withOffset: null,
    forSystemTime: null,
    operators: [],
    span,
  };
  return { kind: 'query', ...none, ctes: [table], body: { kind: 'from', from, span }, span };
}

/** Reads a statement; undefined if it leaves nothing to run. */
type Parse = (s: Parser) => Statement | OwnFunction | undefined;

const STATEMENTS: Readonly<Record<string, Parse>> = {
  CREATE: parseCreate,
  DECLARE: parseDeclaration,
  SET: parseAssignment,
  DROP: parseDrop,
  INSERT: parseInsert,
};

const startsStatement = (s: Parser): boolean => s.token.kind === 'word' && Object.hasOwn(STATEMENTS, s.token.text);

function parseStatement(s: Parser): Statement | OwnFunction | undefined {
  const parse = startsStatement(s) ? STATEMENTS[s.token.text] : undefined;
  return parse === undefined ? refuseStatement(s) : parse(s);
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

function expectEnd(s: Parser, text: string): void {
  if (s.token.kind === 'end') return;
  refuseRest(s, text, startsQuery(s) || startsStatement(s));
}
