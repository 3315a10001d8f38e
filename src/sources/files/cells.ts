// The cells of a record of CSV (RFC 4180).

/** Thrown while a line is read: it is kept out, for this reason. */
export class Invalid extends Error {}

/** The expression for a delimiter, which is a single character. */
function cellBetween(delimiter: string): RegExp {
  const escaped = `\\x${delimiter.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return new RegExp(`(?:"((?:[^"]|"")*)"|((?:[^"${escaped}][^${escaped}]*)?))(${escaped}|$)`, 'y');
}
const CELLS = new Map<string, RegExp>();

/** Returns the cells of one record. An empty cell without quotes is null. Throws Invalid when something stands between a closing quote and the end of its cell. */
export function readCells(text: string, delimiter = ','): readonly (string | null)[] {
  const cell = CELLS.get(delimiter) ?? cellBetween(delimiter);
  CELLS.set(delimiter, cell);
  const cells: (string | null)[] = [];
  cell.lastIndex = 0;
  for (;;) {
    const match = cell.exec(text);
    if (match === null) throw new Invalid('there is a quote in the middle of a cell');
    const [, quoted, plain = ''] = match;
    cells.push(quoted?.replaceAll('""', '"') ?? (plain === '' ? null : plain));
    if (match[3] === '') return cells;
  }
}
