// The parameters of a query that declares none: their names, and the types that the SQL says.

import { parameterTypeOf } from '../queries/parameter-type.ts';
import { parameterType } from '../queries/parameter-types.ts';
import { referencesOf } from '../queries/references.ts';
import type { ParameterType, ParameterTypeName } from '../queries/saved-query.ts';
import { assumeTables } from '../sources/assumed-tables.ts';
import { positionOf } from '../sql/base/positional.ts';
import { STRING } from '../sql/base/types.ts';
import { parse } from '../sql/index.ts';
import type { SourceCatalog } from '../sql/source.ts';

/** Types of parameters by the names that BigQuery has for them. */
export const PARAMETER_TYPES: Readonly<Record<string, ParameterTypeName>> = {
  STRING: 'string',
  INT64: 'integer',
  FLOAT64: 'float',
  BOOL: 'boolean',
  TIMESTAMP: 'timestamp',
  DATE: 'date',
};

export interface FoundParameter extends Pick<ParameterType, 'type'> {
  readonly name: string;
  readonly array?: boolean;
  readonly required?: true;
  /** The text would be as good with another type. */
  readonly isGuess?: boolean;
}

interface Known {
  /** Known from elsewhere. */
  readonly given?: readonly FoundParameter[] | undefined;
  /** The others are strings, as Logflare binds all of them. */
  readonly onlyTexts?: boolean | undefined;
  readonly sources?: SourceCatalog | undefined;
}

/**
 * In the order of the text. A parameter that every use casts to the same type is of that type; SAFE_CAST gives NULL where a typed parameter would be refused,
 * so it says nothing. The others are of a type that fits. Throws `syntax`.
 */
export function findParameters(sql: string, { given = [], onlyTexts = false, sources }: Known): readonly FoundParameter[] {
  const script = parse(sql);
  const uses = new Map<string, { readonly name: string; count: number }>();
  for (const { name } of referencesOf(script).parameters) {
    if (positionOf(name) !== undefined) continue;
    const use = uses.get(name.toLowerCase()) ?? { name, count: 0 };
    use.count++;
    uses.set(name.toLowerCase(), use);
  }
  const casts = castsIn(script);
  const found = [...uses].map(([key, { name, count }]): FoundParameter | string => {
    const known = given.find((one) => one.name.toLowerCase() === key);
    if (known !== undefined) return { ...known, name };
    const types = casts.filter((cast) => cast.parameter === key).map(({ type }) => type);
    const [type] = types;
    const isCast = type !== undefined && types.length === count && types.every((other) => other === type);
    if (isCast) return { name, type };
    return onlyTexts ? { name, type: 'string' } : name;
  });
  const open = found.filter((one) => typeof one === 'string');
  if (open.length === 0) return found.filter((one) => typeof one !== 'string');
  const declared = found.flatMap((one) => (typeof one === 'string' ? [] : [[one.name, parameterType({ array: false, ...one })] as const]));
  const { parameters } = assumeTables(sql, { sources, parameters: Object.fromEntries(declared) }, open);
  return found.map((one) => {
    if (typeof one !== 'string') return one;
    const { type, isGuess } = parameters.get(one) ?? { type: STRING, isGuess: true };
    return { name: one, ...(parameterTypeOf(type) ?? { type: 'string' }), isGuess };
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
