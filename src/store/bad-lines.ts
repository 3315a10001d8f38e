// The lines of a file that could not be loaded: all counted, the first ones kept to be shown.
import type { AddBad } from '../sources/files/csv-records.ts';

interface BadLine {
  /** 1-based; for Parquet the number of the row. */
  readonly line: number;
  readonly reason: string;
  /** The beginning of the line. */
  readonly text: string;
  /** A column and a type for it with which the line could be loaded, as in --schema. */
  readonly schema?: string | undefined;
}

export interface BadLines {
  readonly count: number;
  readonly first: readonly BadLine[];
}

export { Invalid } from '../sources/files/cells.ts';

const SHOWN_CHARACTERS = 200;

export interface BadLineCollector {
  readonly add: AddBad;
  readonly report: BadLines;
}

export function collectBadLines(kept: number): BadLineCollector {
  const first: BadLine[] = [];
  let count = 0;
  return {
    add(line, reason, text, schema) {
      count++;
      const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text.trimEnd();
      if (first.length < kept) first.push({ line, reason, text: shown, ...(schema === undefined ? {} : { schema }) });
    },
    get report() {
      return { count, first: [...first].sort((a, b) => a.line - b.line) };
    },
  };
}
