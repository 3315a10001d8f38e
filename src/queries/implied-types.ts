// The types of parameters that no header declares yet, as far as the query decides them.
import { QuernError } from '../base/errors.ts';
import type { Span } from '../base/source-text.ts';
import { translateSpecializable } from '../sql/index.ts';
import type { TranslateOptions } from '../sql/translation.ts';
import { parameterType } from './parameter-types.ts';
import type { Reference } from './references.ts';
import type { ParameterDeclaration, ParameterTypeName } from './saved-query.ts';

/** In this order; the first that fits is proposed. */
const TYPES: readonly ParameterTypeName[] = [
  'string',
  'integer',
  'float',
  'timestamp',
  'date',
  'boolean',
  'datetime',
  'time',
  'bytes',
  'json',
  'interval',
];
/** Each is a translation, and whoever waits has a mistake to mend. */
const MOST_TRIALS = 60;

type Types = ReadonlyMap<string, ParameterTypeName>;
/** The outcome of a translation with the types: the texts that are compared with times; an expression that does not take the types; or other trouble. */
type Outcome = { readonly times: Types } | { readonly refused: Span } | undefined;

/** A declaration for each name among `undeclared`; strings where the query does not translate with any types, be it for another reason. */
export function impliedDeclarations(
  text: string,
  undeclared: readonly Reference[],
  options: TranslateOptions,
): readonly ParameterDeclaration[] {
  const names = [...new Map(undeclared.map(({ name }) => [name.toLowerCase(), name])).values()];
  const declarations = (types: Types): readonly ParameterDeclaration[] =>
    names.map((name) => ({ name, type: types.get(name.toLowerCase()) ?? 'string', array: false, required: false }));
  let trials = 0;
  const attempt = (types: Types): Outcome => {
    if (++trials > MOST_TRIALS) return undefined;
    const tried = Object.fromEntries(declarations(types).map((declaration) => [declaration.name, parameterType(declaration)]));
    return translated(text, { ...options, parameters: { ...options.parameters, ...tried } });
  };
  let types: Types = new Map();
  let outcome = attempt(types);
  while (outcome !== undefined && 'refused' in outcome) {
    const { refused } = outcome;
    const blamed = [...new Set(undeclared.filter(({ span }) => isWithin(span, refused)).map(({ name }) => name.toLowerCase()))];
    const better = [...blamed.map((name) => [name]), blamed]
      .flatMap((group) => TYPES.slice(1).map((type): Types => new Map([...types, ...group.map((name) => [name, type] as const)])))
      .find((next) => {
        outcome = attempt(next);
        return outcome !== undefined && !('refused' in outcome && isWithin(outcome.refused, refused));
      });
    if (better === undefined) return declarations(new Map());
    types = better;
  }
  return declarations(new Map([...(outcome?.times ?? []), ...types]));
}

function translated(text: string, options: TranslateOptions): Outcome {
  try {
    const { doubts = [] } = translateSpecializable(text, options);
    const times = doubts.flatMap(({ kind, name, instead }) => {
      const type = TYPES.find((known) => known.toUpperCase() === instead);
      return kind === 'text-as-time' && type !== undefined ? [[name.toLowerCase(), type] as const] : [];
    });
    return { times: new Map(times) };
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    const { span, source } = error.details;
    return error.code === 'type' && span !== undefined && source === undefined ? { refused: span } : undefined;
  }
}

const isWithin = (inner: Span, outer: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;
