// Reads CREATE FUNCTION and CREATE TABLE FUNCTION.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/data-definition-language#create_function_statement
import type { FunctionDefinition, Identifier, TableFunctionDefinition, TypeRef } from '../ast.ts';
import { startsQuery } from './lookahead.ts';
import { closeList, parseList, parseName, parseNameAfterDot } from './parse-name.ts';
import { parseTableType, parseType } from './parse-type.ts';
import { type Parser, parseExpression, parseQuery } from './parser.ts';
import { skipOptions } from './skip-options.ts';

/** Reads the rest of `CREATE [OR REPLACE] [TEMP] [AGGREGATE] FUNCTION …`, whose words before these are read. */
export function parseFunction(s: Parser, start: number): FunctionDefinition {
  const aggregates = s.take('AGGREGATE');
  s.expect('FUNCTION');
  s.takeAll('IF', 'NOT', 'EXISTS');
  const name = parseFunctionName(s);
  s.expect('(');
  // The value of a parameter that is NOT AGGREGATE is the same in all rows of a group, which the query around the call is held to.
  const parameters = parseParameters(s, parseType, aggregates ? ['NOT', 'AGGREGATE'] : []);
  const returns = s.take('RETURNS') ? parseType(s) : null;
  skipOptions(s);
  refuseForeignLanguage(s);
  s.expect('AS', '(');
  const body = parseExpression(s);
  if (!s.take(')')) s.fail('")"');
  skipOptions(s);
  return { kind: 'create_function', aggregates, name, parameters, returns, body, span: s.span(start) };
}

/** Reads the rest of `CREATE [OR REPLACE] [TEMP] TABLE FUNCTION …`, whose words before TABLE are read. */
export function parseTableFunction(s: Parser, start: number): TableFunctionDefinition {
  s.expect('TABLE', 'FUNCTION');
  s.takeAll('IF', 'NOT', 'EXISTS');
  const name = parseFunctionName(s);
  s.expect('(');
  const parameters = parseParameters(s, (stream) => (stream.is('TABLE') ? parseTableType(stream) : parseType(stream)));
  const returns = s.take('RETURNS') ? parseTableType(s) : null;
  skipOptions(s);
  refuseForeignLanguage(s);
  s.expect('AS');
  if (!startsQuery(s) && !s.is('(')) s.fail('a query');
  const query = parseQuery(s);
  skipOptions(s);
  return { kind: 'create_table_function', name, parameters, returns, query, span: s.span(start) };
}

/** `words` may stand behind a type. */
function parseParameters(s: Parser, parse: (s: Parser) => TypeRef, words: readonly string[] = []): FunctionDefinition['parameters'] {
  const parameters = s.is(')')
    ? []
    : parseList(s, (stream) => {
        const name = parseName(stream, 'the name of a parameter');
        const type = stream.takeAll('ANY', 'TYPE') ? null : parse(stream);
        stream.takeAll(...words);
        return { name, type };
      });
  closeList(s);
  return parameters;
}

/** Reads `f`, `dataset.f` or `project.dataset.f` as one name with dots. */
function parseFunctionName(s: Parser): Identifier {
  const first = parseName(s, 'the name of the function');
  const parts = [first];
  while (s.take('.')) parts.push(parseNameAfterDot(s));
  return { ...first, name: parts.map(({ name }) => name).join('.'), span: s.span(first.span.start) };
}

function refuseForeignLanguage(s: Parser): void {
  if (!s.is('LANGUAGE') && !s.is('DETERMINISTIC') && !s.is('NOT') && !s.is('REMOTE')) return;
  throw s.unsupported(
    'functions in JavaScript or another language are not translated',
    'write the body as a SQL expression: CREATE TEMP FUNCTION name(x INT64) AS (x + 1)',
  );
}
