// Refuses tables through which ClickHouse SQL could reach beyond the user's own: files, table functions, and the databases of the system.

import { type ClickHouseToken, isSymbol, isWord } from '../../clickhouse/lexer.ts';
import { OF_THE_ENGINE } from '../../sources/names.ts';
import { TABLES_DATABASE } from '../../sources/table-names.ts';
import { isOutOfReach, TABLE_FUNCTIONS } from './functions.ts';
import type { Refuse } from './statement.ts';

/** Words after which the tables of FROM are over, at their depth. */
const ENDS_FROM = new Set([
  'where',
  'prewhere',
  'group',
  'having',
  'order',
  'limit',
  'offset',
  'union',
  'intersect',
  'except',
  'window',
  'qualify',
  'select',
  'fetch',
]);

interface Frame {
  /** True in the tables of a FROM clause. */
  from: boolean;
  /** True where the next name is a table. */
  table: boolean;
  /** False in the arguments of a function, where FROM is part of EXTRACT, TRIM and SUBSTRING. */
  readonly query: boolean;
}

export function checkTables(tokens: readonly ClickHouseToken[], refuse: Refuse): void {
  const frames: Frame[] = [{ from: false, table: false, query: true }];
  let arrayInTablePlace = false;
  tokens.forEach((token, at) => {
    const frame = frames.at(-1) ?? { from: false, table: false, query: true };
    const next = tokens[at + 1];
    const name = token.kind === 'word' || token.kind === 'quoted_name' ? token.text.toLowerCase() : undefined;
    if (isSymbol(token, '(')) {
      const inside = ['select', 'with', 'from'].some((word) => isWord(next, word)) || isSymbol(next, '(');
      frames.push({ from: frame.table && !inside, table: frame.table && !inside, query: inside || frame.table });
      frame.table = false;
      return;
    }
    if (isSymbol(token, '[')) frames.push({ from: false, table: false, query: false });
    if (isSymbol(token, ')') || isSymbol(token, ']')) {
      if (frames.length > 1) frames.pop();
      return;
    }
    // The embedded engine reads a file where its path stands for a table.
    if (frame.table && (token.kind === 'string' || (token.kind === 'quoted_name' && token.text.includes('/')))) {
      refuse(token, 'a saved query cannot read files', 'load the file with `quern load`, and read that source');
    }
    if (name === undefined) {
      frame.table = isSymbol(token, '.') ? frame.table : isSymbol(token, ',') && frame.from;
      return;
    }
    if (isSymbol(next, '.') && !isSymbol(tokens[at - 1], '.') && (OF_THE_ENGINE.test(name) || name === TABLES_DATABASE)) {
      refuse(token, `a saved query cannot read tables in ${token.text}`);
    }
    if (isSymbol(next, '(') && frame.table && !TABLE_FUNCTIONS.has(name) && !isOutOfReach(name)) {
      refuse(
        token,
        `the table function ${token.text} cannot be used in a saved query`,
        'read a table; `numbers`, `zeros` and `values` are allowed',
      );
    }
    // After `database.` the table is still to come.
    if (frame.table && isSymbol(next, '.')) return;
    if (token.kind !== 'word') {
      frame.table = false;
      return;
    }
    if (name === 'join' && isArrayJoin(tokens, at, arrayInTablePlace)) {
      frame.from = false;
      frame.table = false;
    } else if (frame.query && (name === 'from' || name === 'join')) {
      frame.from = true;
      frame.table = true;
    } else {
      arrayInTablePlace = name === 'array' && frame.table;
      if (ENDS_FROM.has(name)) frame.from = false;
      frame.table = false;
    }
  });
}

/** ARRAY JOIN takes expressions. After a table or an alias that is called `array`, JOIN is an ordinary one. */
function isArrayJoin(tokens: readonly ClickHouseToken[], join: number, arrayInTablePlace: boolean): boolean {
  const before = tokens[join - 2];
  return isWord(tokens[join - 1], 'array') && !arrayInTablePlace && !isWord(before, 'as') && !isSymbol(before, '.');
}
