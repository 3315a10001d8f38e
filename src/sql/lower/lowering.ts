// The state of a lowering: names, which are given out once, how often columns are read, the CTEs.

import { spend } from '../base/budget.ts';
import { countUses } from '../logical/count-uses.ts';
import type { Column, CteDefinition, LogicalPlan, QueryNames, Rel, Subquery } from '../logical/nodes.ts';
import { type Properties, propertiesOf } from '../logical/properties/index.ts';
import { visitRels } from '../logical/walk.ts';
import type { NamedConstant, SqlExpression } from '../target/ast.ts';
import type { TranslateOptions } from '../translation.ts';
import type { Block, FreshNames } from './block.ts';
import type { OnLowered } from './lowered-parts.ts';

export interface LowerOptions extends TranslateOptions {
  readonly names?: QueryNames;
}

/** The two entries that reach each other: relations inside of expressions and of other relations go through these. */
export interface Lowerers {
  /** `needed`: ids of the columns that are read above. */
  readonly rel: (rel: Rel, needed: ReadonlySet<number>, outer: Environment | null, l: Lowering) => Block;
  readonly subquery: (expr: Subquery, env: Environment, l: Lowering) => SqlExpression;
}

export interface Lowering extends FreshNames, Properties {
  readonly lowerers: Lowerers;
  readonly options: TranslateOptions;
  /** Absent if nobody needs it. */
  readonly onLowered: OnLowered | undefined;
  /** How often the query reads each column, by its id. */
  readonly uses: ReadonlyMap<number, number>;
  readonly ctes: ReadonlyMap<number, { readonly definition: CteDefinition; readonly name: string }>;
  /**
   * Returns a name for a table in FROM. ClickHouse reads `x.t` inside of a join with a table named x as a part of that table, not as table
   * t of database x.
   */
  freshTable(base: string): string;
  /** Constant expressions that the query's WITH names, by their text. */
  readonly constants: Map<string, NamedConstant>;
  /** The ClickHouse types of the parameters written so far, by name. */
  readonly parameters: Map<string, string>;
}

/** How columns are written at a place: those of the SELECT itself, then those of the SELECTs around it. */
export interface Environment {
  readonly names: ReadonlyMap<number, SqlExpression>;
  readonly outer: Environment | null;
}

export function environment({ shown }: Block, outer: Environment | null): Environment {
  spend(shown.size >> 1);
  return { names: new Map([...shown].map(([id, s]) => [id, s.value])), outer };
}

export const lowerRel: Lowerers['rel'] = (rel, needed, outer, l) => l.lowerers.rel(rel, needed, outer, l);
export const lowerSubquery: Lowerers['subquery'] = (expr, env, l) => l.lowerers.subquery(expr, env, l);

/** Returns how the column with this id is written here, or undefined if it is not visible. */
export function nameIn(env: Environment | null, id: number): SqlExpression | undefined {
  for (let at = env; at !== null; at = at.outer) {
    const name = at.names.get(id);
    if (name !== undefined) return name;
  }
  return undefined;
}

export function createLowering(lowerers: Lowerers, options: LowerOptions, query: LogicalPlan, onLowered?: OnLowered): Lowering {
  const taken = new Set<string>();
  const last = new Map<string, number>();
  const fresh = (base: string): string => {
    const plain = base.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^(?=\d|$)/, '_');
    let name = plain;
    // Names differ by more than case, which ClickHouse distinguishes and people do not.
    const key = plain.toLowerCase();
    let number = last.get(key) ?? 1;
    while (taken.has(name.toLowerCase())) name = `${plain}_${++number}`;
    last.set(key, number);
    taken.add(name.toLowerCase());
    return name;
  };
  const freshExcept = (base: string, others: ReadonlySet<string>): string => {
    for (;;) {
      const name = fresh(base);
      if (!others.has(name.toLowerCase())) return name;
    }
  };
  let stored: ReadonlySet<string> | undefined;
  let databases: ReadonlySet<string> | undefined;
  const calledAs = ({ id, name }: Column): string => options.names?.columns.get(id) ?? name;
  const columnNames = new Map<number, string>();
  const storedOnes = (): ReadonlySet<string> => {
    stored ??= storedNames(query);
    return stored;
  };
  return {
    ...propertiesOf(query),
    lowerers,
    options,
    onLowered,
    fresh,
    calledAs,
    nameOf: (column) => {
      let name = columnNames.get(column.id);
      if (name === undefined) {
        name = fresh(calledAs(column));
        columnNames.set(column.id, name);
      }
      return name;
    },
    tableOf: (columns) => {
      const [name, ...others] = new Set(columns.map(({ id }) => options.names?.tables.get(id)));
      return freshExcept(name === undefined || others.length > 0 ? 'q' : name, storedOnes());
    },
    freshConstant: (base) => freshExcept(base, storedOnes()),
    freshTable: (base) => {
      databases ??= databasesRead(query);
      return freshExcept(base, databases);
    },
    uses: countUses(query),
    ctes: new Map(query.ctes.map((definition) => [definition.id, { definition, name: freshExcept(definition.name, bareTables(query)) }])),
    constants: new Map(),
    parameters: new Map(),
  };
}

/** Returns the names of the databases of all tables that are read. */
function databasesRead(query: LogicalPlan): ReadonlySet<string> {
  const names = new Set<string>();
  visitRels(query, (rel) => {
    if (rel.kind !== 'source_scan') return;
    names.add((rel.source.database ?? '').toLowerCase());
  });
  return names;
}

/** Returns the names of the tables of no database that are read: a WITH table of that name would stand in for them. */
function bareTables(query: LogicalPlan): ReadonlySet<string> {
  const names = new Set<string>();
  if (query.ctes.length === 0) return names;
  visitRels(query, (rel) => {
    if (rel.kind === 'source_scan' && rel.source.database === undefined) names.add(rel.source.table.toLowerCase());
  });
  return names;
}

/** Returns the names of the columns of all tables that are read. */
function storedNames(query: LogicalPlan): ReadonlySet<string> {
  const names = new Set<string>();
  visitRels(query, (rel) => {
    if (rel.kind !== 'source_scan') return;
    for (const { name } of [...rel.source.columns, ...(rel.source.unread ?? [])]) names.add(name.toLowerCase());
  });
  return names;
}
