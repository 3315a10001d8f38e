// The errors for a text without a query, and for tokens behind one: statements that quern does not run, and words that are hardly meant where they stand.
import { nearest, QuernError } from '../../../base/errors.ts';
import type { Span } from '../../../base/source-text.ts';
import type { Statement } from '../ast.ts';
import { CLAUSE_WORDS, RESERVED } from '../keywords.ts';
import type { Parser } from './parser.ts';

const CONTROL = 'quern has no loops: write what they do as one query, over GENERATE_ARRAY or with WITH RECURSIVE';
const WRITES = 'quern only reads: leave out the statement, or run the SELECT inside it';

/** BigQuery's other statements, and the hints for them. */
const OTHER_STATEMENTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries('FOR LOOP REPEAT WHILE'.split(' ').map((word) => [word, CONTROL])),
  ...Object.fromEntries(
    `ALTER COMMIT DELETE EXPORT GRANT LOAD MERGE REVOKE ROLLBACK TRUNCATE UPDATE`.split(' ').map((word) => [word, WRITES]),
  ),
  ...Object.fromEntries('GRAPH USE'.split(' ').map((word) => [word, 'quern runs queries: SELECT, WITH or FROM'])),
  ...Object.fromEntries(
    'DESCRIBE SHOW'.split(' ').map((word) => [word, '`quern sources` lists tables, and `quern sources TABLE` its columns']),
  ),
  EXPLAIN: '`quern explain` shows what becomes of a saved query or of a file',
  ASSERT: 'to check a result, use `quern check`: docs/checks.md',
  CALL: 'quern has no procedures: write the query itself',
};

/** Returns the error for a text that begins no query. */
export function refuseStatement(s: Parser): never {
  const hint = s.token.kind === 'word' && Object.hasOwn(OTHER_STATEMENTS, s.token.text) ? OTHER_STATEMENTS[s.token.text] : undefined;
  if (hint !== undefined) throw s.unsupported(`${s.token.text} is not a query`, hint);
  if (s.token.kind === 'end') return s.fail('a query', 'write SELECT …');
  return s.fail('a query', meantOpening(s));
}

/** Returns the error for a statement that begins at `start`. */
export function refuseWrite(s: Parser, statement: string, start: number): never {
  throw s.unsupported(`${statement} is not a query`, WRITES, start);
}

export function refuseInsert(span: Span): never {
  throw new QuernError('unsupported', 'INSERT is not a query', { span, hint: WRITES });
}

export function refuseForeignDrop({ name, span }: Extract<Statement, { readonly kind: 'drop_table' }>): never {
  throw new QuernError('unsupported', `${name.name} is not a table that this text creates, so it can’t drop it`, {
    span,
    hint: `quern only reads: leave out the statement; a table that was loaded is removed by \`quern drop ${name.name}\``,
  });
}

/** Returns the error for tokens behind the query. */
export function refuseRest(s: Parser, text: string): never {
  const second = text.charAt(s.end - 1) === ';';
  if (second && (Object.hasOwn(OTHER_STATEMENTS, s.token.text) || meantOpening(s) !== undefined)) refuseStatement(s);
  const clause = CLAUSE_WORDS.has(s.token.text) && s.token.kind === 'word';
  return s.fail('the end of the query', meantWord(s, CLAUSES) ?? (clause ? CLAUSE_ORDER : undefined));
}

const CLAUSE_ORDER = 'the order of clauses is SELECT, FROM, WHERE, GROUP BY, HAVING, QUALIFY, WINDOW, ORDER BY, LIMIT';

/** The words with which a text may begin. */
const OPENINGS = ['SELECT', 'WITH', 'FROM', 'CREATE', 'DECLARE'];

/** Returns the hint about the first word of a text. */
function meantOpening({ token }: Parser): string | undefined {
  const meant = token.kind === 'word' ? nearest(token.text, OPENINGS) : undefined;
  return meant === undefined ? undefined : `did you mean ${meant}?`;
}

/** Returns the hint about a misspelled FROM. */
export const meantFrom = (s: Parser): string | undefined => meantWord(s, ['FROM']);

const CLAUSES = ['WHERE', 'GROUP', 'HAVING', 'QUALIFY', 'ORDER', 'LIMIT', 'JOIN', 'UNION'];

/** Returns the hint about a misspelled word of a clause, which may have been read as the alias of what stands before it: the next word is in the way then. */
function meantWord({ token, text }: Parser, words: readonly string[]): string | undefined {
  const near = (word: string): string | undefined => (RESERVED.has(word.toUpperCase()) ? undefined : nearest(word, words));
  const here = token.kind === 'word' ? near(token.text) : undefined;
  if (here !== undefined) return `did you mean ${here}?`;
  const [, alias = ''] = /\s(\w+)\s*$/.exec(text.slice(0, token.start)) ?? [];
  const meant = near(alias);
  return meant === undefined ? undefined : `did you mean ${meant} instead of ${alias}?`;
}
