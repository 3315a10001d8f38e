// `-p name:type:value`, the parameters of SQL that nobody has saved, in the form that bq has for them.
// https://cloud.google.com/bigquery/docs/parameterized-queries
import { QuernError } from '../../errors.ts';
import type { GivenParameter } from '../../execution/one-off.ts';
import type { ParameterDeclaration, ParameterTypeName } from '../../queries/saved-query.ts';

const TYPES: Readonly<Record<string, ParameterTypeName>> = {
  '': 'string',
  STRING: 'string',
  INT64: 'integer',
  INTEGER: 'integer',
  INT: 'integer',
  FLOAT64: 'float',
  FLOAT: 'float',
  BOOL: 'boolean',
  BOOLEAN: 'boolean',
  TIMESTAMP: 'timestamp',
  DATE: 'date',
};

/** Throws `usage` for what is not `name:type:value`. */
export function readGivenParameter(text: string): GivenParameter & { readonly value: string | null } {
  const [, name, type, value] = /^([^:]*):((?:[^:<]|<.*>)*):(.*)$/s.exec(text) ?? [];
  const shown = JSON.stringify(text);
  if (name === undefined || type === undefined || value === undefined)
    throw new QuernError('usage', `-p ${shown} is not name:type:value`, { hint: 'such as -p least:INT64:5, or -p name::Ada for a STRING' });
  if (name === '')
    throw new QuernError('usage', `-p ${shown} has no name: parameters that are known by their places (?) are not taken`, {
      hint: `write @n in the SQL, and -p n:${type}:${value}`,
    });
  if (!/^[A-Za-z_]\w*$/.test(name))
    throw new QuernError('usage', `-p ${shown}: ${JSON.stringify(name)} cannot be the name of a parameter`, {
      hint: 'it is letters, digits and _',
    });
  const written = type.trim().toUpperCase();
  const element = /^ARRAY\s*<(.*)>$/s.exec(written)?.[1]?.trim();
  const found = TYPES[element ?? written];
  if (found === undefined)
    throw new QuernError('usage', `-p ${shown}: parameters of type ${type} are not taken`, { hint: wayOut(name, written) });
  const declaration: ParameterDeclaration = { name, type: found, array: element !== undefined, required: false };
  return { declaration, value: value === 'NULL' ? null : value };
}

const CAST_FROM_TEXT = /^(?:NUMERIC|BIGNUMERIC|DATETIME|TIME|BYTES)$/;

function wayOut(name: string, type: string): string {
  if (CAST_FROM_TEXT.test(type)) return `give it as text, -p ${name}::VALUE, and write CAST(@${name} AS ${type})`;
  if (type === 'JSON') return `give it as text, -p ${name}::VALUE, and write PARSE_JSON(@${name})`;
  if (type.startsWith('STRUCT')) return `give each field a parameter of its own, and write STRUCT(@a AS a, @b AS b)`;
  if (type.startsWith('ARRAY<STRUCT')) return `give it as text, -p ${name}::JSON, and unnest JSON_QUERY_ARRAY(@${name})`;
  return 'types are STRING (or nothing), INT64, FLOAT64, BOOL, TIMESTAMP, DATE, and ARRAY<…> of them';
}
