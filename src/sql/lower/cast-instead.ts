// Suggests what to write instead of a cast that BigQuery does not have.
import { type Type, typeName } from '../base/types.ts';

/** Returns undefined if nothing gives such a value. */
export function insteadOfCast(from: Type, to: Type): string | undefined {
  if (from.kind === 'JSON') {
    const field = `a value in it: CAST(JSON_VALUE(json, '$.field') AS ${typeName(to)})`;
    if (to.kind === 'STRING') return "write TO_JSON_STRING(json) for all of it, or JSON_VALUE(json, '$.field') for a value in it";
    return to.kind === 'ARRAY' || to.kind === 'STRUCT'
      ? 'read its fields with JSON_VALUE and its arrays with JSON_QUERY_ARRAY'
      : `cast ${field}`;
  }
  if (to.kind === 'JSON')
    return from.kind === 'STRING' ? 'write PARSE_JSON(text), or TO_JSON(text) for a JSON string' : 'write TO_JSON(value)';
  if (to.kind === 'STRING' && (from.kind === 'ARRAY' || from.kind === 'STRUCT'))
    return from.kind === 'ARRAY' && from.element.kind === 'STRING'
      ? "write ARRAY_TO_STRING(array, ', '), or TO_JSON_STRING(array)"
      : 'write TO_JSON_STRING(value)';
  return undefined;
}
