// What a text to paste must not have, since the editor's parser refuses it or prints it as something else: expressions that WITH names, positions of tuples,
// ARRAY JOIN, settings, parameters, stars, backslashes, a database's name, and more than one statement.
import { type ClickHouseToken, tokenizeClickHouse } from '../../../src/clickhouse/lexer.ts';

type Tokens = readonly ClickHouseToken[];

const isWord = (token: ClickHouseToken | undefined, ...words: readonly string[]): boolean =>
  token?.kind === 'word' && words.includes(token.text.toUpperCase());
const isSymbol = (token: ClickHouseToken | undefined, ...symbols: readonly string[]): boolean =>
  token?.kind === 'symbol' && symbols.includes(token.text);
const isName = (token: ClickHouseToken | undefined): boolean => token?.kind === 'word' || token?.kind === 'quoted_name';

/** True if the list behind WITH has only `name AS (…)`. */
function namesTables(tokens: Tokens, start: number): boolean {
  for (let at = start; ; at++) {
    if (!isName(tokens[at]) || !isWord(tokens[at + 1], 'AS') || !isSymbol(tokens[at + 2], '(')) return false;
    let depth = 0;
    for (at += 2; at < tokens.length; at++) {
      if (isSymbol(tokens[at], '(')) depth++;
      if (isSymbol(tokens[at], ')')) depth--;
      if (depth === 0) break;
    }
    if (!isSymbol(tokens[++at], ',')) return true;
  }
}

const CONSTRUCTS: Readonly<Record<string, (tokens: Tokens, at: number) => boolean>> = {
  'an expression that WITH names': (tokens, at) =>
    isWord(tokens[at], 'WITH') &&
    !isWord(tokens[at + 1], 'TIES') &&
    !namesTables(tokens, isWord(tokens[at + 1], 'RECURSIVE') ? at + 2 : at + 1),
  'a position of a tuple': (tokens, at) =>
    (isName(tokens[at]) || isSymbol(tokens[at], ')', ']')) &&
    (isSymbol(tokens[at + 1], '.') ? tokens[at + 2]?.kind === 'number' : tokens[at + 1]?.text.startsWith('.') === true),
  'ARRAY JOIN': (tokens, at) => isWord(tokens[at], 'ARRAY') && isWord(tokens[at + 1], 'JOIN'),
  SETTINGS: (tokens, at) => isWord(tokens[at], 'SETTINGS'),
  'a parameter': (tokens, at) => tokens[at]?.kind === 'parameter' || isSymbol(tokens[at], '{'),
  'a star': (tokens, at) =>
    isSymbol(tokens[at], '*') && (isWord(tokens[at - 1], 'SELECT', 'DISTINCT') || isSymbol(tokens[at - 1], ',', '.', '(')),
  'a semicolon': (tokens, at) => isSymbol(tokens[at], ';'),
  'a database': (tokens, at) => isWord(tokens[at], 'FROM', 'JOIN') && isName(tokens[at + 1]) && isSymbol(tokens[at + 2], '.'),
  'a table function': (tokens, at) => isWord(tokens[at], 'FROM', 'JOIN') && isName(tokens[at + 1]) && isSymbol(tokens[at + 2], '('),
  FORMAT: (tokens, at) => isWord(tokens[at], 'FORMAT') && isName(tokens[at + 1]),
  'LIMIT with more than a number': (tokens, at) =>
    isWord(tokens[at], 'LIMIT') &&
    (tokens[at + 1]?.kind !== 'number' || isSymbol(tokens[at + 2], ',') || isWord(tokens[at + 2], 'BY', 'WITH')),
};

/** Returns the names of the constructs that a text has and must not have. */
export function refusedIn(sql: string): readonly string[] {
  const tokens = tokenizeClickHouse({ name: '<sql>', text: sql });
  const found = Object.entries(CONSTRUCTS).filter(([, isThere]) => tokens.some((_, at) => isThere(tokens, at)));
  return [
    ...found.map(([name]) => name),
    ...(sql.includes('\\') ? ['a backslash'] : []),
    ...(sql.length >= 4000 ? ['4,000 characters'] : []),
  ];
}
