// What the translator is told of a plain column.

export interface PlainRead {
  readonly layout: 'column';
  /** Column name in the table; the source may show it under another name. */
  readonly column: string;
  /** ClickHouse type text, e.g. `LowCardinality(String)`. */
  readonly clickhouseType: string;
  /** ClickHouse type to convert it to where the stored type is not the one that stands for the column's GoogleSQL type. */
  readonly castTo?: string;
  /** What is read is this, and queries see the date or the time that a text says, or that lies so many days after 1970, or the bytes that a text of base64 stands for. */
  readonly says?: 'text' | 'days' | 'base64';
  /** Forms that most texts of times have, with 0 for each digit: see timeForm. Any other text is read as CAST reads it. */
  readonly forms?: readonly string[];
  /** No CAST gives the type that stands for it. */
  readonly byParts?: true;
  /** The fields of an ARRAY<STRUCT<…>> that are columns of their own, `items.sku`: a Nested column. There is no column `items`. */
  readonly flattened?: readonly string[];
  /** The value is the entry of this key in a Map column. */
  readonly key?: string;
  /** No column of the table: the value of the folder `key=value` with this key on the way to the file that a row is from; NULL where there is none. */
  readonly folder?: string;
  /** Of a text: so many bytes at its beginning are not part of the value. */
  readonly prefix?: number;
  /** A DateTime column that holds the same time cut to the second: partitions and keys are made of it. */
  readonly secondsColumn?: string;
  /** The table's key is made of toDateTime(column). */
  readonly keyOfSeconds?: boolean;
}
