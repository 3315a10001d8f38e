// Reads `-p name:type:value`, the parameters of SQL that is not saved, in the form of bq.
// https://cloud.google.com/bigquery/docs/parameterized-queries
import { QuernError } from '../../../base/errors.ts';
import type { GivenParameter } from '../../../execution/one-off.ts';
import { readGivenType, TYPE_NAMES } from '../../../queries/given-type.ts';
import { partName } from './given-part.ts';
import { readGivenValue } from './given-value.ts';

/** A parameter of a type that saved queries cannot declare; `type` is its text. */
interface TypedParameter extends GivenParameter {
  readonly value: string | null;
  readonly type?: string;
}

/** Throws `usage` for what is not `name:type:value`. */
export function readGivenParameter(text: string): TypedParameter {
  const [, name, written, value] = /^([^:]*):((?:[^:<]|<.*>)*):(.*)$/s.exec(text) ?? [];
  const shown = JSON.stringify(text);
  if (name === undefined || written === undefined || value === undefined)
    throw new QuernError('usage', `-p ${shown} is not name:type:value`, {
      hint: 'write it like -p least:INT64:5, or -p name::Ada for a STRING',
    });
  if (name === '')
    throw new QuernError('usage', `-p ${shown} has no name: positional parameters (?) are not supported`, {
      hint: `write @n in the SQL, and -p n:${written}:${value}`,
    });
  if (!/^[A-Za-z_]\w*$/.test(name))
    throw new QuernError('usage', `-p ${shown}: ${JSON.stringify(name)} is not a valid parameter name`, {
      hint: 'use letters, digits and _',
    });
  const type = readGivenType(written);
  if (type === undefined)
    throw new QuernError('usage', `-p ${shown}: parameters of type ${written} are not supported`, {
      hint: `the types are ${TYPE_NAMES}, ARRAY<…> of them, and STRUCT<name type, …>`,
    });
  const given = value === 'NULL' ? null : value;
  const declaration = { name, type: 'string', array: false, required: false } as const;
  if (type.kind === 'bound') return { declaration: { ...declaration, type: type.type }, value: given };
  if (type.kind === 'array' && type.element.kind === 'bound')
    return { declaration: { ...declaration, type: type.element.type, array: true }, value: given };
  try {
    const { expression, parts } = readGivenValue(type, given, (part) => partName(name, part));
    return { declaration: { ...declaration, expression }, value: null, type: type.sql, parts };
  } catch (error) {
    throw error instanceof QuernError ? new QuernError(error.code, `-p ${shown}: ${error.message}`, error.details) : error;
  }
}
