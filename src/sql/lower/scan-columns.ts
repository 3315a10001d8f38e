// What the columns of one scan read. Values that are long to write or costly to find, those of text and map columns, are shared between them.

import { mapEntry, mapRecord } from '../layouts/map/reader.ts';
import { fromText, isRecordType, type Names } from '../layouts/record-reader.ts';
import { type Path, textLeaves } from '../layouts/text/leaves.ts';
import type { ScanColumn } from '../logical/resolved.ts';
import { printedNodes } from '../size.ts';
import type { SourceColumn, TextRead } from '../source.ts';
import type { Ch } from '../target/ast.ts';
import { ident, NULL } from '../target/build.ts';
import { readScanColumn } from './record.ts';

type Entry = readonly [ScanColumn, Path];
/** Whether conditions on rows depend on the column with this id. */
type InFilter = (id: number) => boolean;

/** The columns' values, written for a table called `alias`. */
export function readScanColumns(alias: string, columns: readonly ScanColumn[], names: Names, inFilter: InFilter): readonly Ch[] {
  const texts = leafTexts(alias, columns, names, inFilter);
  return columns.map((scanned) => {
    const text = texts.get(scanned);
    const { name, type } = scanned.column;
    const record = mapRecordAt(alias, scanned, names);
    if (record !== undefined) return record;
    if (text === undefined) {
      const value = readScanColumn(alias, scanned, names.fresh);
      return scanned.part.kind === 'path' && printedNodes(value) >= MIN_NAMED ? names.name(name, value) : value;
    }
    // The conversion mentions its text twice.
    const once = type.kind === 'BOOL' ? names.name(`${name}_text`, text) : text;
    return names.name(name, fromText(once, type));
  });
}

/** The JSON text of a record that is held as a map. */
function mapRecordAt(alias: string, { column, from, part }: ScanColumn, names: Names): Ch | undefined {
  if (from.read.layout !== 'map') return undefined;
  const path = part.kind === 'whole' ? [] : part.kind === 'path' && isRecordType(column.type) ? part.path : undefined;
  return path && mapRecord(ident(alias, from.read.column), path, from.type, names);
}

/** Nodes from which on a value is written once: a guarded or converted one, not a subcolumn or its cast. */
const MIN_NAMED = 15;

/** The values that are held as texts, as these. */
function leafTexts(alias: string, columns: readonly ScanColumn[], names: Names, inFilter: InFilter): ReadonlyMap<ScanColumn, Ch> {
  const texts = new Map<ScanColumn, Ch>();
  const byColumn = new Map<SourceColumn, Map<ScanColumn, Path>>();
  for (const scanned of columns) {
    const { column, from, part } = scanned;
    if (part.kind !== 'path' || part.path.length === 0 || isRecordType(column.type)) continue;
    if (from.read.layout === 'map') texts.set(scanned, mapEntry(ident(alias, from.read.column), part.path.join('.'), column.type));
    if (from.read.layout === 'text') byColumn.set(from, (byColumn.get(from) ?? new Map()).set(scanned, part.path));
  }
  for (const [{ read }, paths] of byColumn) {
    const { column } = read as TextRead; // only those of that layout were collected
    const text = ident(alias, column);
    // Conditions drop rows, so that for most the other values need not be found.
    const groups = [true, false].flatMap((filters) => withoutNesting([...paths].filter(([c]) => inFilter(c.column.id) === filters)));
    for (const group of groups) {
      const values = textLeaves(
        text,
        column,
        group.map(([, path]) => path),
        names,
      );
      for (const [i, [scanned]] of group.entries()) texts.set(scanned, values[i] ?? NULL);
    }
  }
  return texts;
}

/** Paths that can be read together, and each that leads through another one's value alone. */
function withoutNesting(paths: readonly Entry[]): readonly (readonly Entry[])[] {
  const apart = paths.filter(([, path]) => paths.some(([, other]) => isWithin(path, other)));
  const together = paths.filter((entry) => !apart.includes(entry));
  return [together, ...apart.map((entry) => [entry])].filter((group) => group.length > 0);
}

/** Whether `path` leads through the value at `outer`. */
const isWithin = (path: Path, outer: Path): boolean => path.length > outer.length && outer.every((key, i) => key === path[i]);
