// The columns of one scan. Values that are long to write or costly to find are shared between columns.

import { printedNodes } from '../base/size.ts';
import type { Type } from '../base/types.ts';
import { isPlainRead, layoutOf, recordLayoutOf } from '../layouts/index.ts';
import type { Names, Path, ValuePart } from '../layouts/layout.ts';
import { fromText, isRecordType } from '../layouts/stored.ts';
import type { ScanColumn } from '../logical/nodes.ts';
import type { SourceColumn } from '../source.ts';
import type { SqlExpression } from '../target/ast.ts';
import { ident, NULL } from '../target/build.ts';

/** True if conditions on rows depend on the column with this id. */
type InFilter = (id: number) => boolean;

/** Returns the values of the columns, for a table called `alias`. */
export function readScanColumns(alias: string, columns: readonly ScanColumn[], names: Names, inFilter: InFilter): readonly SqlExpression[] {
  const texts = fieldTexts(alias, columns, names, inFilter);
  return columns.map((scanned) => {
    const text = texts.get(scanned);
    const { name, type } = scanned.column;
    if (text === undefined) {
      const value = readScanColumn(alias, scanned, names);
      return scanned.part.kind === 'path' && printedNodes(value) >= MIN_NAMED ? names.name(name, value) : value;
    }
    // The conversion mentions its text twice.
    const once = type.kind === 'BOOL' ? names.name(`${name}_text`, text) : text;
    return names.name(name, fromText(once, type));
  });
}

/** Returns a column by its name in the table, which `columns` may not contain. */
export function storedColumn(alias: string, name: string, columns: readonly SourceColumn[]): SqlExpression {
  const read = columns.map((column) => column.read).find((one) => isPlainRead(one, name));
  return (read === undefined ? undefined : layoutOf(read).stored?.(alias, read)) ?? ident(alias, name);
}

/** Nodes from which on a value is written once: one that is guarded or converted, not a subcolumn or its cast. */
const MIN_NAMED = 15;

function readScanColumn(alias: string, { column, from, part }: ScanColumn, names: Names): SqlExpression {
  const { read, type } = from;
  const layout = layoutOf(read);
  if (part.kind === 'stored' && layout.stored !== undefined) return layout.stored(alias, read);
  const impossible = new RangeError(`layout ${read.layout} cannot read ${part.kind}`);
  if (!layout.records) {
    if (part.kind === 'whole' || part.kind === 'stored') return layout.value(alias, read, type, names.fresh);
    const { part: readPart } = layout;
    if (readPart === undefined || !isValuePart(part)) throw impossible;
    return readPart(alias, read, part, column.type, names.fresh);
  }
  switch (part.kind) {
    case 'stored':
    case 'fields':
    case 'entry':
      throw impossible;
    case 'whole':
      return layout.whole(alias, read, type, names);
    case 'path':
      if (isRecordType(column.type)) return layout.record(alias, read, part.path, type, names);
      if (layout.fields.as === 'texts') throw impossible; // fieldTexts reads them together
      return layout.fields.value(alias, read, part.path, column.type, names.fresh);
    case 'text':
      if (layout.mixed === undefined) throw impossible;
      return layout.mixed.text(alias, read, part.path);
    case 'present':
      return layout.present(alias, read, part.path, names.fresh);
    case 'elements':
      if (layout.elements === undefined) throw impossible;
      return layout.elements(alias, read, part.path, column.type, names.fresh);
  }
}

const isValuePart = (part: ScanColumn['part']): part is ValuePart =>
  part.kind === 'path' || part.kind === 'fields' || part.kind === 'entry';

interface TextField {
  readonly scanned: ScanColumn;
  readonly path: Path;
  readonly type: Type;
}

/** Reads the columns whose values the table stores as texts. */
function fieldTexts(
  alias: string,
  columns: readonly ScanColumn[],
  names: Names,
  inFilter: InFilter,
): ReadonlyMap<ScanColumn, SqlExpression> {
  const byColumn = new Map<SourceColumn, TextField[]>();
  for (const scanned of columns) {
    const { column, from, part } = scanned;
    if (part.kind !== 'path' || isRecordType(column.type) || recordLayoutOf(from.read)?.fields.as !== 'texts') continue;
    byColumn.set(from, [...(byColumn.get(from) ?? []), { scanned, path: part.path, type: column.type }]);
  }
  const texts = new Map<ScanColumn, SqlExpression>();
  for (const [{ read }, stored] of byColumn) {
    const fields = recordLayoutOf(read)?.fields;
    if (fields?.as !== 'texts') continue;
    // Filters drop rows, so the values that only they read are found first.
    for (const filters of [true, false]) {
      const group = stored.filter(({ scanned }) => inFilter(scanned.column.id) === filters);
      const values = group.length === 0 ? [] : fields.texts(alias, read, group, names);
      for (const [i, { scanned }] of group.entries()) texts.set(scanned, values[i] ?? NULL);
    }
  }
  return texts;
}
