// Encodings of text, and how they are told from each other.

/** The names are those of BigQuery. https://cloud.google.com/bigquery/docs/loading-data-cloud-storage-csv#encoding */
export const ENCODINGS = ['UTF-8', 'UTF-16', 'UTF-16LE', 'UTF-16BE', 'ISO-8859-1', 'Windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Bytes of a text that no character of its encoding has. `line` counts as editors do, from 1. */
export class UndecodableError extends Error {
  readonly line: number;
  constructor(line: number, why: string) {
    super(why);
    this.line = line;
  }
}

/** The encoding that begins with these bytes: a byte order mark is that of UTF-16. */
export function markedEncoding(head: Uint8Array): Encoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'UTF-16LE';
  return head[0] === 0xfe && head[1] === 0xff ? 'UTF-16BE' : undefined;
}
