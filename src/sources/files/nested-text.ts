// Dates, exact numbers and bytes inside of STRUCTs and ARRAYs of JSON, which are texts there: the engine reads the texts, and a view makes of them what
// they are declared to be.
import { quoteIdentifier } from '../../clickhouse/quote.ts';
import type { TableColumn } from '../../sql/layouts/index.ts';
import { quoted, selectOver } from '../loaded/stored-select.ts';
import { storedType, type ValueType } from '../loaded/stored-type.ts';
import type { DeclaredColumn } from '../table-schema.ts';
import type { FilesDescription } from './description.ts';

const TEXTS: readonly ValueType['kind'][] = ['DATE', 'TIME', 'DATETIME', 'TIMESTAMP', 'NUMERIC', 'BIGNUMERIC', 'BYTES'];

/** The type as which values of a column are read; that of a column of its own says itself how it is. */
export const readType = (type: ValueType): ValueType => (type.kind === 'ARRAY' || type.kind === 'STRUCT' ? withTexts(type) : type);

function withTexts(type: ValueType): ValueType {
  if (type.kind === 'ARRAY') return { ...type, element: withTexts(type.element) };
  if (type.kind === 'STRUCT') return { ...type, fields: type.fields.map((field) => ({ ...field, type: withTexts(field.type) })) };
  return TEXTS.includes(type.kind) ? { kind: 'STRING' } : type;
}

/** The view of columns that are read so, where `schema` says what they are to be; undefined where they are that already. */
export function viewOfNested(columns: readonly TableColumn[], schema: readonly DeclaredColumn[]): FilesDescription['view'] {
  const made = columns.map(({ name }) => {
    const type = schema.find((one) => one.name.toLowerCase() === name.toLowerCase())?.type;
    const stored = type && storedType(type);
    return type === undefined || stored === undefined || isRead(type) ? undefined : { type, stored };
  });
  if (made.every((one) => one === undefined)) return undefined;
  // What is not made of texts goes through as it is, whatever its type.
  const through = (name: string): TableColumn => ({ name, type: 'String' });
  const known = [...columns.map((column, i) => (made[i] === undefined ? through(column.name) : column)), through(PATH)];
  const said = columns.flatMap(({ name }, i) => (made[i] === undefined ? [] : [{ name, type: readType(made[i].type) }]));
  const values = known.map(({ name }, i) => (made[i] === undefined ? quoted(name) : converted(quoted(name), made[i].type, 0)));
  const { sql, from } = selectOver({ columns: known, partitions: [], declared: [] }, said, values);
  const shown = known.map(
    ({ name }, i) => `${made[i] === undefined ? `r.v${i}` : `CAST(r.v${i} AS ${made[i].stored})`} AS ${quoteIdentifier(name)}`,
  );
  return {
    columns: columns.map((column, i) => (made[i] === undefined ? column : { name: column.name, type: made[i].stored })),
    sql: `SELECT ${shown.join(', ')} FROM (${sql}) AS r`,
    from,
  };
}

const PATH = '_path';
const isRead = (type: ValueType): boolean => JSON.stringify(readType(type)) === JSON.stringify(type);

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
