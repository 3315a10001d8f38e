// The `params:` field of a header: what each parameter may be.
import { nearest } from '../../base/errors.ts';
import type { JsonSchema } from '../../base/json-schema.ts';
import { type Field, field, mapping, readLater } from '../../fields/field.ts';
import { BOOLEAN, type ValueKind } from '../../fields/kinds.ts';
import { isMapping, type ValueAt } from '../../fields/value-at.ts';
import { INSTANT_PARAMETER, NULL_ARRAY } from '../../sql/translation.ts';
import { nearestTypeName, PARAMETER_TYPE_NAMES, parameterTypeText, readValue, shown } from '../parameter-value.ts';
import type { ParameterDeclaration, ParameterTypeName } from '../saved-query.ts';
import { TEXT_FORMAT_NAMES, type TextFormatName } from '../text-formats/text-format.ts';

type Scalar = string | number | boolean;

/** Text, perhaps of several lines. */
export const LINES: ValueKind<string> = {
  expected: 'text',
  schema: { type: 'string' },
  read: (raw) => (typeof raw === 'string' ? raw.trim() : undefined),
};

const typeOf = (raw: unknown) => /^(array of )?(\w+)$/.exec(typeof raw === 'string' ? raw.trim().replace(/\s+/g, ' ') : '');
const TYPE: ValueKind<Pick<ParameterDeclaration, 'type' | 'array'>> = {
  expected: 'a type',
  schema: { enum: PARAMETER_TYPE_NAMES.flatMap((name) => [name, `array of ${name}`]) },
  read(raw) {
    const [, array, name] = typeOf(raw) ?? [];
    const type = PARAMETER_TYPE_NAMES.find((candidate) => candidate === name);
    return type === undefined ? undefined : { type, array: array !== undefined };
  },
};
const TYPES_HINT = `the types are ${PARAMETER_TYPE_NAMES.join(', ')}, and \`array of\` each`;

const FORMAT: ValueKind<TextFormatName> = {
  expected: 'a format',
  schema: { enum: TEXT_FORMAT_NAMES },
  read: (raw) => TEXT_FORMAT_NAMES.find((name) => name === raw),
};

const didYouMean = (near: string | undefined, otherwise: string): string => (near === undefined ? otherwise : `did you mean ${near}?`);

const scalar: JsonSchema = { type: ['string', 'number', 'boolean'] };
const values: JsonSchema = { type: 'array', items: { type: ['string', 'number'] }, minItems: 1 };

const PARAMETER = mapping(
  'a parameter',
  {
    type: field(TYPE, { hint: (value) => didYouMean(nearestTypeName(typeOf(value)?.[2] ?? ''), TYPES_HINT) }),
    format: field(FORMAT, {
      description: 'what text must look like, for string and array of string',
      hint: (value) => didYouMean(nearest(String(value), TEXT_FORMAT_NAMES), `the formats are ${TEXT_FORMAT_NAMES.join(', ')}`),
    }),
    required: field(BOOLEAN, { must: true }),
    // Values cannot be checked before the type is known.
    enum: readLater({ ...values, description: 'the allowed values' }),
    suggest: readLater({ ...values, description: 'known values that forms and completion offer; others are allowed' }),
    default: readLater({
      anyOf: [scalar, { type: 'array', items: scalar }],
      description: 'the value used if the argument is absent',
    }),
    description: field(LINES, { must: true, hint: 'put it in quotes' }),
    example: readLater(scalar),
  },
  { required: ['type'], usage: TYPES_HINT },
);

export const PARAMETERS: Field<readonly ParameterDeclaration[]> = {
  schema: {
    type: 'object',
    description: 'the parameters, by name',
    propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
    additionalProperties: PARAMETER.schema,
  },
  read(params) {
    if (!isMapping(params.value)) return params.problem('must contain fields, as in `{ type: string }`');
    const seen = new Map<string, string>();
    return params.names.flatMap((name) => {
      const parameter = params.at(name);
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
        return parameter.problem('is not a valid parameter name', 'use letters, digits and _') ?? [];
      checkName(name, parameter, seen);
      return readDeclaration(name, parameter) ?? [];
    });
  },
};

function checkName(name: string, parameter: ValueAt, seen: Map<string, string>): void {
  const known = name.toLowerCase();
  if (known === INSTANT_PARAMETER) parameter.problem('is reserved for the time of CURRENT_TIMESTAMP()', 'choose another name');
  if (known.startsWith(NULL_ARRAY)) {
    const message = `starts with ${NULL_ARRAY}, which is reserved for parameters that say whether an array is NULL`;
    parameter.problem(message, 'choose another name');
  }
  // BigQuery does not tell @Project from @project.
  const twin = seen.get(known);
  if (twin !== undefined) parameter.problem(`is the same parameter as ${twin}: names are not case-sensitive`);
  seen.set(known, name);
}

function readDeclaration(name: string, parameter: ValueAt): ParameterDeclaration | undefined {
  const fields = PARAMETER.read(parameter);
  if (fields === undefined) return undefined;
  const { type, format, required = false, description } = fields;
  if (format !== undefined && type.type !== 'string') {
    const message = `only applies to strings: this parameter is of type ${parameterTypeText(type)}`;
    parameter.at('format').problem(message, 'remove it, or write type: string');
  }
  const base: ParameterDeclaration = { name, ...type, format, required, description };
  const declaration: ParameterDeclaration = { ...base, enum: fields.enum && readEnum(base, fields.enum) };
  const suggest = fields.suggest && readEnum(base, fields.suggest);
  if (fields.enum !== undefined) fields.suggest?.problem('has no effect: enum already lists the values', 'remove one of the two');
  const fallback = fields.default && readDefault(declaration, fields.default);
  if (required) fields.default?.problem('has no effect: the parameter is required', 'remove one of the two');
  return { ...declaration, suggest, default: fallback, example: fields.example && readExample(declaration, fields.example) };
}

function readEnum(declaration: ParameterDeclaration, list: ValueAt): readonly (string | number)[] | undefined {
  if (list.items.length === 0) return list.problem('must be a list of values');
  const known = readScalars(
    declaration,
    list,
    list.items.map(({ value }) => value),
  );
  const allowed = known?.filter((one): one is string | number => typeof one !== 'boolean');
  if (allowed?.length === known?.length) return allowed;
  return list.problem('cannot be used with a boolean', 'remove it: a boolean can only be true or false');
}

function readDefault(declaration: ParameterDeclaration, value: ValueAt): Scalar | readonly Scalar[] | undefined {
  if (!declaration.array) return readScalars(declaration, value, [exact(value)])?.[0];
  if (!Array.isArray(value.value)) return value.problem('must be a list', 'write it as [a, b]');
  return readScalars(declaration, value, value.items.map(exact));
}

function readExample(declaration: ParameterDeclaration, value: ValueAt): Scalar | undefined {
  if (typeof value.value === 'object' && value.value !== null) return value.problem('must be a single value');
  return readScalars(declaration, value, [exact(value)])?.[0];
}

/** YAML's numbers are floats: of an integer beyond their digits, the digits as they stand in the file. */
function exact(given: ValueAt): unknown {
  const { value } = given;
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return /^[+-]?\d+$/.test(given.text) ? BigInt(given.text) : value;
}

/** The first that does not fit is reported at `place`. */
function readScalars(declaration: ParameterDeclaration, place: ValueAt, list: readonly unknown[]): readonly Scalar[] | undefined {
  const known: Scalar[] = [];
  for (const value of list) {
    const read = readScalar({ ...declaration, array: false }, value);
    if (typeof read === 'object') return place.problem(read.message, read.hint);
    known.push(read);
  }
  return known;
}

interface Misfit {
  readonly message: string;
  readonly hint?: string;
}

/** YAML tells text from numbers, so here, unlike on the command line, the kind must be right: `007` is 7, and no string. */
const YAML_KINDS: Readonly<Record<ParameterTypeName, 'string' | 'number' | 'boolean'>> = {
  string: 'string',
  integer: 'number',
  float: 'number',
  boolean: 'boolean',
  timestamp: 'string',
  date: 'string',
};

function readScalar(declaration: ParameterDeclaration, value: unknown): Scalar | Misfit {
  if (typeof value === 'bigint' && declaration.type === 'integer') {
    const read = readValue(declaration, value);
    // As text, which arguments are too.
    return 'problem' in read ? { message: read.problem } : String(value);
  }
  const kind = YAML_KINDS[declaration.type];
  const fits =
    typeof value === kind && (kind !== 'number' || (declaration.type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)));
  if (!fits) {
    const hint = kind === 'string' && typeof value !== 'object' ? { hint: `put it in quotes: ${JSON.stringify(String(value))}` } : {};
    return {
      message: `${shown(value)} is not ${kind === 'string' ? 'text' : `of type ${parameterTypeText(declaration)}`}`,
      ...hint,
    };
  }
  const read = readValue(declaration, value);
  return 'problem' in read ? { message: read.problem } : (value as Scalar); // its kind was checked above
}
