// Whether the members of a JSON object are what the columns of a table take.

import { Invalid } from '../../sources/files/cells.ts';
import { type Member, membersOf, partsOf } from '../../sources/files/json-members.ts';
import type { ValueType } from '../../sources/loaded/stored-type.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';

type Types = ReadonlyMap<string, DeclaredColumn['type']>;

/** Throws Invalid where a value has not the form of its type. What its text says is the engine's to read. */
export function checkFields(members: readonly Member[], types: Types, path: string, ignoreUnknown: boolean): void {
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
