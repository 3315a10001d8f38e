// Reads `-p name:type:value`, the parameters of SQL that is not saved, in the form of bq.
// https://cloud.google.com/bigquery/docs/parameterized-queries
import { QuernError } from '../../../base/errors.ts';
import { type GivenParameter, positionalName } from '../../../execution/one-off.ts';
import { readParameterType, TYPES_TEXT } from '../../../queries/parameter-type.ts';
import { readValue } from '../../../queries/parameter-value.ts';

/** Throws `usage` for what is not `name:type:value`, or `:type:value` for a positional parameter. */
export function readGivenParameters(texts: readonly string[]): readonly GivenParameter[] {
  let positional = 0;
  return texts.map((text) => readGiven(text, () => positionalName(++positional)));
}

/** Returns the form in which `name=value` was probably meant. */
function hintFor(text: string): string {
  const [, name, type = '', value] = /^(\w+)(?::(\w+))?=(.*)$/s.exec(text) ?? [];
  const example = 'write it like -p least:INT64:5, or -p name::Ada for a STRING';
  return name === undefined || value === undefined
    ? example
    : `write it with colons: -p ${name}:${type}:${value}${type === '' ? `, or -p ${name}:INT64:${value} for a number` : ''}`;
}

function readGiven(text: string, nextPositional: () => string): GivenParameter {
  const [, named, written, value] = /^([^:]*):((?:[^:<]|<.*>)*):(.*)$/s.exec(text) ?? [];
  const shown = JSON.stringify(text);
  if (named === undefined || written === undefined || value === undefined)
    throw new QuernError('usage', `-p ${shown} is not name:type:value`, {
      hint: hintFor(text),
    });
  const name = named === '' ? nextPositional() : named;
  if (!/^[A-Za-z_]\w*$/.test(name))
    throw new QuernError('usage', `-p ${shown}: ${JSON.stringify(named)} is not a valid parameter name`, {
      hint: 'use letters, digits and _',
    });
  const type = readParameterType(written.trim() === '' ? 'STRING' : written);
  if (type === undefined)
    throw new QuernError('usage', `-p ${shown}: parameters of type ${written} are not supported`, { hint: `the types are ${TYPES_TEXT}` });
  const read = value === 'NULL' ? undefined : readValue(type, value);
  if (read !== undefined && 'problem' in read && type.type === 'struct') throw new QuernError('usage', `-p ${shown}: ${read.problem}`);
  return { declaration: { name, ...type, required: false }, value: value === 'NULL' ? null : value };
}
