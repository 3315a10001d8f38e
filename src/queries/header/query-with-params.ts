// The fields with which a file names a saved query and its arguments.
import { type Field, field } from '../../fields/field.ts';
import { trimmedText } from '../../fields/kinds.ts';
import { isMapping, type ValueAt } from '../../fields/value-at.ts';
import { isBeyondJson, nested } from './exact-value.ts';

/** Numbers of which YAML would lose digits, such as 007 and long integers, are taken as they are written. */
export const PARAMS: Field<Readonly<Record<string, unknown>>> = {
  schema: { type: 'object', description: 'arguments of the query' },
  read(value) {
    const hint = 'write them as { project: demo }';
    if (!isMapping(value.value)) return value.problem('must map names of parameters to arguments', hint);
    const known = value.names.map((name) => [name, argument(value.at(name))] as const);
    const [odd] = known.find(([, given]) => given === undefined) ?? [];
    if (odd !== undefined) return value.problem(`must have a value, a list of values or the fields of a STRUCT for ${odd}`, hint);
    return Object.fromEntries(known);
  },
};

/** Undefined for what is neither a value, nor a list or a mapping of these. */
function argument(given: ValueAt): unknown {
  if (!Array.isArray(given.value)) return single(given);
  const list = given.items.map(single);
  return list.includes(undefined) ? undefined : list;
}

function single(given: ValueAt): unknown {
  const { value, text } = given;
  if (isMapping(value)) return isBeyondJson(nested(given)) ? undefined : nested(given);
  if (typeof value === 'object') return value === null ? null : undefined;
  return typeof value === 'number' && /^[-+.\d]/.test(text) && text !== String(value) ? text : value;
}

export const QUERY = field(trimmedText('the name of a saved query'), {
  description: 'name, UUID, or path relative to this file',
  says: 'does not name a saved query',
});
