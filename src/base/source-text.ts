// A named text (a query file, a query string) and places in it; spans are offsets, line and column are computed when shown.

/** Half-open range of UTF-16 offsets into the original text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** 1-based line and column, the way editors count them. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface SourceText {
  /** File name, or a label such as `<query>`. */
  readonly name: string;
  readonly text: string;
}

/** Returns the line and column of an offset. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let at = before.indexOf('\n'); at !== -1; at = before.indexOf('\n', at + 1)) line++;
  return { line, column: offset - lineStart + 1 };
}

/** The whole line that holds `offset`, without its line break. */
export function lineAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  return text.slice(start, end === -1 ? text.length : end).replace(/\r$/, '');
}
