// The formats of parameters that declare none, where the query reads them as patterns or times in every run.
import type { TextKind } from '../../sql/base/types.ts';
import type { ParameterDeclaration } from '../saved-query.ts';
import { textFormatProblem } from './text-format.ts';

/** `parameters`, with a format for each text that the query reads as one kind of text, whatever the other arguments are. */
export function impliedFormats(
  parameters: readonly ParameterDeclaration[],
  textsReadAs: Readonly<Record<string, TextKind>>,
): readonly ParameterDeclaration[] {
  return parameters.map((parameter) => {
    const { name, type, array, format, enum: allowed, default: fallback } = parameter;
    const read = textsReadAs[name];
    if (read === undefined || type !== 'string' || array || format !== undefined || allowed !== undefined) return parameter;
    // A default that is none fails in the query, which has a place to show.
    const fits = fallback === undefined || textFormatProblem(read, String(fallback), undefined) === undefined;
    return fits ? { ...parameter, format: read } : parameter;
  });
}
