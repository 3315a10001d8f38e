// SEARCH: whether a text has words in it, as BigQuery's text analyzers cut them. Each word is one regular expression over the whole text, which
// ClickHouse runs as fast as a search for the word itself. https://cloud.google.com/bigquery/docs/reference/standard-sql/text-analysis
import { fail } from '../../base/fail.ts';
import { STRING, type Type } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { array, call, ident, iff, infix, isNull, lambda, lit, NULL, not } from '../../target/build.ts';
import { define, type Family, type LowerCall } from '../define.ts';
import { parseSearch, type SearchTerm } from './search-query.ts';

type Test = (text: SqlExpression) => SqlExpression;

/** The codes after a percent sign in delimiters of several characters, the longest first. */
const ENCODED = '2526|2520|21|26|3b|7c|20|2b|3d|5d|5b|3a|0a|2c|28|29';
/** A delimiter that ends before a word that begins so: the percent sign alone is none there. */
const SIGNS = '[\\]<>(){}|!;,\'"*&?+/:=@.$\\\\_\\n\\r \\t\\-[]';
const beforeWord = (word: string): string => (new RegExp(`^(?:${ENCODED})`, 'i').test(word) ? `(?:%(?i:${ENCODED})|${SIGNS})` : DELIMITER);
const DELIMITER = `(?:%(?i:${ENCODED})|%|${SIGNS})`;
const CUTTING = new RegExp(`%(?:${ENCODED})|%|${SIGNS}`, 'i');

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|\-/]/g, '\\$&');
const lower = (text: string): string => text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
const matches = (text: SqlExpression, pattern: string): SqlExpression => call('match', text, lit(pattern));

/** How an analyzer cuts texts into words. */
interface Analyzer {
  readonly cut: (text: string) => readonly string[];
  /** A pattern of lower-case texts that have the words next to each other. */
  readonly pattern: (words: readonly string[]) => string;
  readonly exact: ((text: string) => Test) | null;
}

const LOG_ANALYZER: Analyzer = {
  cut: (text) =>
    lower(text)
      .split(CUTTING)
      .filter((word) => word !== ''),
  pattern: (words) => {
    const [first = '', ...more] = words;
    const following = more.map((word) => `${DELIMITER}*${beforeWord(word)}${escaped(word)}`);
    return `(?:^|${beforeWord(first)})${escaped(first)}${following.join('')}(?:${DELIMITER}|$)`;
  },
  exact: (text) => (data) =>
    infix(
      'AND',
      infix('>', call('position', data, lit(text)), lit(0)),
      matches(data, `(?:^|${beforeWord(text)})${escaped(text)}(?:${DELIMITER}|$)`),
    ),
};

/** Words of two letters or more; shorter ones are passed over. */
const PATTERN_ANALYZER: Analyzer = {
  cut: (text) => lower(text).match(/\b\w{2,}\b/g) ?? [],
  pattern: (words) => `\\b${words.map(escaped).join('\\b(?:\\W|\\b\\w\\b)*\\b')}\\b`,
  exact: null,
};

/**
 * Whether a text has the words next to each other. Most texts do not have the first one at all, which is found out in a fifth of the time.
 * Capitals of other alphabets count: both functions know ASCII alone, as the analyzers do.
 */
const hasWords = (text: SqlExpression, words: readonly string[], analyzer: Analyzer): SqlExpression =>
  infix(
    'AND',
    infix('>', call('positionCaseInsensitive', text, lit(words[0] ?? '')), lit(0)),
    matches(call('lower', text), analyzer.pattern(words)),
  );

/** Tests one text. */
function testOf(term: SearchTerm, analyzer: Analyzer, c: LowerCall): Test {
  const { span = { start: 0, end: 0 } } = c.args[1] ?? {};
  switch (term.kind) {
    case 'and':
    case 'or': {
      const tests = term.terms.map((part) => testOf(part, analyzer, c));
      return (text) => tests.map((test) => test(text)).reduce((all, test) => infix(term.kind.toUpperCase(), all, test));
    }
    case 'exact':
      return (
        analyzer.exact?.(term.text) ??
        fail('unsupported', span, 'text in backticks is translated for LOG_ANALYZER only', 'write the words, or "a phrase"')
      );
    default: {
      const words = analyzer.cut(term.text);
      if (words.length === 0)
        return fail('type', span, `'${term.text}' has no words to look for`, 'write text made of punctuation in backticks');
      const runs = term.kind === 'phrase' ? [words] : words.map((word) => [word]);
      return (text) => runs.map((run) => hasWords(text, run, analyzer)).reduce((all, test) => infix('AND', all, test));
    }
  }
}

/** Strings of a JSON document, keys, or both. */
function jsonTexts(json: SqlExpression, scope: string, c: LowerCall): SqlExpression {
  const [found, text] = [c.fresh('token'), c.fresh('token')];
  const all = call('extractAll', call('ifNull', json, lit('')), lit('"(?:[^"\\\\]|\\\\.)*":?'));
  const isKey = call('endsWith', ident(found), lit(':'));
  const kept =
    scope === 'JSON_KEYS_AND_VALUES' ? all : call('arrayFilter', lambda([found], scope === 'JSON_KEYS' ? isKey : not(isKey)), all);
  const string = iff(
    call('endsWith', ident(text), lit(':')),
    call('substring', ident(text), lit(1), infix('-', call('length', ident(text)), lit(1))),
    ident(text),
  );
  return call('arrayMap', lambda([text], call('JSONExtractString', string)), kept);
}

/** Tests whether one of the texts in a value passes, and whether one is NULL; null if the value has no texts. */
interface Found {
  readonly found: SqlExpression;
  readonly unknown: SqlExpression;
}

/** Returns what is found in a value without parts; null for one that is passed over. */
type FoundInPart = (value: SqlExpression, type: Type) => Found | null;

const foundInText = (text: SqlExpression, test: Test): Found => ({
  found: call('ifNull', test(text), lit(false)),
  unknown: isNull(text),
});

/** SEARCH looks into strings, and passes over other values. */
const stringOrJson =
  (test: Test, scope: string, c: LowerCall): FoundInPart =>
  (value, { kind }) => {
    if (kind === 'STRING') return foundInText(value, test);
    if (kind !== 'JSON') return null;
    const text = c.fresh('text');
    return { found: call('arrayExists', lambda([text], test(ident(text))), jsonTexts(value, scope, c)), unknown: isNull(value) };
  };

function foundIn(value: SqlExpression, type: Type, inPart: FoundInPart, c: LowerCall): Found | null {
  switch (type.kind) {
    case 'ARRAY': {
      const [item, missing] = [c.fresh('item'), c.fresh('item')];
      const inside = foundIn(ident(item), type.element, inPart, c);
      const nulls = foundIn(ident(missing), type.element, inPart, c);
      if (inside === null || nulls === null) return null;
      return {
        found: call('arrayExists', lambda([item], inside.found), value),
        unknown: call('arrayExists', lambda([missing], nulls.unknown), value),
      };
    }
    case 'STRUCT': {
      const parts = type.fields.flatMap((field, i) => {
        const part = foundIn(call('tupleElement', value, lit(i + 1)), field.type, inPart, c);
        return part === null ? [] : [part];
      });
      const [first, ...more] = parts;
      if (first === undefined) return null;
      return more.reduce(
        (all, { found, unknown }) => ({ found: infix('OR', all.found, found), unknown: infix('OR', all.unknown, unknown) }),
        first,
      );
    }
    default:
      return inPart(value, type);
  }
}

/** TRUE where a part of the value passes, otherwise NULL where one is NULL. */
function foundAnywhere(data: SqlExpression, inPart: FoundInPart, c: LowerCall): SqlExpression {
  const name = c.fresh('data');
  const found = foundIn(ident(name), c.typeOf(0), inPart, c);
  if (found === null) return lit(false);
  const result = call('multiIf', found.found, lit(true), found.unknown, NULL, lit(false));
  return call('arrayElement', call('arrayMap', lambda([name], result), array(data)), lit(1));
}

/** What CONTAINS_SUBSTR compares as the text that CAST makes of it. */
const COMPARED = new Set(['STRING', 'INT64', 'BOOL', 'NUMERIC', 'BIGNUMERIC', 'DATE', 'DATETIME', 'TIME', 'TIMESTAMP']);

/** CONTAINS_SUBSTR of a value that is no STRING, where `test` is that of one text. */
export function containsAnywhere(value: SqlExpression, test: Test, c: LowerCall): SqlExpression {
  const inPart: FoundInPart = (part, type) => {
    const { span } = c.args[0] ?? { span: { start: 0, end: 0 } };
    if (!COMPARED.has(type.kind)) fail('unsupported', span, `CONTAINS_SUBSTR in ${type.kind} is not supported`, 'CAST it to STRING');
    return foundInText(type.kind === 'STRING' ? part : c.cast(part, type, STRING), test);
  };
  return foundAnywhere(value, inPart, c);
}

/** A constant word of a named argument. */
function choice<const T extends string>(c: LowerCall, position: number, name: string, choices: readonly [T, ...T[]]): T {
  const arg = c.args[position] ?? null;
  if (arg === null) return choices[0];
  const known = c.constant(position);
  return (
    choices.find((one) => one === known) ?? fail('type', arg.span, `${name} must be one of ${choices.map((one) => `'${one}'`).join(', ')}`)
  );
}

function search(data: SqlExpression, c: LowerCall): SqlExpression {
  const [, query, , , options = null] = c.args;
  const span = query?.span ?? { start: 0, end: 0 };
  const text = c.constant(1);
  if (text === null) return fail('type', span, 'the search query is NULL');
  if (typeof text !== 'string')
    return fail(
      'unsupported',
      span,
      'SEARCH takes a constant query',
      'for a parameter write REGEXP_CONTAINS(text, @pattern) or CONTAINS_SUBSTR(text, @part)',
    );
  if (options !== null) fail('unsupported', options.span, 'options of text analyzers are not translated', 'use REGEXP_CONTAINS instead');
  const scope = choice(c, 2, 'json_scope', ['JSON_VALUES', 'JSON_KEYS', 'JSON_KEYS_AND_VALUES']);
  const analyzer = choice(c, 3, 'analyzer', ['LOG_ANALYZER', 'NO_OP_ANALYZER', 'PATTERN_ANALYZER']);
  const test: Test =
    analyzer === 'NO_OP_ANALYZER'
      ? (value) => infix('=', value, lit(text))
      : testOf(parseSearch(text, span), analyzer === 'LOG_ANALYZER' ? LOG_ANALYZER : PATTERN_ANALYZER, c);
  return c.typeOf(0).kind === 'STRING' ? test(data) : foundAnywhere(data, stringOrJson(test, scope, c), c);
}

export const searching = (): Family => ({
  SEARCH: define(
    'data ANY, query STRING, [json_scope => STRING], [analyzer => STRING], [analyzer_options => STRING] -> BOOL',
    ({ data }, c) => search(data, c),
    { approximate: 'in JSON, strings are searched but not numbers; options of text analyzers are refused' },
  ),
});
