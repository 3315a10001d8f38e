// Types as written in CAST, ARRAY<…> and STRUCT<…>.
import { didYouMean } from '../../../base/errors.ts';
import { fail } from '../../base/fail.ts';
import { arrayOf, GEOGRAPHY, SCALAR_TYPES, structOf, type Type } from '../../base/types.ts';
import type { TypeRef } from '../../syntax/ast.ts';

/** The parser has replaced aliases (INT, DECIMAL, …) by these names. */
const NAMED: Readonly<Record<string, Type>> = { ...SCALAR_TYPES, GEOGRAPHY };

export function typeFromRef(ref: TypeRef): Type {
  if (ref.name === 'ARRAY') {
    if (ref.element === null) return fail('type', ref.span, 'ARRAY needs the type of its elements', 'write ARRAY<INT64>');
    const element = typeFromRef(ref.element);
    if (element.kind === 'ARRAY')
      return fail('type', ref.span, 'an array can’t hold arrays', 'wrap the inner array: ARRAY<STRUCT<ARRAY<…>>>');
    return arrayOf(element);
  }
  if (ref.name === 'STRUCT') return structOf(ref.fields.map((f) => ({ name: f.name?.name ?? null, type: typeFromRef(f.type) })));
  const type = NAMED[ref.name];
  if (type === undefined) {
    const names = Object.keys(NAMED);
    return fail('type', ref.span, `${ref.name} is not a type quern knows`, didYouMean(ref.name, names) ?? `types are ${names.join(', ')}`);
  }
  if (ref.parameters.length > 0)
    return fail('unsupported', ref.span, `a length or precision on ${ref.name} is not supported`, `write ${ref.name}`);
  return type;
}
