// The layouts of records: a folder and a line here for each.
import { FLAT } from './flat/layout.ts';
import { JSON_COLUMN } from './json/layout.ts';
import type { Layout, RecordLayout } from './layout.ts';
import { MAP } from './map/layout.ts';
import { NESTED } from './nested/layout.ts';
import { TEXT } from './text/layout.ts';

/** In the order in which the layout of a column is looked for. */
const LAYOUTS = [JSON_COLUMN, NESTED, MAP, TEXT, FLAT] as const;

type ReadOf<L> = L extends Layout<infer R> ? R : never;
export type RecordRead = ReadOf<(typeof LAYOUTS)[number]>;

// The table is complete over the union; TypeScript can't pair a layout with what is read by itself.
export const RECORD_LAYOUTS: readonly RecordLayout<RecordRead>[] = LAYOUTS.map((layout) => layout as RecordLayout<RecordRead>);

/** The layout of that name; undefined where it is none of records. */
export function recordLayoutNamed(name: string): RecordLayout<RecordRead> | undefined {
  return RECORD_LAYOUTS.find((layout) => layout.name === name);
}
