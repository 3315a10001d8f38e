// One value for a parameter: text or JSON in, the value to bind out.
import type { BoundValue } from '../engine/engine.ts';
import { PARAMETER_TYPES, parameterTypeText } from './parameter-types.ts';
import type { ParameterDeclaration, ParameterField, ParameterType } from './saved-query.ts';
import { textFormatProblem } from './text-formats/text-format.ts';

/** For people: `regexp string`, `array of regexp strings`; only strings have formats. */
export function parameterKindText(declaration: Pick<ParameterDeclaration, 'type' | 'array' | 'fields' | 'format'>): string {
  const { array, format } = declaration;
  if (format === undefined) return parameterTypeText(declaration);
  return array ? `array of ${format} strings` : `${format} string`;
}

type ReadValue = { readonly value: BoundValue } | { readonly problem: string };
type Declared = ParameterType & Pick<ParameterDeclaration, 'format' | 'enum' | 'example'>;

/**
 * The value to bind for `raw`: text, a JSON scalar, for arrays a list, JSON text of a list, or text with commas, for structs an object or JSON text of
 * one. In an array of strings without an `enum` a comma belongs to the value. A problem says what is wrong and what is allowed.
 */
export function readValue(declaration: Declared, raw: unknown): ReadValue {
  if (losesDigits(declaration, raw))
    return { problem: 'has a number of more than 15 digits next to JSON; put the number, or the JSON, in quotes' };
  if (declaration.array) return readList(declaration, listOf(declaration, raw), '');
  const single: unknown = Array.isArray(raw) && raw.length === 1 && !takesList(declaration, raw[0]) ? raw[0] : raw;
  if (Array.isArray(single) && !takesList(declaration, single[0])) return { problem: `takes one value, but ${single.length} were given` };
  return readOne(declaration, declaration.type === 'struct' ? parsed(single) : single, '');
}

/** A flag that may be repeated gives a list of texts, and JSON a list for a struct by position, or as JSON. */
const takesList = ({ type }: ParameterType, first: unknown): boolean =>
  type === 'json' || (type === 'struct' && !(typeof first === 'string' && /^\s*[{[]/.test(first)));

function readList(declaration: Declared, items: readonly unknown[], at: string): ReadValue {
  const values: BoundValue[] = [];
  for (const [i, item] of items.entries()) {
    const value = declaration.type === 'struct' ? parsed(item) : item;
    const element = item === null ? { value: null } : readOne(declaration, value, at === '' && !isNested(declaration) ? '' : `${at}[${i}]`);
    if ('problem' in element) return element;
    values.push(element.value);
  }
  return { value: values };
}

const isNested = ({ type }: ParameterType): boolean => type === 'struct';

function readOne(declaration: Declared, raw: unknown, at: string): ReadValue {
  const { type, fields = [] } = declaration;
  if (type === 'struct') return readStruct(declaration, fields, raw, at);
  const { expected, read } = PARAMETER_TYPES[type];
  const value = read(raw);
  if (value === undefined) return wrong(at, `${shown(raw)} is not ${expected}`);
  const { enum: allowed, format, example } = declaration;
  if (allowed !== undefined && !allowed.some((candidate) => isSame(read(candidate), value)))
    return wrong(at, `${shown(raw)} is not one of: ${allowed.join(', ')}`);
  const problem =
    format === undefined ? undefined : textFormatProblem(format, String(value), example === undefined ? undefined : String(example));
  return problem === undefined ? { value } : wrong(at, `${shown(raw)} ${problem}`);
}

/** The fields by their names, in any case, or by their positions. */
function readStruct(type: ParameterType, fields: readonly ParameterField[], raw: unknown, at: string): ReadValue {
  if (typeof raw === 'string') return wrong(at, `${shown(raw)} is not JSON; give ${structForm(type, fields)}`);
  const byPosition = Array.isArray(raw);
  if (typeof raw !== 'object' || raw === null || (byPosition && raw.length !== fields.length))
    return wrong(at, `${shown(raw)} is not ${structForm(type, fields)}`);
  if (!byPosition && fields.some(({ name }) => name === null)) return wrong(at, `${shown(raw)} is not ${structForm(type, fields)}`);
  const given = new Map(Object.entries(raw).map(([name, value]: [string, unknown]) => [name.toLowerCase(), value]));
  const names = new Set(fields.map(({ name }, i) => (byPosition ? String(i) : (name ?? '').toLowerCase())));
  const stray = Object.keys(raw).find((name) => !names.has(name.toLowerCase()));
  if (stray !== undefined) return wrong(at, `the type ${sqlText(type)} has no field ${stray}`);
  const values: BoundValue[] = [];
  for (const [i, field] of fields.entries()) {
    const value = given.get(byPosition ? String(i) : (field.name ?? '').toLowerCase());
    const place = field.name === null ? `${at}[${i}]` : `${at === '' ? '' : `${at}.`}${field.name}`;
    const read = readField(field, value, place);
    if ('problem' in read) return read;
    values.push(read.value);
  }
  return { value: { tuple: values } };
}

function readField(field: ParameterField, value: unknown, at: string): ReadValue {
  if (field.array) {
    // ClickHouse has no NULL array, and nothing could say that this one is.
    if (value === undefined || value === null) return wrong(at, 'an array in a STRUCT cannot be NULL or absent; give [] for an empty one');
    return Array.isArray(value) ? readList(field, value, at) : wrong(at, `${shown(value)} is not a list`);
  }
  return value === undefined || value === null ? { value: null } : readOne(field, value, at);
}

const wrong = (at: string, problem: string): ReadValue => ({ problem: at === '' ? problem : `${at}: ${problem}` });

const sqlText = (type: ParameterType): string => parameterTypeText({ ...type, array: false });

function structForm(type: ParameterType, fields: readonly ParameterField[]): string {
  const isNamed = fields.every(({ name }) => name !== null);
  return isNamed ? `a JSON object with the fields of ${sqlText(type)}` : `a JSON list with the fields of ${sqlText(type)}`;
}

function isSame(one: BoundValue | undefined, other: BoundValue): boolean {
  const text = (value: BoundValue | undefined): string | undefined =>
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
  return one === other || (typeof other === 'object' && text(one) === text(other));
}

/** The JSON in a text; anything else as it is. */
function parsed(raw: unknown): unknown {
  if (typeof raw !== 'string' || !/^\s*[{[]/.test(raw)) return raw;
  try {
    return parseDigits(raw);
  } catch {
    return raw;
  }
}

/** A long number becomes a text on the way (see parseDigits), which is another value in JSON. */
const losesDigits = (declared: ParameterType, raw: unknown): boolean =>
  typeof raw === 'string' && (declared.array || declared.type === 'struct') && holdsJson(declared) && raw !== withTexts(raw);

const holdsJson = ({ type, fields = [] }: ParameterType): boolean => type === 'json' || fields.some(holdsJson);

function listOf({ type, enum: allowed }: Declared, raw: unknown): readonly unknown[] {
  if (Array.isArray(raw)) return raw;
  if (typeof raw !== 'string') return [raw];
  const list = raw.trimStart().startsWith('[') ? parsed(raw) : undefined;
  if (Array.isArray(list)) return list;
  const isWhole = (type === 'string' && allowed === undefined) || type === 'json' || type === 'struct';
  return isWhole ? [raw] : raw.split(',').map((item) => item.trim());
}

const LONG_NUMBER = /("(?:[^"\\]|\\.)*")|-?[\d.]{16,}(?:[eE][+-]?\d+)?/g;

/** JSON whose numbers of more digits than a double holds are texts. Throws SyntaxError. */
const parseDigits = (text: string): unknown => JSON.parse(withTexts(text));

const withTexts = (text: string): string => text.replace(LONG_NUMBER, (found, string: string | undefined) => string ?? `"${found}"`);

/** A bound value as people read it. */
export function plainValue(value: BoundValue): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('digits' in value) return value.digits;
  if ('bytes' in value) return Buffer.from(value.bytes, 'latin1').toString('base64');
  return ('tuple' in value ? value.tuple : value).map(plainValue);
}

/** The value as the user gave it, cut to fit a line. */
export function shown(raw: unknown): string {
  const text = jsonOf(raw) ?? String(raw);
  return text.length > 60 ? `${text.slice(0, 57)}…${text.endsWith('"') ? '"' : ''}` : text;
}

/** Undefined for what has no JSON; JSON.parse reads deeper lists than JSON.stringify can print. */
function jsonOf(raw: unknown): string | undefined {
  try {
    return JSON.stringify(raw, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  } catch (error) {
    if (error instanceof RangeError) return 'a list nested too deeply';
    throw error;
  }
}
