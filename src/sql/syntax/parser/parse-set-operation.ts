// Reads UNION, INTERSECT and EXCEPT, by position and by name.
import type { QueryBody, SetOperation } from '../ast.ts';
import type { TokenStream } from '../lexer/token-stream.ts';
import { parseNameList } from './parse-name.ts';
import { parseQueryInParentheses } from './parse-query.ts';
import { parseSelect } from './parse-select.ts';

export type SetOperator = Pick<SetOperation, 'operator' | 'all' | 'byName'>;

const MIXED = 'only equal set operations chain without parentheses: put one of them in parentheses';

/** Whether a set operation begins here, with its `FULL OUTER` and the like. */
export function seesSetOperator(s: TokenStream): boolean {
  const prefixed = s.is('FULL') || s.is('LEFT') || s.is('INNER');
  const word = prefixed ? s.peek(s.peek().text === 'OUTER' ? 2 : 1).text : s.token.text;
  return word === 'UNION' || word === 'INTERSECT' || word === 'EXCEPT';
}

/** `first`, begun at `start`, with the set operations that follow it. */
export function parseSetOperations(s: TokenStream, start: number, first: QueryBody): QueryBody {
  if (!seesSetOperator(s)) return first;
  const inputs = [first];
  let chain: SetOperator | null = null;
  while (seesSetOperator(s)) {
    const at = s.token;
    const operator = parseSetOperator(s);
    if (chain !== null && !sameOperator(chain, operator)) {
      throw s.error(`${s.text.slice(at.start, s.end)} follows another set operation`, MIXED, s.span(at.start));
    }
    chain ??= operator;
    inputs.push(parseInput(s));
  }
  return { kind: 'set_operation', ...(chain ?? parseSetOperator(s)), inputs, span: s.span(start) };
}

function parseInput(s: TokenStream): QueryBody {
  if (s.is('SELECT')) return parseSelect(s);
  if (!s.is('(')) s.fail('SELECT or "("');
  return parseQueryInParentheses(s);
}

function sameOperator(a: SetOperator, b: SetOperator): boolean {
  const names = (operator: SetOperator): string => {
    const columns = operator.byName?.columns?.map((column) => column.name.toLowerCase());
    return JSON.stringify([operator.operator, operator.all, operator.byName?.mode, columns]);
  };
  return names(a) === names(b);
}

/** The words between two inputs. https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#set_operators */
export function parseSetOperator(s: TokenStream): SetOperator {
  const prefixStart = s.token;
  const prefix = s.is('FULL') ? 'FULL' : s.is('LEFT') ? 'LEFT' : s.is('INNER') ? 'INNER' : null;
  if (prefix !== null) {
    s.advance();
    if (prefix !== 'INNER') s.take('OUTER');
  }
  const operator = s.is('UNION')
    ? 'UNION'
    : s.is('INTERSECT')
      ? 'INTERSECT'
      : s.is('EXCEPT')
        ? 'EXCEPT'
        : s.fail('UNION, INTERSECT or EXCEPT');
  s.advance();
  const all = s.take('ALL');
  if (!all && !s.take('DISTINCT'))
    s.fail('ALL or DISTINCT', `BigQuery has no plain ${operator}: write ${operator} ALL or ${operator} DISTINCT`);
  const byName = parseByName(s, prefix);
  if (prefix !== null && byName === null) {
    s.fail(
      'BY NAME or CORRESPONDING',
      `${s.text.slice(prefixStart.start, prefixStart.end)} before ${operator} matches columns by name: add BY NAME`,
    );
  }
  return { operator, all, byName };
}

/** `BY NAME [ON (…)]` wants equal columns unless prefixed; `CORRESPONDING [BY (…)]` takes the common ones unless STRICT. */
function parseByName(s: TokenStream, prefix: 'FULL' | 'LEFT' | 'INNER' | null): SetOperation['byName'] {
  if (s.take('BY')) {
    s.expect('NAME');
    return { mode: prefix ?? 'STRICT', columns: s.take('ON') ? parseNameList(s) : null };
  }
  const strict = s.take('STRICT');
  if (strict && prefix !== null) s.fail(`CORRESPONDING without STRICT after ${prefix}`);
  if (!s.take('CORRESPONDING')) {
    if (strict) s.fail('CORRESPONDING');
    return null;
  }
  const columns = s.take('BY') ? parseNameList(s) : null;
  return { mode: strict ? 'STRICT' : (prefix ?? 'INNER'), columns };
}
