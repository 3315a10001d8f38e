// LEFT JOIN UNNEST keeps events without a record; an inner join of a field of that record drops them again.
import type { Span } from '../../base/source-text.ts';
import type { TableExpr } from '../syntax/ast.ts';

interface UndoneJoin {
  /** The alias that was joined by LEFT JOIN. */
  readonly alias: string;
  readonly span: Span;
}

export function undoneJoinsOf(from: TableExpr): readonly UndoneJoin[] {
  const found: UndoneJoin[] = [];
  const kept = new Set<string>();
  const walk = (table: TableExpr): void => {
    if (table.kind !== 'join') return;
    walk(table.left);
    const { right, type } = table;
    if (right.kind !== 'unnest') return;
    const alias = right.alias?.name ?? (right.array.kind === 'path' ? right.array.parts.at(-1)?.name : undefined);
    const of = right.array.kind === 'path' ? right.array.parts[0]?.name : undefined;
    if (type === 'LEFT') {
      if (alias !== undefined) kept.add(alias.toLowerCase());
    } else if (of !== undefined && kept.has(of.toLowerCase())) found.push({ alias: of, span: right.span });
  };
  walk(from);
  return found;
}
