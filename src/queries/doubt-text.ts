// The text of a warning that the types of a query lead to, for `quern lint` and for runs.
import type { Doubt } from '../sql/translation.ts';

export function doubtText({ kind, name, instead }: Doubt): { readonly message: string; readonly hint: string } {
  if (kind === 'undeclared-field')
    return { message: `the record declares no field ${name}, so it is NULL unless an event has it`, hint: `did you mean ${instead}?` };
  return {
    message: `@${name} is text, but is compared with a ${instead}`,
    hint:
      instead === 'TIMESTAMP' || instead === 'DATE'
        ? `declare it with type: ${instead.toLowerCase()}, or with format: ${instead.toLowerCase()}, so that other values are refused right away`
        : `declare it with format: ${instead.toLowerCase()}, so that other values are refused right away`,
  };
}
