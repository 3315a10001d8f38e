// What lowering carries along: names handed out once, how often columns are read, the CTEs.
import type { Ch } from '../clickhouse/ast.ts';
import type { Column, CteDefinition } from '../resolved.ts';
import type { TranslateOptions } from '../translation.ts';

export interface Lowering {
  readonly options: TranslateOptions;
  /** A name not used before in this query, from what the user called the thing. */
  fresh(base: string): string;
  /** The name of a column where it is shown by a subquery: always the same for one column. */
  nameOf(column: Column): string;
  /** How often the query reads the column with this id. */
  readonly uses: ReadonlyMap<number, number>;
  readonly ctes: ReadonlyMap<number, { readonly definition: CteDefinition; readonly name: string }>;
  /** Parameters written so far: name → ClickHouse type. */
  readonly parameters: Map<string, string>;
}

/** How columns are written at a place: those of the SELECT itself, then those of the SELECTs around it. */
export interface Environment {
  readonly names: ReadonlyMap<number, Ch>;
  readonly outer: Environment | null;
}

export const NO_ENVIRONMENT: Environment = { names: new Map(), outer: null };

export function createLowering(options: TranslateOptions, uses: ReadonlyMap<number, number>, ctes: readonly CteDefinition[]): Lowering {
  const taken = new Set<string>();
  const fresh = (base: string): string => {
    const plain = base.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^(?=\d|$)/, '_');
    let name = plain;
    // ClickHouse distinguishes case, people do not: names differ by more than case.
    for (let i = 2; taken.has(name.toLowerCase()); i++) name = `${plain}_${i}`;
    taken.add(name.toLowerCase());
    return name;
  };
  const columnNames = new Map<number, string>();
  return {
    options,
    fresh,
    nameOf: (column) => {
      let name = columnNames.get(column.id);
      if (name === undefined) {
        name = fresh(column.name);
        columnNames.set(column.id, name);
      }
      return name;
    },
    uses,
    ctes: new Map(ctes.map((definition) => [definition.id, { definition, name: fresh(definition.name) }])),
    parameters: new Map(),
  };
}
