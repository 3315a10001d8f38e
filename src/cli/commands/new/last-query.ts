// `quern new --from-last`: writes the last SQL that was run, with its parameters in a header.
import { endedText, savedText } from '../../../queries/header/saved-text.ts';
import { headerSpan } from '../../../queries/header/text.ts';
import { parameterTypeText } from '../../../queries/parameter-types.ts';
import type { ParameterType, ParameterTypeName } from '../../../queries/saved-query.ts';
import type { Parts } from '../../parts.ts';
import { readGivenParameters } from '../query/given-parameter.ts';
import { readLast } from '../query/one-off.ts';

/** Returns the text of a saved query for a description. A header that the SQL already has stays. Throws `usage` when there is no SQL. */
export async function lastQueryText(parts: Pick<Parts, 'settings'>): Promise<(description: string) => string> {
  const { sql, parameters } = await readLast(parts);
  if (headerSpan(sql) !== undefined) return () => endedText(sql);
  const declared = readGivenParameters(parameters).map(({ declaration, value }) => {
    const isGiven = typeof value === 'string' && (value !== '' || TAKES_EMPTY.includes(declaration.type));
    return {
      name: declaration.name,
      type: quotedType(declaration),
      default: isGiven ? defaultText(value, declaration) : undefined,
    };
  });
  return (description) => savedText({ description, sql, parameters: declared });
}

/** A comma would end it within braces. */
function quotedType(declaration: ParameterType): string {
  const text = parameterTypeText(declaration);
  return declaration.type === 'struct' ? JSON.stringify(text) : text;
}

/** An empty text of any other type is none. */
const TAKES_EMPTY: readonly ParameterTypeName[] = ['string', 'bytes'];
/** Types whose values stand in YAML as they are written in JSON. */
const PLAIN: readonly ParameterTypeName[] = ['integer', 'float', 'boolean', 'struct'];

/** Prints a default as YAML, of which JSON is a part. */
function defaultText(value: string, { array, type }: ParameterType): string {
  const text = array ? listText(value, type) : undefined;
  const isPlain = PLAIN.includes(type) && (type === 'struct' || /^-?\d+(?:\.\d+)?$|^(?:true|false)$/.test(value));
  return text ?? (isPlain ? value : JSON.stringify(value));
}

/** A list of JSON as it is, texts between commas as a list. */
const listText = (value: string, type: ParameterTypeName): string => {
  if (/^\s*\[/.test(value)) return value;
  return type === 'string' || type === 'json' ? JSON.stringify([value]) : JSON.stringify(value.split(',').map((item) => item.trim()));
};
