// The `params:` field of a header: what each parameter may be.
import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { nearest } from '../../base/errors.ts';
import { INSTANT_PARAMETER, NULL_ARRAY } from '../../sql/translation.ts';
import { nearestTypeName, PARAMETER_TYPE_NAMES, parameterTypeText, readValue, shown } from '../parameter-value.ts';
import type { ParameterDeclaration, ParameterTypeName } from '../saved-query.ts';
import { TEXT_FORMAT_NAMES, type TextFormatName } from '../text-formats/text-format.ts';
import { type FieldReader, type Invalid, isUnfit } from './fields.ts';

export const PARAMETER_FIELDS = ['type', 'format', 'required', 'enum', 'suggest', 'default', 'description', 'example'] as const;
type ParameterType = Pick<ParameterDeclaration, 'type' | 'array'>;
type Scalar = string | number | boolean;

/** The declarations in the order of the file; problems are noted by the reader. */
export function readParameters(params: FieldReader): readonly ParameterDeclaration[] {
  const seen = new Map<string, string>();
  return params.names.flatMap((name) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      params.problem(name, 'is not a valid parameter name', 'use letters, digits and _');
      return [];
    }
    if (name.toLowerCase() === INSTANT_PARAMETER)
      params.problem(name, 'is reserved for the time of CURRENT_TIMESTAMP()', 'choose another name');
    if (name.toLowerCase().startsWith(NULL_ARRAY))
      params.problem(
        name,
        `starts with ${NULL_ARRAY}, which is reserved for parameters that say whether an array is NULL`,
        'choose another name',
      );
    // BigQuery does not tell @Project from @project.
    const twin = seen.get(name.toLowerCase());
    if (twin !== undefined) params.problem(name, `is the same parameter as ${twin}: names are not case-sensitive`);
    seen.set(name.toLowerCase(), name);
    const fields = params.mapping(name);
    return fields === undefined ? [] : [readDeclaration(name, fields)];
  });
}

function readDeclaration(name: string, fields: FieldReader): ParameterDeclaration {
  fields.refuseOthers(PARAMETER_FIELDS, 'a parameter');
  const type = fields.field('type', readType);
  const isMisspelt = fields.names.some((field) => nearest(field, PARAMETER_FIELDS) === 'type');
  if (!fields.has('type') && !isMisspelt)
    fields.problem('', 'has no type', `the types are ${PARAMETER_TYPE_NAMES.join(', ')}, and \`array of\` each`);
  const required = fields.field('required', (value): boolean | Invalid =>
    typeof value === 'boolean' ? value : { message: 'must be true or false' },
  );
  const description = fields.field('description', readText);
  const format = fields.field('format', readFormat);
  if (format !== undefined && type !== undefined && type.type !== 'string')
    fields.problem(
      'format',
      `only applies to strings: this parameter is of type ${parameterTypeText(type)}`,
      'remove it, or write type: string',
    );
  const base: ParameterDeclaration = {
    name,
    ...(type ?? { type: 'string', array: false }),
    ...(format === undefined ? {} : { format }),
    required: required ?? false,
    description,
  };
  // Values cannot be checked against a type that is not known.
  if (type === undefined) return base;
  const allowed = fields.field('enum', (value) => readEnum(base, value));
  const declaration: ParameterDeclaration = allowed === undefined ? base : { ...base, enum: allowed };
  const known = fields.field('suggest', (value) => readEnum(base, value));
  if (fields.has('suggest') && fields.has('enum'))
    fields.problem('suggest', 'has no effect: enum already lists the values', 'remove one of the two');
  const fallback = fields.field('default', (value, node) => readDefault(declaration, value, node));
  if (fields.has('default') && declaration.required)
    fields.problem('default', 'has no effect: the parameter is required', 'remove one of the two');
  const example = fields.field('example', (value, node) => readExample(declaration, value, node));
  return { ...declaration, ...(known === undefined ? {} : { suggest: known }), default: fallback, example };
}

function readType(value: unknown): ParameterType | Invalid {
  const match = /^(array of )?(\w+)$/.exec(typeof value === 'string' ? value.trim().replace(/\s+/g, ' ') : '');
  const type = PARAMETER_TYPE_NAMES.find((candidate) => candidate === match?.[2]);
  if (type !== undefined) return { type, array: match?.[1] !== undefined };
  const near = nearestTypeName(match?.[2] ?? '');
  const hint = near === undefined ? `the types are ${PARAMETER_TYPE_NAMES.join(', ')}, and \`array of\` each` : `did you mean ${near}?`;
  return { message: `${JSON.stringify(value)} is not a type`, hint };
}

function readFormat(value: unknown): TextFormatName | Invalid {
  const known = TEXT_FORMAT_NAMES.find((name) => name === value);
  if (known !== undefined) return known;
  const near = nearest(String(value), TEXT_FORMAT_NAMES);
  return {
    message: `${JSON.stringify(value)} is not a format`,
    hint: near === undefined ? `the formats are ${TEXT_FORMAT_NAMES.join(', ')}` : `did you mean ${near}?`,
  };
}

export function readText(value: unknown): string | Invalid {
  return typeof value === 'string' ? value.trim() : { message: 'must be text', hint: 'put it in quotes' };
}

function readEnum(declaration: ParameterDeclaration, value: unknown): readonly (string | number)[] | Invalid {
  if (!Array.isArray(value) || value.length === 0) return { message: 'must be a list of values' };
  const values: (string | number)[] = [];
  for (const item of value as readonly unknown[]) {
    const scalar = readScalar({ ...declaration, array: false }, item);
    if (isUnfit(scalar)) return scalar;
    if (typeof scalar === 'boolean')
      return { message: 'cannot be used with a boolean', hint: 'remove it: a boolean can only be true or false' };
    values.push(scalar);
  }
  return values;
}

/** YAML's numbers are floats: of an integer beyond their digits, the digits as they stand in the file. */
function exact(value: unknown, node: unknown): unknown {
  if (!Number.isInteger(value) || Number.isSafeInteger(value) || !isScalar(node)) return value;
  return /^[+-]?\d+$/.test(node.source ?? '') ? BigInt(node.source ?? '') : value;
}

function readDefault(
  declaration: ParameterDeclaration,
  value: unknown,
  node: Node | null,
): NonNullable<ParameterDeclaration['default']> | Invalid {
  if (!declaration.array) return readScalar(declaration, exact(value, node));
  if (!Array.isArray(value)) return { message: 'must be a list', hint: 'write it as [a, b]' };
  const values: Scalar[] = [];
  for (const [i, item] of (value as readonly unknown[]).entries()) {
    const scalar = readScalar({ ...declaration, array: false }, exact(item, isSeq(node) ? node.items[i] : undefined));
    if (isUnfit(scalar)) return scalar;
    values.push(scalar);
  }
  return values;
}

function readExample(declaration: ParameterDeclaration, value: unknown, node: Node | null): Scalar | Invalid {
  if (isMap(node) || isSeq(node)) return { message: 'must be a single value' };
  return readScalar({ ...declaration, array: false }, exact(value, node));
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

function readScalar(declaration: ParameterDeclaration, value: unknown): Scalar | Invalid {
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
