// What an output format is: a function from a result to chunks of text.
import type { QueryResult, ResultColumn, Row } from '../base/result.ts';

/** The names of columns are those that a table shows. */
export interface ChartWishes {
  readonly kind?: 'line' | 'bar' | undefined;
  readonly x?: string | undefined;
  readonly y?: readonly string[] | undefined;
  readonly series?: string | undefined;
}

/** Texts that a spreadsheet would take for formulas are left as they are, or marked as texts. */
export type Formulas = 'keep' | 'escape';

/** What may be asked of a drawing. */
export interface DrawOptions {
  /** Names of columns that a table does not cut, besides those of numbers and times. */
  readonly whole?: readonly string[] | undefined;
  /** Whether texts that are too long for a table go on in the next line, where others are cut. */
  readonly wrap?: boolean | undefined;
  /** How many rows a table draws where each must be a block; all when absent. */
  readonly mostBlocks?: number | undefined;
  /** How a chart is to be drawn, where its own choice is not wanted. */
  readonly chart?: ChartWishes | undefined;
  /** Whether a table draws arrays of numbers as small charts. */
  readonly sparklines?: boolean | undefined;
  /** Of a page; other formats are rows and nothing else. */
  readonly heading?: Heading | undefined;
}

/** What stands above the rows in a document of their own. */
interface Heading {
  readonly title: string;
  /** For which arguments, and as of when. */
  readonly facts: readonly string[];
}

/** How a result is to be printed, and for what. */
export interface Layout extends DrawOptions {
  /** Columns of the terminal; undefined when there is none, and then nothing is cut. */
  readonly width: number | undefined;
  readonly colour: boolean;
  /** Lines that a chart may fill; it has its usual height when absent. */
  readonly height?: number | undefined;
  /** True where characters beyond ASCII cannot be shown; charts heed it. */
  readonly ascii?: boolean | undefined;
  /** What csv makes of texts that a spreadsheet would compute. */
  readonly formulas?: Formulas | undefined;
  /** Hears what the reader should know about the drawing. */
  readonly onNote?: (text: string) => void;
}

/** Chunks in order; each is complete text in UTF-16, so a chunk never splits a character. */
export type Format = (result: QueryResult, layout: Layout) => Iterable<string>;

/** Of formats that are no text. */
export type BinaryFormat = (result: QueryResult, layout: Layout) => Iterable<Uint8Array>;

/** Prints one row at a time, in a format whose rows are lines. */
export interface RowPrinter {
  /** What comes before the first row. */
  readonly head: string;
  /** The columns' names as JSON strings, where every row repeats them. */
  readonly keys: readonly string[];
  readonly line: (row: Row) => string;
  /** Of csv: where it is not `escape`, texts are as they are. */
  readonly formulas?: Formulas | undefined;
}

export type RowText = (columns: readonly ResultColumn[]) => RowPrinter;
