// Refuses SQL text that is more than one plain query: what readonly mode of the engine does not stop.
import { QuernError } from '../errors.ts';

/**
 * Comments, strings, quoted identifiers (both also in typographic quotes), heredocs, words, and any other character: as the engine's own lexer
 * cuts them, since a difference would hide words from the check. A word may hold `$`, and then begins no heredoc.
 */
const TOKEN =
  /--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`(?:[^`\\]|\\[\s\S]|``)*`|‘[^’]*’|“[^”]*”|\$(\w*)\$[\s\S]*?\$\1\$|[\w$]+|\s+|[\s\S]/gy;
const IGNORED = /^(?:\s|--|#[ !]|\/\*)/;

/**
 * Throws QuernError `unsupported` unless `sql` is one statement without INTO OUTFILE, INSERT or FORMAT, which readonly mode lets through
 * (the first two write files, the second of them with `readonly = 2` only; the third changes what the caller reads).
 */
export function assertSingleQuery(sql: string): void {
  const tokens = sqlTokens(sql).filter((token) => !IGNORED.test(token));
  while (tokens.at(-1) === ';') tokens.pop();
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    if (token === ';') throw refused('more than one statement');
    if (/^into$/i.test(token) && next !== undefined && /^outfile$/i.test(next)) throw refused('INTO OUTFILE');
    if (/^insert$/i.test(token) && next !== undefined && /^(?:into|function|table)$/i.test(next)) throw refused('INSERT');
    if (/^format$/i.test(token) && next !== undefined && /^\w+$/.test(next) && at === tokens.length - 2) throw refused('a FORMAT clause');
  });
}

/** The text in the pieces that the engine's lexer would cut it into; together they are the text. */
export function sqlTokens(sql: string): readonly string[] {
  return sql.match(TOKEN) ?? [];
}

function refused(what: string): QuernError {
  return new QuernError('unsupported', `the query holds ${what}, which quern does not run`, {
    hint: 'send one query at a time; formats and files are chosen with --format and --output',
  });
}
