// The parameters of a query that declares none: their names, and types where the SQL says them.
import { referencesOf } from '../queries/references.ts';
import type { ParameterTypeName } from '../queries/saved-query.ts';
import { positionOf } from '../sql/base/positional.ts';
import { parse } from '../sql/index.ts';

/** Types of parameters by the names that BigQuery has for them. */
export const PARAMETER_TYPES: Readonly<Record<string, ParameterTypeName>> = {
  STRING: 'string',
  INT64: 'integer',
  FLOAT64: 'float',
  BOOL: 'boolean',
  TIMESTAMP: 'timestamp',
  DATE: 'date',
};

export interface FoundParameter {
  readonly name: string;
  readonly type: ParameterTypeName;
  readonly required?: true;
}

/**
 * In the order of the text. A parameter is a string, as Logflare binds all of them, unless every use casts it to the same other type.
 * SAFE_CAST gives NULL where a typed parameter would be refused, so it says nothing. `given` are known from elsewhere. Throws `syntax`.
 */
export function findParameters(sql: string, given: readonly FoundParameter[] = []): readonly FoundParameter[] {
  const script = parse(sql);
  const uses = new Map<string, { readonly name: string; count: number }>();
  for (const { name } of referencesOf(script).parameters) {
    if (positionOf(name) !== undefined) continue;
    const use = uses.get(name.toLowerCase()) ?? { name, count: 0 };
    use.count++;
    uses.set(name.toLowerCase(), use);
  }
  const casts = castsIn(script);
  return [...uses].map(([key, { name, count }]): FoundParameter => {
    const known = given.find((one) => one.name.toLowerCase() === key);
    if (known !== undefined) return { ...known, name };
    const types = casts.filter((cast) => cast.parameter === key).map(({ type }) => type);
    const [type] = types;
    return { name, type: type !== undefined && types.length === count && types.every((other) => other === type) ? type : 'string' };
  });
}

interface ParameterCast {
  readonly parameter: string;
  readonly type: ParameterTypeName;
}

interface Shape {
  readonly kind?: unknown;
  readonly safe?: unknown;
  readonly format?: unknown;
  readonly timeZone?: unknown;
  readonly operand?: Shape | null;
  readonly to?: Shape | null;
  readonly name?: unknown;
}

/** `CAST(@name AS type)`, found in the tree by shape. */
function castsIn(tree: unknown): readonly ParameterCast[] {
  const casts: ParameterCast[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { kind, safe, format, timeZone, operand, to } = value as Shape; // every property is checked below
    const type = typeof to?.name === 'string' ? PARAMETER_TYPES[to.name] : undefined;
    const plain = kind === 'cast' && safe === false && format === null && timeZone === null;
    if (plain && type !== undefined && operand?.kind === 'parameter' && typeof operand.name === 'string')
      casts.push({ parameter: operand.name.toLowerCase(), type });
    for (const child of Object.values(value)) visit(child);
  };
  visit(tree);
  return casts;
}
