// Reads signature texts: `value STRING, [start INT64], [mode => STRING], ...rest T -> ARRAY<T>`; overloads separated by ` | `.
import { arrayOf, GEOGRAPHY, SCALAR_TYPES, type Type } from '../base/types.ts';

/** A type with variables. `part`: a date part; `lambda`: arguments and result. */
export type Pattern =
  | { readonly kind: 'type'; readonly type: Type }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'array'; readonly element: Pattern }
  | { readonly kind: 'struct'; readonly fields: readonly { readonly name: string; readonly pattern: Pattern }[] }
  /** Takes every argument as it is: repeated ones need not have one type. */
  | { readonly kind: 'any' }
  /** STRING, or what CAST makes one: numbers, booleans, dates, times and intervals. */
  | { readonly kind: 'text' }
  | { readonly kind: 'part' }
  | { readonly kind: 'lambda'; readonly parameters: readonly Pattern[]; readonly result: Pattern };

interface SignatureParameter {
  readonly name: string;
  readonly pattern: Pattern;
  readonly optional: boolean;
  readonly repeated: boolean;
  /** Given by its name only: `[mode => STRING]`. */
  readonly named: boolean;
}

export interface Signature {
  readonly parameters: readonly SignatureParameter[];
  /** Those that are not repeated, and how many of them must be there; the last one may be repeated. */
  readonly fixed: readonly SignatureParameter[];
  readonly required: number;
  readonly repeated: SignatureParameter | undefined;
  readonly result: Pattern;
}

const SCALARS: Readonly<Record<string, Type>> = { ...SCALAR_TYPES, GEOGRAPHY };

const parsed = new Map<string, readonly Signature[]>();

/** The overloads of a signature text; texts are read once. */
export function signaturesOf(text: string): readonly Signature[] {
  let signatures = parsed.get(text);
  if (signatures === undefined) {
    signatures = text.split(' | ').map(parseSignature);
    parsed.set(text, signatures);
  }
  return signatures;
}

function parseSignature(text: string): Signature {
  const arrow = text.lastIndexOf(' -> ');
  const head = text.slice(0, arrow);
  const parameters = head === '' ? [] : head.split(', ').map(parseParameter);
  const fixed = parameters.filter((p) => !p.repeated);
  return {
    parameters,
    fixed,
    required: fixed.filter((p) => !p.optional).length,
    repeated: parameters.find((p) => p.repeated),
    result: parsePattern(text.slice(arrow + 4)),
  };
}

function parseParameter(text: string): SignatureParameter {
  const optional = text.startsWith('[');
  const repeated = text.startsWith('...');
  const plain = optional ? text.slice(1, -1) : text.slice(repeated ? 3 : 0);
  const space = plain.indexOf(' ');
  const type = plain.slice(space + 1);
  const named = type.startsWith('=> ');
  return { name: plain.slice(0, space), pattern: parsePattern(named ? type.slice(3) : type), optional, repeated, named };
}

function parsePattern(text: string): Pattern {
  if (text === 'PART') return { kind: 'part' };
  if (text === 'ANY') return { kind: 'any' };
  if (text === 'TEXT') return { kind: 'text' };
  const lambda = /^\((.*)\)=>(.+)$/.exec(text);
  if (lambda !== null) {
    return { kind: 'lambda', parameters: (lambda[1] ?? '').split(';').map(parsePattern), result: parsePattern(lambda[2] ?? '') };
  }
  const array = /^ARRAY<(.+)>$/.exec(text);
  if (array !== null) {
    const element = parsePattern(array[1] ?? '');
    return element.kind === 'type' ? { kind: 'type', type: arrayOf(element.type) } : { kind: 'array', element };
  }
  const struct = /^STRUCT<(.+)>$/.exec(text);
  if (struct !== null) {
    const fields = (struct[1] ?? '').split(', ').map((field) => {
      const space = field.indexOf(' ');
      return { name: field.slice(0, space), pattern: parsePattern(field.slice(space + 1)) };
    });
    return { kind: 'struct', fields };
  }
  const type = SCALARS[text];
  return type === undefined ? { kind: 'variable', name: text } : { kind: 'type', type };
}
