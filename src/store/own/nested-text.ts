// Dates, exact numbers and bytes inside of STRUCTs and ARRAYs of JSON, which are texts there: a query reads the texts, and a load makes of them what the table
// is to hold.

import { quoted } from '../../sources/loaded/stored-select.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';
import type { ValueType } from './stored-type.ts';

const TEXTS: readonly ValueType['kind'][] = ['DATE', 'TIME', 'DATETIME', 'TIMESTAMP', 'NUMERIC', 'BIGNUMERIC', 'BYTES'];

/** The type as which the values are read. */
function readAs(type: ValueType): ValueType {
  if (type.kind === 'ARRAY') return { ...type, element: readAs(type.element) };
  if (type.kind === 'STRUCT') return { ...type, fields: type.fields.map((field) => ({ ...field, type: readAs(field.type) })) };
  return TEXTS.includes(type.kind) ? { kind: 'STRING' } : type;
}

const isNested = ({ kind }: ValueType): boolean => kind === 'ARRAY' || kind === 'STRUCT';

/** The columns with the types as which a query reads their values. */
export const readableSchema = (schema: readonly DeclaredColumn[]): readonly DeclaredColumn[] =>
  schema.map(({ name, type }) => ({ name, type: isNested(type) ? readAs(type) : type }));

/** GoogleSQL of the value of a column that is to be of that type. */
export function googleSqlOf({ name, type }: DeclaredColumn): string {
  const isRead = !isNested(type) || JSON.stringify(readAs(type)) === JSON.stringify(type);
  return isRead ? quoted(name) : converted(quoted(name), type, 0);
}

function converted(text: string, type: ValueType, depth: number): string {
  if (type.kind === 'ARRAY') {
    const item = `item${depth}`;
    const value = converted(item, type.element, depth + 1);
    return `array(select ${value} from unnest(${text}) as ${item} with offset as at${depth} order by at${depth})`;
  }
  if (type.kind === 'STRUCT') {
    const fields = type.fields.map(({ name, type: field }) => {
      const shown = quoted(name ?? '');
      return `${converted(`${text}.${shown}`, field, depth)} as ${shown}`;
    });
    return `if(${text} is null, null, struct(${fields.join(', ')}))`;
  }
  if (type.kind === 'BYTES') return `from_base64(${text})`;
  return TEXTS.includes(type.kind) ? `cast(nullif(${text}, '') as ${type.kind})` : text;
}
