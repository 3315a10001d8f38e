// Which columns of a table are fields of its record, and at which paths.

import { QuernError } from '../../../base/errors.ts';
import { quoteIdentifier } from '../../../clickhouse/quote.ts';
import { readType } from '../../../clickhouse/type.ts';
import { valueType } from '../column/plain-type.ts';
import type { HeldColumn, RecordWishes, TableWishes } from '../layout.ts';

/** The type of a column that is put together from fields: no column of a table has it. */
export const FIELDS = 'columns';

/** Signs that a name in JSON text is told by are in no name of a field. */
const NAME = /^[^"\\,:{}[\]]+$/;

/** The table's columns, those of fields as one. Throws QuernError `config` where no two fields can be told apart, or there are none. */
export function gatherFields(columns: readonly HeldColumn[], wishes: TableWishes): readonly HeldColumn[] {
  const { source, metadata, own, settings } = wishes;
  const { prefix } = settings;
  const isField = ({ name, type }: HeldColumn): boolean =>
    !own.has(name.toLowerCase()) &&
    (prefix === undefined || (name.startsWith(prefix) && name !== prefix)) &&
    pathOf(name, wishes).every((part) => NAME.test(part)) &&
    valueType(readType(type)) !== undefined;
  const parts = columns.filter(isField);
  const others = columns.filter((column) => !parts.includes(column));
  const refuse = (message: string, hint: string): never => {
    throw new QuernError('config', `sources.${source}: ${message}`, { hint });
  };
  if (parts.length === 0) {
    const which = prefix === undefined ? 'the fields of metadata' : `fields: none begins with ${prefix}`;
    refuse(`the table has no columns for ${which}`, `its columns are: ${columns.map(({ name }) => name).join(', ')}`);
  }
  if (others.some(({ name }) => name.toLowerCase() === metadata)) {
    refuse('the table has a column named metadata, so its fields are not columns', 'leave out "layout: flat"');
  }
  const byPath = new Map<string, string>();
  for (const { name } of parts) {
    const path = pathOf(name, wishes).join('.');
    const other = byPath.get(path);
    if (other !== undefined) refuse(`the columns ${other} and ${name} both stand for the field ${metadata}.${path}`, mapOne(other));
    byPath.set(path, name);
  }
  for (const [path, name] of byPath) {
    const inner = [...byPath].find(([longer]) => longer.startsWith(`${path}.`));
    if (inner !== undefined)
      refuse(`the column ${name} is a field with a value, but the column ${inner[1]} is a field inside it`, mapOne(name));
  }
  return [...others, { name: metadata, type: FIELDS, parts }];
}

/** Names below `columns:` are columns of the source instead. */
const mapOne = (name: string): string => `list one under "columns:", to make it a column of the source: ${quoteIdentifier(name)}`;

/** Dotted names are paths. In others an underscore may be part of a name: they are the declared fields that look like that. */
export function pathOf(column: string, { declared, settings: { prefix = 'metadata.' } }: RecordWishes): readonly string[] {
  const rest = column.startsWith(prefix) ? column.slice(prefix.length) : column;
  if (rest.includes('.')) return rest.split('.');
  return ([...declared.keys()].find((path) => path.replaceAll('.', '_') === rest) ?? rest).split('.');
}
