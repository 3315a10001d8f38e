// Reads a whole text: temporary functions, then one query.
import type { FunctionDefinition, Identifier, Script, TypeRef } from '../ast.ts';
import { CLAUSE_WORDS } from '../keywords.ts';
import { refuseDeepTree } from '../tree-depth.ts';
import { GRAMMAR } from './grammar.ts';
import { startsQuery } from './lookahead.ts';
import { closeList, parseList, parseName } from './parse-name.ts';
import { parseType } from './parse-type.ts';
import { Parser, parseExpression, parseQuery } from './parser.ts';

/**
 * Reads `CREATE TEMP FUNCTION …;` any number of times and one query.
 * @throws QuernError `syntax` with the place and what was expected, `unsupported` for BigQuery that quern does not take.
 */
export function parseScript(text: string): Script {
  const s = new Parser(text, GRAMMAR);
  const { start } = s.token;
  const functions: FunctionDefinition[] = [];
  while (s.is('CREATE')) {
    functions.push(parseCreateFunction(s));
    if (!s.take(';')) s.fail('";" and a query');
  }
  if (!startsQuery(s) && !s.is('(')) refuseStatement(s);
  const query = parseQuery(s);
  const span = s.span(start);
  while (s.take(';'));
  expectEnd(s, text);
  const script: Script = { kind: 'script', functions, query, span };
  refuseDeepTree(script);
  return script;
}

const OTHER_STATEMENTS: ReadonlySet<string> = new Set(
  `ALTER ASSERT BEGIN CALL COMMIT DECLARE DELETE DESCRIBE DROP EXECUTE EXPLAIN EXPORT FOR GRANT GRAPH IF INSERT LOAD LOOP MERGE REPEAT REVOKE
  ROLLBACK SET SHOW TRUNCATE UPDATE USE WHILE`.split(/\s+/),
);

function refuseStatement(s: Parser): void {
  if (OTHER_STATEMENTS.has(s.token.text))
    throw s.unsupported(`${s.token.text} is not a query`, 'quern runs one query: SELECT, WITH or FROM');
  s.fail('a query', s.token.kind === 'end' ? 'write SELECT …' : undefined);
}

function expectEnd(s: Parser, text: string): void {
  if (s.token.kind === 'end') return;
  const second = text.charAt(s.end - 1) === ';';
  if (second && (startsQuery(s) || s.is('CREATE') || OTHER_STATEMENTS.has(s.token.text))) {
    throw s.unsupported('a second statement follows the query', 'quern runs one query; temporary functions stand in front of it');
  }
  const clause = CLAUSE_WORDS.has(s.token.text) && s.token.kind === 'word';
  s.fail('the end of the query', clause ? CLAUSE_ORDER : undefined);
}

const CLAUSE_ORDER = 'the clauses stand in this order: SELECT, FROM, WHERE, GROUP BY, HAVING, QUALIFY, WINDOW, ORDER BY, LIMIT';

function parseCreateFunction(s: Parser): FunctionDefinition {
  const { start } = s.token;
  s.expect('CREATE');
  if (s.is('OR')) throw s.unsupported('CREATE OR REPLACE is not translated', 'write CREATE TEMP FUNCTION', start);
  const temporary = s.take('TEMP') || s.take('TEMPORARY');
  if (s.is('AGGREGATE'))
    throw s.unsupported('aggregate functions of your own are not translated', 'write the aggregate in the query', start);
  if (!temporary || !s.is('FUNCTION')) {
    throw s.unsupported(
      `CREATE ${temporary ? 'TEMP ' : ''}${s.token.text} is not a query`,
      'only CREATE TEMP FUNCTION may stand in front of the query',
      start,
    );
  }
  s.advance();
  if (s.is('IF')) throw s.unsupported('IF NOT EXISTS is not translated', 'write CREATE TEMP FUNCTION name', start);
  const name = parseName(s, 'the name of the function');
  s.expect('(');
  const parameters = s.is(')') ? [] : parseList(s, parseFunctionParameter);
  closeList(s);
  const returns = s.take('RETURNS') ? parseType(s) : null;
  refuseForeignLanguage(s);
  s.expect('AS', '(');
  const body = parseExpression(s);
  if (!s.take(')')) s.fail('")"');
  return { kind: 'create_function', name, parameters, returns, body, span: s.span(start) };
}

function parseFunctionParameter(s: Parser): { name: Identifier; type: TypeRef | null } {
  const name = parseName(s, 'the name of a parameter');
  return { name, type: s.takeAll('ANY', 'TYPE') ? null : parseType(s) };
}

function refuseForeignLanguage(s: Parser): void {
  if (!s.is('LANGUAGE') && !s.is('DETERMINISTIC') && !s.is('NOT') && !s.is('REMOTE') && !s.is('OPTIONS')) return;
  throw s.unsupported(
    `${s.token.text} of a function is not translated`,
    'only SQL functions are: CREATE TEMP FUNCTION name(x INT64) AS (x + 1)',
  );
}
