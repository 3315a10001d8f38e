// `quern new --from-last`: writes the last SQL that was run, with its parameters in a header.
import { randomUUID } from 'node:crypto';
import { QuernError } from '../../../base/errors.ts';
import { headerSpan } from '../../../queries/header/text.ts';
import { parameterTypeText } from '../../../queries/parameter-value.ts';
import type { Parts } from '../../parts.ts';
import { readGivenParameter } from '../query/given-parameter.ts';
import { readLast } from '../query/one-off.ts';

/** Returns the text of a saved query for a description. A header that the SQL already has stays. Throws `usage` when there is no SQL. */
export async function lastQueryText(parts: Pick<Parts, 'settings'>): Promise<(description: string) => string> {
  const { sql, parameters } = await readLast(parts);
  if (headerSpan(sql) !== undefined) return () => ended(sql);
  const params = parameters.map(readGivenParameter).map(({ declaration, value, type }) => {
    if (type !== undefined)
      throw new QuernError('usage', `a saved query cannot have a parameter of type ${type}, such as @${declaration.name}`, {
        hint: `pass text or numbers, build the value in the SQL, as in CAST(@${declaration.name} AS NUMERIC), and run that`,
      });
    const fallback = value === null ? '' : `, default: ${defaultText(value, declaration.array)}`;
    return `  ${declaration.name}: { type: ${parameterTypeText(declaration)}${fallback} }\n`;
  });
  return (description) => `/*---
id: ${randomUUID()}
description: ${description}
max_rows: 1000
cache: disabled
${params.length === 0 ? '' : `params:\n${params.join('')}`}---*/
${ended(sql)}`;
}

const ended = (sql: string): string => `${sql.trim()}\n`;

/** Prints a default as YAML, of which JSON is a part, for a comment whose end it must not contain. */
const defaultText = (value: string, array: boolean): string =>
  (array || /^-?\d+(?:\.\d+)?$|^(?:true|false)$/.test(value) ? value : JSON.stringify(value)).replaceAll('*/', '*\\/');
