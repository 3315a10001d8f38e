// Refuses functions that are not known to be harmless, wherever ClickHouse SQL can name one: before a parenthesis, as an argument, after APPLY.

import { didYouMean } from '../../base/errors.ts';
import { type ClickHouseToken, isName, isSymbol, isWord } from '../../clickhouse/lexer.ts';
import {
  functionNames,
  HIGHER_ORDER_FUNCTIONS,
  isFunction,
  isOutOfReach,
  TABLE_FUNCTIONS,
  TYPES,
  WORDS_BEFORE_PARENTHESES,
} from './functions.ts';
import type { Refuse } from './statement.ts';

interface Frame {
  /** Names of lambdas (`WITH x -> x + 1 AS next`), which may be called in this pair of parentheses and in those within. */
  readonly lambdas: ReadonlySet<string>;
  /** The WITH that a SELECT begins with: where lambdas are given their names. */
  readonly heading: boolean;
  /** An arrow stands in the part of WITH since the last comma. */
  readonly arrow: boolean;
}

/** Words that may follow a column called `apply`; no function has such a name. */
const AFTER_COLUMN = new Set(
  `and array as asc between desc div except fetch final format from global group having ilike in intersect is join like limit mod not
  nulls offset on or order prewhere qualify regexp sample settings then union using when where window with else end`.split(/\s+/),
);

export function checkCalls(tokens: readonly ClickHouseToken[], refuse: Refuse): void {
  let frame: Frame = { lambdas: new Set(), heading: false, arrow: false };
  const outer: Frame[] = [];
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    if (token.kind === 'symbol') {
      if (isSymbol(token, '(')) {
        outer.push(frame);
        frame = { lambdas: frame.lambdas, heading: false, arrow: false };
      } else if (isSymbol(token, ')')) frame = outer.pop() ?? frame;
      else if (isSymbol(token, ',')) frame = { ...frame, arrow: false };
      else if (isArrow(tokens, at)) frame = { ...frame, arrow: true };
      return;
    }
    if (isWord(token, 'with')) frame = { ...frame, heading: true, arrow: false };
    if (isWord(token, 'select')) frame = { ...frame, heading: false };
    if (frame.heading && frame.arrow && isWord(token, 'as') && isName(next) && !isSymbol(tokens[at + 2], '(')) {
      frame = { ...frame, lambdas: new Set([...frame.lambdas, next.text.toLowerCase()]) };
    }
    if (!isName(token)) return;
    const check = (name: ClickHouseToken | undefined, isAllowed: (name: string, token: ClickHouseToken) => boolean): void => {
      if (name !== undefined && !isAllowed(name.text.toLowerCase(), name)) refuseFunction(name, frame, refuse);
    };
    if (isWord(token, 'apply')) check(appliedName(tokens, at), isFunction);
    if (!isSymbol(next, '(') || isColumnList(tokens, at)) return;
    check(token, mayBeCalled);
    if (HIGHER_ORDER_FUNCTIONS.has(token.text.toLowerCase())) check(passedName(tokens, at), isFunction);
  });
}

function refuseFunction(token: ClickHouseToken, { lambdas }: Frame, refuse: Refuse): void {
  const name = token.text.toLowerCase();
  // Also where a lambda has the name: it is not seen everywhere that the function is.
  if (isOutOfReach(name)) refuse(token, `the function ${token.text} cannot be used in a saved query`);
  if (!lambdas.has(name)) refuseUnknown(token, refuse);
}

/** True for a name that may stand before a parenthesis. */
function mayBeCalled(name: string, { kind }: ClickHouseToken): boolean {
  return isFunction(name) || TABLE_FUNCTIONS.has(name) || TYPES.has(name) || (kind === 'word' && WORDS_BEFORE_PARENTHESES.has(name));
}

function refuseUnknown(token: ClickHouseToken, refuse: Refuse): never {
  const hint =
    didYouMean(token.text, functionNames()) ??
    'to use a function that only the server has, create a view on the server that calls it, and read that';
  return refuse(token, `quern does not know the ClickHouse function ${token.text}`, hint);
}

/** The name that is all of the first of several arguments, perhaps in parentheses or with an alias: what could be a function. */
function passedName(tokens: readonly ClickHouseToken[], call: number): ClickHouseToken | undefined {
  let at = call + 2;
  for (; isSymbol(tokens[at], '('); at++);
  const depth = at - call - 2;
  const name = tokens[at];
  if (!isName(name)) return undefined;
  let closed = 0;
  for (at++; closed < depth && isSymbol(tokens[at], ')'); at++) closed++;
  const after = tokens[at];
  // `(a, b) -> …`, a call, a field, an expression, the only argument.
  if (closed < depth || isArrow(tokens, at) || (after?.kind === 'symbol' && after.text !== ',')) return undefined;
  return name;
}

/** `APPLY name` and `APPLY(name)`; calls and lambdas have signs of their own. */
function appliedName(tokens: readonly ClickHouseToken[], apply: number): ClickHouseToken | undefined {
  const at = isSymbol(tokens[apply + 1], '(') ? apply + 2 : apply + 1;
  const name = tokens[at];
  if (!isName(name) || isSymbol(tokens[at + 1], '(') || isArrow(tokens, at + 1)) return undefined;
  return name.kind === 'word' && AFTER_COLUMN.has(name.text.toLowerCase()) ? undefined : name;
}

function isArrow(tokens: readonly ClickHouseToken[], at: number): boolean {
  return isSymbol(tokens[at], '-') && isSymbol(tokens[at + 1], '>');
}

/** `t(a, b) AS (SELECT …)` in WITH, and `(SELECT …) AS t(a, b)`. */
function isColumnList(tokens: readonly ClickHouseToken[], name: number): boolean {
  let at = name + 2;
  while (isName(tokens[at]) && isSymbol(tokens[at + 1], ',')) at += 2;
  if (!isName(tokens[at]) || !isSymbol(tokens[at + 1], ')')) return false;
  const table = isWord(tokens[name - 1], 'as') && isSymbol(tokens[name - 2], ')');
  return table || (isWord(tokens[at + 2], 'as') && isSymbol(tokens[at + 3], '('));
}
