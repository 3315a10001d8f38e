// What the parameters of a saved query are, in words.
import { parameterKindText } from '../../queries/parameter-value.ts';
import type { ParameterDeclaration } from '../../queries/saved-query.ts';

export const flagOf = ({ name }: Pick<ParameterDeclaration, 'name'>): string => `--${name.replaceAll('_', '-')}`;

/** A line for each. */
export function parameterLines(parameters: readonly ParameterDeclaration[]): readonly string[] {
  const names = parameters.map(flagOf);
  const width = Math.max(...names.map((name) => name.length));
  return parameters.map((parameter, i) => `  ${(names[i] ?? '').padEnd(width)}  ${describe(parameter)}`);
}

/** All that the header says of one. */
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
