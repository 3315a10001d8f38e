// The interface of output formats: a function from a result to chunks of text.
import type { QueryResult, ResultColumn, Row } from '../base/result.ts';

/** The options of a chart; columns have the names that a table shows. */
export interface ChartOptions {
  readonly kind?: 'line' | 'bar' | undefined;
  readonly x?: string | undefined;
  readonly y?: readonly string[] | undefined;
  readonly series?: string | undefined;
}

/** Texts that a spreadsheet would take for formulas are kept as they are, or marked as texts. */
export type Formulas = 'keep' | 'escape';

/** The options of drawings. */
export interface DrawOptions {
  /** Names of columns that a table does not cut, besides those of numbers and times. */
  readonly whole?: readonly string[] | undefined;
  /** Wraps texts that are too long for a table, instead of cutting them. */
  readonly wrap?: boolean | undefined;
  /** The most rows that a table draws where each must be a block; all when absent. */
  readonly mostBlocks?: number | undefined;
  /** Overrides the chart's own choices. */
  readonly chart?: ChartOptions | undefined;
  /** Draws arrays of numbers in a table as small charts. */
  readonly sparklines?: boolean | undefined;
  /** The heading of a page; other formats are rows and nothing else. */
  readonly heading?: Heading | undefined;
}

/** The heading above the rows in a document of their own. */
interface Heading {
  readonly title: string;
  /** The arguments, and the time of the data. */
  readonly facts: readonly string[];
}

/** The options of printing a result, and the output that it is for. */
export interface Layout extends DrawOptions {
  /** Columns of the terminal; undefined when there is none, and then nothing is cut. */
  readonly width: number | undefined;
  readonly colour: boolean;
  /** Lines that a chart may fill; it has its usual height when absent. */
  readonly height?: number | undefined;
  /** True where characters beyond ASCII cannot be shown; only charts follow it. */
  readonly ascii?: boolean | undefined;
  /** For csv; by default `keep`. */
  readonly formulas?: Formulas | undefined;
  /** Reports what the reader should know about the drawing. */
  readonly onNote?: (text: string) => void;
}

/** Chunks in order; each is complete text in UTF-16, so a chunk never splits a character. */
export type Format = (result: QueryResult, layout: Layout) => Iterable<string>;

/** Formats that are not text. */
export type BinaryFormat = (result: QueryResult, layout: Layout) => Iterable<Uint8Array>;

/** Prints one row at a time, in a format whose rows are lines. */
export interface RowPrinter {
  /** Comes before the first row. */
  readonly head: string;
  /** The columns' names as JSON strings, where every row repeats them. */
  readonly keys: readonly string[];
  readonly line: (row: Row) => string;
  /** For csv: unless it is `escape`, texts are as they are. */
  readonly formulas?: Formulas | undefined;
}

export type RowText = (columns: readonly ResultColumn[]) => RowPrinter;
