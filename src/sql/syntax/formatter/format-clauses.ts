// Cuts a query into clauses, and those into items and conditions.
import { isWord, type Part } from './format-pieces.ts';

export interface Clause {
  readonly kind: 'list' | 'with' | 'condition' | 'pipe' | 'plain';
  readonly keyword: readonly Part[];
  readonly body: readonly Part[];
}

const JOIN_WORDS = ['INNER', 'LEFT', 'RIGHT', 'FULL', 'CROSS', 'OUTER'];

/** True of the parts of a query: `SELECT …`, `WITH …`, `FROM …`, or a query in parentheses with more behind it. */
export function isQueryText(parts: readonly Part[]): boolean {
  const [first, second] = parts;
  if (isWord(first, 'SELECT', 'FROM', 'CREATE')) return true;
  if (isWord(first, 'WITH')) return !isParenthesis(second);
  return isParenthesis(first) && parts.some((_, i) => i > 0 && isSetOperator(parts, i));
}

const isParenthesis = (part: Part | undefined): boolean => part?.kind === 'group' && part.open.token.text === '(';

const isSetOperator = (parts: readonly Part[], i: number): boolean =>
  isWord(parts[i], 'UNION', 'INTERSECT') || (isWord(parts[i], 'EXCEPT') && isWord(parts[i + 1], 'ALL', 'DISTINCT'));

/** Returns how many parts from `i` are the keyword of a clause; 0 when none begins there. */
function keywordLength(parts: readonly Part[], i: number, inPipe: boolean): number {
  const at = (offset: number) => parts[i + offset];
  if (isWord(at(0), '|>')) return 1;
  if (inPipe) return 0;
  if (isWord(at(0), 'SELECT')) {
    let length = 1;
    if (isWord(at(length), 'DISTINCT', 'ALL')) length++;
    if (isWord(at(length), 'AS') && isWord(at(length + 1), 'STRUCT', 'VALUE')) length += 2;
    return length;
  }
  if (isWord(at(0), 'WITH')) {
    if (isWord(at(1), 'OFFSET') || isParenthesis(at(1))) return 0;
    return isWord(at(1), 'RECURSIVE') ? 2 : 1;
  }
  if (isWord(at(0), 'GROUP', 'ORDER') && isWord(at(1), 'BY')) return 2;
  if (isWord(at(0), 'FROM', 'WHERE', 'HAVING', 'QUALIFY', 'WINDOW', 'LIMIT', 'JOIN')) return 1;
  if (isSetOperator(parts, i)) return isWord(at(1), 'ALL', 'DISTINCT') ? 2 : 1;
  if (isWord(at(0), ...JOIN_WORDS)) {
    let length = 1;
    while (isWord(at(length), ...JOIN_WORDS)) length++;
    return isWord(at(length), 'JOIN') ? length + 1 : 0;
  }
  return 0;
}

/** Returns the clauses of a query in the order of the text. */
export function clausesOf(parts: readonly Part[]): readonly Clause[] {
  const clauses: Clause[] = [];
  let keyword: readonly Part[] = [];
  let body: Part[] = [];
  let inPipe = false;
  const close = () => {
    if (keyword.length > 0 || body.length > 0) clauses.push({ kind: kindOf(keyword), keyword, body });
    body = [];
  };
  for (let i = 0; i < parts.length; ) {
    const length = keywordLength(parts, i, inPipe);
    if (length > 0) {
      close();
      keyword = parts.slice(i, i + length);
      inPipe = isWord(keyword[0], '|>');
      i += length;
    } else {
      const part = parts[i] as Part; // i is below the length
      body.push(part);
      i++;
      if (isWord(part, ';')) {
        close();
        keyword = [];
        inPipe = false;
      }
    }
  }
  close();
  return clauses;
}

function kindOf([first]: readonly Part[]): Clause['kind'] {
  if (isWord(first, '|>')) return 'pipe';
  if (isWord(first, 'WITH')) return 'with';
  if (isWord(first, 'SELECT', 'GROUP', 'ORDER', 'FROM', 'WINDOW')) return 'list';
  if (isWord(first, 'WHERE', 'HAVING', 'QUALIFY', 'JOIN', ...JOIN_WORDS)) return 'condition';
  return 'plain';
}

/** Cuts behind semicolons. */
export function statementsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  return cut(parts, (i) => isWord(parts[i - 1], ';') && !isWord(parts[i], ';'));
}

/** Cuts behind commas; the last piece may be empty. */
export function itemsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  return cut(parts, (i) => isWord(parts[i - 1], ','));
}

/** Cuts before AND and OR, but not before the AND of BETWEEN. */
export function conditionsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  let between = 0;
  return cut(parts, (i) => {
    if (isWord(parts[i], 'BETWEEN')) between++;
    if (!isWord(parts[i], 'AND', 'OR')) return false;
    if (isWord(parts[i], 'OR') || between === 0) return true;
    between--;
    return false;
  });
}

/** Cuts before WHEN and ELSE. */
export const branchesOf = (parts: readonly Part[]): readonly (readonly Part[])[] => cut(parts, (i) => isWord(parts[i], 'WHEN', 'ELSE'));

/** Cuts before the parts of a window. */
export const windowParts = (parts: readonly Part[]): readonly (readonly Part[])[] =>
  cut(parts, (i) => i > 0 && (isWord(parts[i], 'PARTITION', 'ROWS', 'RANGE') || (isWord(parts[i], 'ORDER') && isWord(parts[i + 1], 'BY'))));

function cut(parts: readonly Part[], before: (i: number) => boolean): readonly (readonly Part[])[] {
  const pieces: Part[][] = [[]];
  parts.forEach((part, i) => {
    if (before(i) && (pieces.at(-1)?.length ?? 0) > 0) pieces.push([]);
    pieces.at(-1)?.push(part);
  });
  return pieces.filter((piece) => piece.length > 0);
}
