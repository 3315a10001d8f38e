// Reads UNION, INTERSECT and EXCEPT, by position and by name.
import type { QueryBody, SetOperation } from '../ast.ts';
import { seesSetOperator } from './lookahead.ts';
import { parseQueryInParentheses } from './parse-cte.ts';
import { parseNameList } from './parse-name.ts';
import { parseSelect } from './parse-select.ts';
import type { Parser } from './parser.ts';

type SetOperator = Pick<SetOperation, 'operator' | 'all' | 'byName'>;

const MIXED = 'different set operations can’t be chained: put one of them in parentheses';

/** Reads the set operations behind `first`, begun at `start`. */
export function parseSetOperations(s: Parser, start: number, first: QueryBody): QueryBody {
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

function parseInput(s: Parser): QueryBody {
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

/** Reads the words between two inputs. https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#set_operators */
export function parseSetOperator(s: Parser): SetOperator {
  const prefixStart = s.token;
  const prefix = s.takeFirst('FULL', 'LEFT', 'INNER');
  if (prefix !== null && prefix !== 'INNER') s.take('OUTER');
  const operator = s.takeFirst('UNION', 'INTERSECT', 'EXCEPT') ?? s.fail('UNION, INTERSECT or EXCEPT');
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

/** Reads `BY NAME [ON (…)]`, which wants equal columns unless prefixed, and `CORRESPONDING [BY (…)]`, which takes the common ones unless STRICT. */
function parseByName(s: Parser, prefix: 'FULL' | 'LEFT' | 'INNER' | null): SetOperation['byName'] {
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
