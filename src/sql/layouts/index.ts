// The layouts: everything that is known of one is in its object; who meets a column asks the object of its layout. Those of records are in records.ts.
import type { Type } from '../base/types.ts';
import { ABSENT } from './absent/layout.ts';
import { withForms } from './column/forms.ts';
import { COLUMN } from './column/layout.ts';
import type { Layout, RecordLayout } from './layout.ts';
import { type RecordRead, recordLayoutNamed } from './records.ts';

export { STORED_SCALARS } from '../target/types.ts';
export { NOT_JSON } from './column/by-parts.ts';
export { NULL_FOLDER } from './column/folder.ts';
export { entryColumn, plainColumn, tableColumn } from './column/recognise.ts';
export type { AttributeFacts, HeldColumn, RecordWishes, TableColumn, TableWishes } from './layout.ts';
export { withNested } from './nested/record-type.ts';

type ReadOf<L> = L extends Layout<infer R> ? R : never;
/** How a column is read: by `layout`, what each layout says. */
export type ColumnRead = ReadOf<typeof COLUMN> | ReadOf<typeof ABSENT> | RecordRead;
/** The names of the layouts of records in quern.yaml. */
export type LayoutName = RecordRead['layout'];

// The table is complete over the union; TypeScript can't pair a layout with what is read by itself.
const OF_VALUES = new Map<string, Layout<ColumnRead>>([COLUMN, ABSENT].map((layout) => [layout.name, layout as Layout<ColumnRead>]));

export function layoutOf({ layout: name }: ColumnRead): Layout<ColumnRead> {
  const layout = OF_VALUES.get(name) ?? recordLayoutNamed(name);
  if (layout === undefined) throw new RangeError(`there is no layout ${name}`);
  return layout as Layout<ColumnRead>;
}

/** The layout of a record; undefined for a column that is none. */
export function recordLayoutOf(read: ColumnRead): RecordLayout<ColumnRead> | undefined {
  const layout = layoutOf(read);
  return layout.records ? layout : undefined;
}

/** True if the read is of the plain column with this name in the table. */
export const isPlainRead = (read: ColumnRead, column: string): boolean => read.layout === 'column' && read.column === column;

/** The same of a source of files whose folders `key=value` have these keys: a column named like one holds the values of the folders. */
export const inFolders = (read: ColumnRead, keys: ReadonlySet<string>): ColumnRead =>
  read.layout === 'column' && keys.has(read.column) ? { ...read, folder: read.column } : read;

/** How a column is read where the usual forms of its texts are known, by the names of the columns in the table. */
export const readByForms = (read: ColumnRead, type: Type, forms: Readonly<Record<string, readonly string[]>>): ColumnRead =>
  read.layout === 'column' ? withForms(read, type, forms) : read;
