// Lines of JSON as the fields of a table's columns, for a load that has met a bad one.

import { Invalid } from '../../sources/files/cells.ts';
import type { AddBad, TextRecord } from '../../sources/files/csv-records.ts';
import { type Member, membersOf, partsOf } from '../../sources/files/json-members.ts';
import { objectAsTexts, typesOf } from '../../sources/files/json-texts.ts';
import type { ValueType } from '../../sources/loaded/stored-type.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';

export interface JsonFields {
  /** Columns by their names in the file. */
  readonly columns: readonly DeclaredColumn[];
  /** Fields that the table does not have are left out. */
  readonly ignoreUnknown: boolean;
}

/** The lines that are objects with the fields of the columns; the others are reported to `bad`. */
export function jsonRecords(lines: readonly TextRecord[], { columns, ignoreUnknown }: JsonFields, bad: AddBad): readonly TextRecord[] {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const texts = typesOf(columns);
  const records: TextRecord[] = [];
  for (const { line, text } of lines) {
    try {
      const members = membersOf(text);
      checkFields(members, types, '', ignoreUnknown);
      records.push({ line, text, written: objectAsTexts(members, texts) });
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      bad(line, error.message, text);
    }
  }
  return records;
}

type Types = ReadonlyMap<string, DeclaredColumn['type']>;

/** Throws Invalid where a value has not the form of its type. What its text says is the engine's to read. */
function checkFields(members: readonly Member[], types: Types, path: string, ignoreUnknown: boolean): void {
  for (const { key, raw } of members) {
    const type = types.get(key);
    if (type !== undefined) check(raw, type, `${path}${key}`, ignoreUnknown);
    else if (!ignoreUnknown)
      throw new Invalid(`the table has no ${path === '' ? 'column' : 'field'} ${key === '' ? 'without a name' : `${path}${key}`}`);
  }
}

/** By the character that a value begins with. */
const SHAPES: Readonly<Record<string, string>> = { '{': 'a record', '[': 'an array' };

function check(raw: string, type: ValueType, path: string, ignoreUnknown: boolean): void {
  if (raw === 'null' || type.kind === 'JSON') return;
  if (type.kind === 'STRING' && !raw.startsWith('"')) return;
  const found = SHAPES[raw.charAt(0)] ?? 'one value';
  if (type.kind === 'ARRAY') {
    if (found !== 'an array') throw new Invalid(`${path} is ${found}, not an array`);
    for (const item of partsOf(raw)) {
      check(item.raw, type.element, path, ignoreUnknown);
    }
  } else if (type.kind === 'STRUCT') {
    if (found !== 'a record') throw new Invalid(`${path} is ${found}, not a record`);
    checkFields(membersOf(raw), fieldTypes(type), `${path}.`, ignoreUnknown);
  } else if (found !== 'one value') throw new Invalid(`${path} is ${found}, not ${type.kind}`);
  else if (raw.includes('\\u') && /\p{Surrogate}/u.test(JSON.parse(raw) as string))
    throw new Invalid(`${path} contains half of a character`); // a quoted text
}

const fieldTypes = ({ fields }: Extract<ValueType, { readonly kind: 'STRUCT' }>): Types =>
  new Map(fields.map(({ name, type }) => [name ?? '', type]));
