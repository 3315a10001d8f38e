// The `params:` field of a header: what each parameter may be.
import { didYouMean } from '../../base/errors.ts';
import type { JsonSchema } from '../../base/json-schema.ts';
import { type Field, field, mapping, readLater } from '../../fields/field.ts';
import { BOOLEAN, oneOf, type ValueKind } from '../../fields/kinds.ts';
import { isMapping, type ValueAt } from '../../fields/value-at.ts';
import { reservedFor } from '../parameter-names.ts';
import { readParameterType, TYPES_TEXT, typeHint } from '../parameter-type.ts';
import { PARAMETER_TYPES, parameterTypeText, SCALAR_PARAMETER_NAMES } from '../parameter-types.ts';
import { readValue, shown } from '../parameter-value.ts';
import type { ParameterDeclaration, ParameterType, WrittenValue } from '../saved-query.ts';
import { TEXT_FORMAT_NAMES, type TextFormatName } from '../text-formats/text-format.ts';
import { isBeyondJson, nested } from './exact-value.ts';

const WORDS = SCALAR_PARAMETER_NAMES;
const IN_SQL = WORDS.map((name) => PARAMETER_TYPES[name].sql);

/** Text, perhaps of several lines. */
export const LINES: ValueKind<string> = {
  expected: 'text',
  schema: { type: 'string' },
  read: (raw) => (typeof raw === 'string' ? raw.trim() : undefined),
};

const TYPE: ValueKind<ParameterType> = {
  expected: 'a type',
  schema: {
    type: 'string',
    pattern: `^(array of )?(${[...WORDS, ...IN_SQL, ...IN_SQL.map((name) => name.toLowerCase())].join('|')}|(ARRAY|STRUCT|array|struct)\\s*<.*>)$`,
    examples: WORDS.flatMap((name) => [name, `array of ${name}`]),
  },
  read: (raw) => (typeof raw === 'string' ? readParameterType(raw) : undefined),
};
const TYPES_HINT = `the types are ${TYPES_TEXT}`;

const FORMAT: ValueKind<TextFormatName> = { ...oneOf(TEXT_FORMAT_NAMES), expected: 'a format' };

const scalar: JsonSchema = { type: ['string', 'number', 'boolean'] };
const written: JsonSchema = { anyOf: [scalar, { type: 'array' }, { type: 'object' }] };
const values: JsonSchema = { type: 'array', items: { type: ['string', 'number'] }, minItems: 1 };

const PARAMETER = mapping(
  'a parameter',
  {
    type: field(TYPE, { hint: (value) => (typeof value === 'string' ? typeHint(value) : TYPES_HINT) }),
    format: field(FORMAT, {
      description: 'what text must look like, for string and array of string',
      hint: (value) => didYouMean(String(value), TEXT_FORMAT_NAMES) ?? `the formats are ${TEXT_FORMAT_NAMES.join(', ')}`,
    }),
    required: field(BOOLEAN, { must: true }),
    // Values cannot be checked before the type is known.
    enum: readLater({ ...values, description: 'the allowed values' }),
    suggest: readLater({ ...values, description: 'known values that forms and completion offer; others are allowed' }),
    default: readLater({ ...written, description: 'the value used if the argument is absent' }),
    description: field(LINES, { must: true, hint: 'put it in quotes' }),
    example: readLater(written),
  },
  { required: ['type'], usage: TYPES_HINT },
);

export const PARAMETERS: Field<readonly ParameterDeclaration[]> = {
  schema: {
    type: 'object',
    description: 'the parameters, by name',
    propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
    additionalProperties: { anyOf: [{ ...TYPE.schema, description: 'the type alone' }, PARAMETER.schema] },
  },
  read(params) {
    if (!isMapping(params.value)) return params.problem('must contain fields, as in `{ type: string }`');
    const seen = new Map<string, string>();
    return params.names.flatMap((name) => {
      const parameter = params.at(name);
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
        return parameter.problem('is not a valid parameter name', 'use letters, digits and _') ?? [];
      checkName(name, parameter, seen);
      return (typeof parameter.value === 'string' ? readShort(name, parameter) : readDeclaration(name, parameter)) ?? [];
    });
  },
};

function checkName(name: string, parameter: ValueAt, seen: Map<string, string>): void {
  const known = name.toLowerCase();
  const reserved = reservedFor(name);
  if (reserved !== undefined) parameter.problem(reserved, 'choose another name');
  // BigQuery does not tell @Project from @project.
  const twin = seen.get(known);
  if (twin !== undefined) parameter.problem(`is the same parameter as ${twin}: names are not case-sensitive`);
  seen.set(known, name);
}

/** `name: INT64`. */
function readShort(name: string, parameter: ValueAt): ParameterDeclaration | undefined {
  const type = TYPE.read(parameter.value);
  return type === undefined
    ? parameter.problem(`${shown(parameter.value)} is not a type`, typeHint(String(parameter.value)))
    : { name, ...type, required: false };
}

function readDeclaration(name: string, parameter: ValueAt): ParameterDeclaration | undefined {
  const fields = PARAMETER.read(parameter);
  if (fields === undefined) return undefined;
  const { type, format, required = false, description } = fields;
  if (format !== undefined && type.type !== 'string') {
    const message = `only applies to strings: this parameter is of type ${parameterTypeText(type)}`;
    parameter.at('format').problem(message, 'remove it, or write type: string');
  }
  if (type.type === 'struct' || type.type === 'json') {
    for (const list of [fields.enum, fields.suggest])
      list?.problem(`cannot be used with ${parameterTypeText(type)}`, 'remove it, or give a default or an example');
    if (fields.enum !== undefined || fields.suggest !== undefined) return undefined;
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
  const known = readEach(declaration, list, list.items);
  const allowed = known?.filter((one): one is string | number => typeof one === 'string' || typeof one === 'number');
  if (allowed?.length === known?.length) return allowed;
  return list.problem('cannot be used with a boolean', 'remove it: a boolean can only be true or false');
}

function readDefault(declaration: ParameterDeclaration, value: ValueAt): WrittenValue | undefined {
  if (!declaration.array) return readEach(declaration, value, [value])?.[0];
  if (!Array.isArray(value.value)) return value.problem('must be a list', 'write it as [a, b]');
  return readEach(declaration, value, value.items);
}

function readExample(declaration: ParameterDeclaration, value: ValueAt): WrittenValue | undefined {
  const takesObject = declaration.type === 'struct' || declaration.type === 'json';
  if (!takesObject && typeof value.value === 'object' && value.value !== null) return value.problem('must be a single value');
  return readEach(declaration, value, [value])?.[0];
}

/** YAML's numbers are floats: of a number beyond their digits, the digits as they stand in the file. */
function exact(given: ValueAt, { type }: ParameterType): unknown {
  const { value, text } = given;
  const isDigits = type !== 'struct' && PARAMETER_TYPES[type].yaml === 'digits';
  return isDigits && typeof value === 'number' && /^[+-]?[\d.]+$/.test(text) ? text : nested(given);
}

/** The first that does not fit is reported at `place`. */
function readEach(declaration: ParameterDeclaration, place: ValueAt, list: readonly ValueAt[]): readonly WrittenValue[] | undefined {
  const known: WrittenValue[] = [];
  for (const value of list) {
    const read = readWritten({ ...declaration, array: false }, exact(value, declaration));
    if ('misfit' in read) return place.problem(read.misfit, read.hint);
    known.push(read.known);
  }
  return known;
}

type Written = { readonly known: WrittenValue } | { readonly misfit: string; readonly hint?: string };

function readWritten(declaration: ParameterDeclaration, value: unknown): Written {
  const { type } = declaration;
  const kind = type === 'struct' ? 'any' : PARAMETER_TYPES[type].yaml;
  if (typeof value === 'bigint' && type === 'integer') {
    const read = readValue(declaration, value);
    // As text, which arguments are too.
    return 'problem' in read ? { misfit: read.problem } : { known: String(value) };
  }
  if (kind === 'any' && isBeyondJson(value))
    return { misfit: 'has a whole number of more than 15 digits', hint: 'write the value as JSON, in quotes' };
  if (!fits(kind, value, type)) {
    const hint = kind === 'string' && typeof value !== 'object' ? { hint: `put it in quotes: ${JSON.stringify(String(value))}` } : {};
    return { misfit: `${shown(value)} is not ${kind === 'string' ? 'text' : `of type ${parameterTypeText(declaration)}`}`, ...hint };
  }
  const read = readValue(declaration, value);
  return 'problem' in read ? { misfit: read.problem } : { known: value as WrittenValue }; // its kind was checked above
}

function fits(kind: (typeof PARAMETER_TYPES)['string']['yaml'], value: unknown, type: ParameterType['type']): boolean {
  if (kind === 'any') return value !== null && value !== undefined && typeof value !== 'bigint';
  if (kind === 'digits') return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
  if (typeof value !== kind) return false;
  return kind !== 'number' || (type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value));
}
