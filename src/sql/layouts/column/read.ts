// The facts that the translator needs about a plain column.
import type { AttributeFacts } from '../layout.ts';

export interface PlainRead {
  readonly layout: 'column';
  /** Column name in the table; the source may show it under another name. */
  readonly column: string;
  /** ClickHouse type text, e.g. `LowCardinality(String)`. */
  readonly clickhouseType: string;
  /** ClickHouse type to convert it to where the stored type is not the one that stands for the column's GoogleSQL type. */
  readonly castTo?: string;
  /**
   * How queries see the value that is read: as the date or time that a text says, as that which lies so many days after 1970, or as the bytes
   * that a text in base64 encodes.
   */
  readonly says?: 'text' | 'days' | 'base64';
  /** Forms that most texts of times have, with 0 for each digit: see timeForm. Any other text is read as CAST reads it. */
  readonly forms?: readonly string[];
  /** No CAST gives the type that stands for it. */
  readonly byParts?: true;
  /** The fields of an ARRAY<STRUCT<…>> that are columns of their own, `items.sku`: a Nested column. There is no column `items`. */
  readonly flattened?: readonly string[];
  /** The value is the entry of this key in a Map column. */
  readonly key?: string;
  /** What is known of that column. */
  readonly attributes?: AttributeFacts;
  /** No column of the table: the value of the folder `key=value` with this key on the way to the file that a row is from; NULL where there is none. */
  readonly folder?: string;
  /** The number of bytes at the beginning of a text that are not part of the value. */
  readonly prefix?: number;
  /** A DateTime column that holds the same time cut to the second: partitions and keys are made of it. */
  readonly secondsColumn?: string;
  /** The table's key is made of toDateTime(column). */
  readonly keyOfSeconds?: boolean;
}
