// Refuses ClickHouse SQL that is more than one SELECT: other statements, and the clauses that write files or change settings and formats.

import { QuernError } from '../../base/errors.ts';
import type { SourceText } from '../../base/source-text.ts';
import { type ClickHouseToken, isName, isSymbol, isWord } from '../../clickhouse/lexer.ts';

/** Throws QuernError `unsupported` at a token, with its place. */
export type Refuse = (token: ClickHouseToken, message: string, hint?: string) => never;

/** Statements that may stand in parentheses, or in place of the query. */
const OTHER_STATEMENTS = new Set(['explain', 'show', 'describe', 'desc', 'create', 'alter', 'drop', 'execute', 'insert']);

export function checkStatement(source: SourceText, tokens: readonly ClickHouseToken[], refuse: Refuse): void {
  const first = tokens.find(({ text }) => text !== '(');
  if (first === undefined) throw new QuernError('syntax', 'there is no SQL below the header');
  if (!isWord(first, 'select') && !isWord(first, 'with'))
    refuse(first, `a saved query must be a single SELECT, but this starts with ${first.text}`);
  const open: ClickHouseToken[] = [];
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    if (token.kind === 'symbol') {
      if (isSymbol(token, ';')) refuse(token, 'a saved query must be a single statement', 'keep one query per file');
      // quern puts the text into parentheses of its own, which it could leave by closing one more.
      if (isSymbol(token, '(')) open.push(token);
      if (isSymbol(token, ')') && open.pop() === undefined) throw unbalanced(source, token, 'this parenthesis has no opening one');
      return;
    }
    if (token.kind !== 'word') return;
    if (isWord(token, 'into') && isWord(next, 'outfile'))
      refuse(token, 'INTO OUTFILE cannot be used in a saved query, since it writes files', 'use `quern run … --output FILE`');
    // `settings` and `format` are ordinary names elsewhere: only what the clauses look like is refused.
    if (isWord(token, 'settings') && startsSetting(tokens, at + 1)) refuse(token, 'a saved query cannot change SETTINGS');
    if (isWord(token, 'format') && open.length === 0 && isName(next) && at >= tokens.length - 2) {
      refuse(token, 'the FORMAT is chosen when the query runs', 'use `quern run … --format NAME`');
    }
    if ((isWord(token, 'insert') && isWord(next, 'into')) || (isWord(token, 'parallel') && isWord(next, 'with'))) {
      refuse(token, `${token.text.toUpperCase()} cannot be part of a saved query`);
    }
    if (
      OTHER_STATEMENTS.has(token.text.toLowerCase()) &&
      isSymbol(tokens[at - 1], '(') &&
      (next?.kind !== 'symbol' || isSymbol(next, '('))
    ) {
      refuse(token, `${token.text.toUpperCase()} cannot be part of a saved query`);
    }
  });
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw unbalanced(source, unclosed, 'this parenthesis is not closed');
}

/** `name =` or `prefix.name =`, in quotes or not. */
function startsSetting(tokens: readonly ClickHouseToken[], from: number): boolean {
  let at = from;
  while (isName(tokens[at]) && isSymbol(tokens[at + 1], '.')) at += 2;
  return isName(tokens[at]) && isSymbol(tokens[at + 1], '=');
}

function unbalanced(source: SourceText, { start, end }: ClickHouseToken, message: string): QuernError {
  return new QuernError('syntax', message, { source, span: { start, end } });
}
