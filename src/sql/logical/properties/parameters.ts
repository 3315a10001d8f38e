// The values that are made of constants and parameters alone, so that data do not change them.
import type { Expr } from '../nodes.ts';
import { isVolatile } from '../volatile.ts';
import { childrenOf, type Relations } from '../walk.ts';
import { derive } from './derive.ts';

/** Returns the names of the parameters that a value is made of, besides constants; undefined if data or chance decide. */
export type ParametersIn = (value: Expr) => ReadonlySet<string> | undefined;

export function parametersIn(plan: Relations): ParametersIn {
  const columns = new Map<number, ReadonlySet<string>>();
  const of: ParametersIn = (value) => {
    switch (value.kind) {
      case 'parameter':
        return new Set([value.name]);
      case 'column':
        return columns.get(value.column.id);
      case 'subquery':
        return value.mode === 'scalar' ? columns.get(value.column.id) : undefined;
      case 'lambda':
      case 'aggregate':
      case 'window':
        return undefined;
      default: {
        if (isVolatile(value)) return undefined;
        const parts = childrenOf(value).map(of);
        return parts.includes(undefined) ? undefined : new Set(parts.flatMap((part) => [...(part ?? [])]));
      }
    }
  };
  derive(plan, columns, (made) => (made.by === 'cte' ? made.read && columns.get(made.read.id) : made.by === 'value' && of(made.value)));
  return of;
}
