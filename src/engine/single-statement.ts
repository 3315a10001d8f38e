// Refuses SQL that is more than one plain query, as the engine's readonly mode lets some of it through.

import { QuernError } from '../base/errors.ts';
import { isIgnored, sqlPieces } from '../clickhouse/lexer.ts';

/**
 * Throws QuernError `unsupported` unless `sql` is one statement without INTO OUTFILE, INSERT or FORMAT, which readonly mode lets through
 * (the first two write files, the second of them with `readonly = 2` only; the third changes what the caller reads).
 */
export function assertSingleQuery(sql: string): void {
  const tokens = sqlPieces(sql).filter((piece) => !isIgnored(piece));
  while (tokens.at(-1) === ';') tokens.pop();
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    if (token === ';') throw refused('more than one statement');
    if (/^into$/i.test(token) && next !== undefined && /^outfile$/i.test(next)) throw refused('INTO OUTFILE');
    if (/^insert$/i.test(token) && next !== undefined && /^(?:into|function|table)$/i.test(next)) throw refused('INSERT');
    if (/^format$/i.test(token) && next !== undefined && /^\w+$/.test(next) && at === tokens.length - 2) throw refused('a FORMAT clause');
  });
}

function refused(what: string): QuernError {
  return new QuernError('unsupported', `the query contains ${what}, which quern does not run`, {
    hint: 'send one query at a time; choose formats and files with --format and --output',
  });
}
