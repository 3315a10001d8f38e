// The layouts: a folder and a line here for each. Everything that is known of one is in its object; who meets a column asks the object of its layout.
import { ABSENT } from './absent/layout.ts';
import { COLUMN } from './column/layout.ts';
import { FLAT } from './flat/layout.ts';
import { JSON_COLUMN } from './json/layout.ts';
import type { Layout, RecordLayout } from './layout.ts';
import { MAP } from './map/layout.ts';
import { NESTED } from './nested/layout.ts';
import { TEXT } from './text/layout.ts';

export { entryColumn, plainColumn, tableColumn } from './column/recognise.ts';
export type { HeldColumn, RecordWishes, TableColumn, TableWishes } from './layout.ts';
export { withNested } from './nested/record-type.ts';

/** In the order in which the layout of a column is looked for. */
const LAYOUTS = [COLUMN, ABSENT, JSON_COLUMN, NESTED, MAP, TEXT, FLAT] as const;

type ReadOf<L> = L extends Layout<infer R> ? R : never;
/** How a column is read: by `layout`, what each layout says. */
export type ColumnRead = ReadOf<(typeof LAYOUTS)[number]>;
type RecordRead = ReadOf<Extract<(typeof LAYOUTS)[number], { readonly records: true }>>;
/** What quern.yaml calls the layouts of records. */
export type LayoutName = RecordRead['layout'];

// The table is complete over the union; TypeScript can't pair a layout with what is read by itself.
const BY_NAME = new Map<string, Layout<ColumnRead>>(LAYOUTS.map((layout) => [layout.name, layout as Layout<ColumnRead>]));

export const RECORD_LAYOUTS = LAYOUTS.filter((layout) => layout.records) as readonly RecordLayout<RecordRead>[];

export function layoutOf(read: ColumnRead): Layout<ColumnRead> {
  const layout = BY_NAME.get(read.layout);
  if (layout === undefined) throw new RangeError(`there is no layout ${read.layout}`);
  return layout;
}

/** The layout of a record; undefined for a column that is none. */
export function recordLayoutOf(read: ColumnRead): RecordLayout<ColumnRead> | undefined {
  const layout = layoutOf(read);
  return layout.records ? layout : undefined;
}
