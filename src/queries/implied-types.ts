// The types of parameters that no header declares yet, as far as the query decides them.
import { assumeTables } from '../sources/assumed-tables.ts';
import type { TranslateOptions } from '../sql/translation.ts';
import { parameterTypeOf } from './parameter-type.ts';
import type { Reference } from './references.ts';
import type { ParameterDeclaration } from './saved-query.ts';

/** A declaration for each name among `undeclared`; strings where the query does not translate with any types, be it for another reason. */
export function impliedDeclarations(
  text: string,
  undeclared: readonly Reference[],
  options: TranslateOptions,
): readonly ParameterDeclaration[] {
  const names = [...new Map(undeclared.map(({ name }) => [name.toLowerCase(), name])).values()];
  const { parameters } = assumeTables(text, options, names);
  return names.map((name) => {
    const type = parameters.get(name)?.type;
    return { name, type: 'string', array: false, ...(type && parameterTypeOf(type)), required: false };
  });
}
