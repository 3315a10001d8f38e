import type { Statement } from '../target/ast.ts';
import type { SpecializableTranslation } from '../translation.ts';

/** Returns the limit of the statement, as SpecializableTranslation has it: one behind a UNION would be that of its last part. */
export function ownLimitOf(statement: Statement): SpecializableTranslation['ownLimit'] {
  if (statement.kind !== 'select') return undefined;
  const { limit, offset } = statement;
  if (limit === null) return offset === null ? 'none' : undefined;
  return limit.kind === 'lit' ? Number(limit.value) : undefined;
}
