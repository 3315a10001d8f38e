// A layout is the way in which a table stores a column of a source. There are one or two for columns of values, and several for records of
// log events.
import type { Span } from '../../base/source-text.ts';
import type { Range } from '../base/number-range.ts';
import type { Type } from '../base/types.ts';
import type { SqlExpression } from '../target/ast.ts';

export type Path = readonly string[];

/** The facts that the translator needs about a column: its layout, and the needs of that layout. */
interface Read {
  readonly layout: string;
}

interface NamedLayout<R extends Read> {
  readonly name: R['layout'];
  /** Where the table has the column or, with a path, a field of it, as people write it: `LogAttributes['id']`; '' where nothing can be said. */
  place(read: R, path: Path): string;
  /** The column as it is stored, if it is one. */
  stored?(alias: string, read: R): SqlExpression;
}

/** A field; of every element only some fields; the entry of a key. */
export interface ValuePart {
  readonly kind: 'path' | 'fields' | 'entry';
  readonly path: Path;
}

/** A column that is no record. */
export interface ValueLayout<R extends Read> extends NamedLayout<R> {
  readonly records: false;
  value(alias: string, read: R, type: Type, fresh: Fresh): SqlExpression;
  /** A part of a struct, an array of structs or a map, without the rest. */
  part?(alias: string, read: R, part: ValuePart, type: Type, fresh: Fresh): SqlExpression;
  neverNull(read: R): boolean;
  /** True if all rows have the same value. */
  readonly constant?: true;
  /** Bounds of the numbers that the stored type holds, where they are narrower than those of INT64. */
  range?(read: R): Range | undefined;
  /** The digits after the point of a decimal. */
  digits?(read: R): number | undefined;
}

/** A repeated record. Paths start inside of the one top record. */
export interface RecordLayout<R extends Read> extends NamedLayout<R>, Recognition<R>, Knowledge<R>, Reader<R> {
  readonly records: true;
}

export type Layout<R extends Read> = ValueLayout<R> | RecordLayout<R>;

// ---- how it is recognised -----------------------------------------------------------------------------------------------------------

/** A row of DESCRIBE TABLE. */
export interface TableColumn {
  readonly name: string;
  /** ClickHouse type text. */
  readonly type: string;
  /** Why queries cannot read it, where its type does not say so. */
  readonly unread?: string;
  /** A text that stands for a value as files of text have it: BYTES in base64, and a BOOL as `yes` or `0`, too. */
  readonly written?: true;
}

/** A column of the table, or one that `parts`, columns of the table, make together. */
export interface HeldColumn extends TableColumn {
  readonly parts?: readonly TableColumn[];
}

/** What is known of the entries of a Map column, whatever the row. */
export interface AttributeFacts {
  /** No entry is an empty text, and the numbers are those of JSON: '' is what a map gives for a key that it has not. */
  readonly neverEmpty?: true;
  /** The dotted paths of records that every event has. */
  readonly records?: readonly string[];
}

/** The project's description of a record. */
export interface RecordWishes {
  /** Types of its fields, by dotted path. */
  readonly declared: ReadonlyMap<string, Type>;
  readonly records?: 'one' | 'several' | undefined;
  /** Those of the layout's own settings that it gives. */
  readonly settings: Readonly<Record<string, string>>;
  readonly attributes?: AttributeFacts | undefined;
}

/** The project's description of a table, and of metadata in it. */
export interface TableWishes extends RecordWishes {
  /** The name of the source, for messages. */
  readonly source: string;
  /** The name of the column of records. */
  readonly metadata: string;
  /** Columns that are no part of metadata, in lower case. */
  readonly own: ReadonlySet<string>;
}

interface Recognition<R extends Read> {
  /** Why a column has this layout: its type, a type that fits together with the name metadata, or quern.yaml alone. */
  readonly recognised: 'by its type' | 'as metadata' | 'by declaration';
  /** Texts that quern.yaml may give with the layout: their names, and what they say. */
  readonly settings?: Readonly<Record<string, string>>;
  fits(column: HeldColumn): boolean;
  /** The columns of a table, of which those that make a record together are one. */
  gather?(columns: readonly HeldColumn[], wishes: TableWishes): readonly HeldColumn[];
  /** The column's type in queries and how it is read. */
  column(column: HeldColumn, wishes: RecordWishes): { readonly type: Type; readonly read: R };
}

// ---- what is known of it ------------------------------------------------------------------------------------------------------------

interface Knowledge<R extends Read> {
  /** True if no record of the column ever has several elements. */
  oneElement(read: R): boolean;
  /** True if every event has the record at `path`. */
  everywhere?(read: R, path: Path): boolean;
  /** True if its FLOAT64 fields are never NaN or infinite: JSON has no such numbers, and a text is read as a number only if it is one. */
  readonly finite: boolean;
  /** True if the value at `path` is NULL in all events without the record at `outer`, which contains it. */
  nullWithoutRecord(read: R, path: Path, outer: Path): boolean;
  /** True if an undeclared field may contain an array of values, which only the text of the whole record has in every case. */
  readonly undeclaredArrays: boolean;
  /** True if an undeclared record is nothing but the fields below it, so that there is no value at its own path. */
  readonly recordsApart: boolean;
  /** Throws QuernError for a field that no event can have. */
  checkField?(read: R, path: Path, span: Span): void;
  /** True if the record at a path is an array, for records that are read as arrays. */
  isRepeated?(read: R, path: Path): boolean;
}

// ---- how it is read, from the table called `alias` ----------------------------------------------------------------------------------

export interface Reader<R extends Read> {
  /** JSON text of the column: one record or an array of them. */
  whole(alias: string, read: R, type: Type, names: Names): SqlExpression;
  /** JSON text of the record at a path, NULL when the event has none there; `type` is the column's. */
  record(alias: string, read: R, path: Path, type: Type, names: Names): SqlExpression;
  /** Tests whether an event has the record at `path`. */
  present(alias: string, read: R, path: Path, fresh: Fresh): SqlExpression;
  /** Values that are no records. */
  readonly fields: TypedFields<R> | TextFields<R>;
  /** Values of several types, of which those that are texts can be read as they are. */
  readonly mixed?: {
    /** Whether the path's is one. */
    has(read: R, path: Path): boolean;
    /** NULL where it is no text. */
    text(alias: string, read: R, path: Path): SqlExpression;
  };
  /** Arrays of the values at a path, one level of arrays per repeated record above it: what a chain of ARRAY JOINs walks. */
  elements?(alias: string, read: R, path: Path, type: Type, fresh: Fresh): SqlExpression;
}

/** Each field is read by itself, as the type that it is declared with. */
interface TypedFields<R extends Read> {
  readonly as: 'values';
  value(alias: string, read: R, path: Path, type: Type, fresh: Fresh): SqlExpression;
}

/** Fields are held as text: what is read together may be found together. */
interface TextFields<R extends Read> {
  readonly as: 'texts';
  /** In the order of the fields; NULL where the event has none. */
  texts(alias: string, read: R, fields: readonly { readonly path: Path; readonly type: Type }[], names: Names): readonly SqlExpression[];
}

/** Makes names for the parameters of lambdas. */
export type Fresh = (base: string) => string;

/** How what is read gets names. */
export interface Names {
  readonly fresh: Fresh;
  /** The value under a name of the SELECT's own, where that can give one: what stands at several places is written once. */
  name(base: string, value: SqlExpression): SqlExpression;
}
