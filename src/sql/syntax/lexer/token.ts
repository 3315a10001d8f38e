// The tokens of a BigQuery text.

export type TokenKind = 'word' | 'quoted' | 'string' | 'bytes' | 'int' | 'float' | 'parameter' | 'symbol' | 'end' | 'error';

export interface Token {
  readonly kind: TokenKind;
  /** Words in upper case and symbols as they are, so that the parser compares one field; '' for every other kind. */
  readonly text: string;
  /** The name as written, the name inside backticks, the value of a string, the digits of a number. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}
