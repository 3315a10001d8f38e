// Describes the parameters of a saved query in words.
import { parameterKindText } from '../../queries/parameter-value.ts';
import type { ParameterDeclaration } from '../../queries/saved-query.ts';

export const flagOf = ({ name }: Pick<ParameterDeclaration, 'name'>): string => `--${name.replaceAll('_', '-')}`;

/** Returns a line for each parameter. */
export function parameterLines(parameters: readonly ParameterDeclaration[]): readonly string[] {
  const names = parameters.map(flagOf);
  const width = Math.max(...names.map((name) => name.length));
  return parameters.map((parameter, i) => `  ${(names[i] ?? '').padEnd(width)}  ${describe(parameter)}`);
}

/** Describes everything that the header declares about a parameter. */
export function describe(parameter: ParameterDeclaration): string {
  return [
    `${parameterKindText(parameter)}${parameter.required ? ', required' : ''}`,
    ...(parameter.enum === undefined ? [] : [`one of: ${parameter.enum.join(', ')}`]),
    ...(parameter.suggest === undefined ? [] : [`such as: ${parameter.suggest.join(', ')}`]),
    ...(parameter.default === undefined ? [] : [`default ${JSON.stringify(parameter.default)}`]),
    ...(parameter.example === undefined ? [] : [`for example ${JSON.stringify(parameter.example)}`]),
    ...(parameter.description === undefined ? [] : [parameter.description]),
  ].join('; ');
}
