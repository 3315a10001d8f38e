// Tables that no definition names by themselves: those of the rules of `names:`, and single tables or fewer of them than a wildcard source has. They are
// described when a query first names them.
import { QuernError } from '../errors.ts';
import type { TableColumn } from '../sql/layouts/index.ts';
import type { Source, SourceCatalog } from '../sql/source.ts';
import type { SourceDefinition } from './definition.ts';
import { informationSchemaOf } from './information-schema.ts';
import { mappedName, type NameRule, ruledName } from './names.ts';
import { writtenName } from './stored-definition.ts';
import { narrowed } from './suffix.ts';
import { sourceFromTable } from './table-source.ts';
import { UndescribedTable } from './with-tables.ts';

/** What was found when a query named a table. */
export type MappedTable =
  | { readonly definition: SourceDefinition; readonly columns: readonly TableColumn[] }
  /** The rows of INFORMATION_SCHEMA, as a query. */
  | { readonly query: string };

export interface Mapping {
  readonly rules: readonly NameRule[];
  /** Of the project's sources. */
  readonly definitions: readonly SourceDefinition[];
  /** Databases that rules do not reach on this engine. */
  readonly closed: readonly string[];
}

/** What a name that is no source by itself stands for: a source under another name, or a table to look up. */
type Meaning = { readonly source: Source } | { readonly definition: SourceDefinition };

/** Throws QuernError where a rule leads to what it does not reach. */
function meaningOf(name: string, mapping: Mapping, base: SourceCatalog): Meaning | undefined {
  const { rules, closed } = mapping;
  const own = partOfWildcard(name, mapping, base);
  if (own !== undefined) return own;
  const written = ruledName(name, rules);
  if (written !== undefined) {
    const source = base.find(written.name);
    if (source !== undefined) return { source };
    const part = partOfWildcard(written.name, mapping, base);
    if (part !== undefined) return 'source' in part ? part : { definition: { ...part.definition, name } };
  }
  const target = mappedName(name, rules, closed);
  if (target === undefined) return undefined;
  return { definition: { name, aliases: [], ...target, columns: {}, fields: {}, sameAs: {}, rows: {}, kind: 'table' } };
}

/** One or some of the tables of a wildcard source. */
function partOfWildcard(name: string, { definitions, closed }: Mapping, base: SourceCatalog): Meaning | undefined {
  for (const definition of definitions.filter((one) => one.name.endsWith('*'))) {
    const rest = beyond(name, definition.name.slice(0, -1));
    if (rest === undefined) continue;
    if (definition.wildcard !== true) {
      const whole = base.find(definition.name);
      return whole === undefined ? undefined : { source: narrowed(whole, rest) };
    }
    // It may be of tables that were loaded, which the catalog knows.
    const loaded = closed.includes('') ? base.find(`${writtenName(definition)}${rest}`) : undefined;
    if (loaded !== undefined) return { source: loaded };
    const { wildcard: _, ...one } = definition;
    const many = rest.endsWith('*');
    const table = `${definition.table}${many ? rest.slice(0, -1) : rest}`;
    return { definition: { ...one, ...(many ? { wildcard: true } : {}), name, aliases: [], table } };
  }
  return undefined;
}

/** What stands behind the prefix in a name whose last part has it: letters, digits, `_` and `-`, at the end perhaps `*`. */
function beyond(name: string, prefix: string): string | undefined {
  if (!name.toLowerCase().startsWith(prefix.toLowerCase())) return undefined;
  const rest = name.slice(prefix.length);
  return /^[\p{L}\p{N}_-]*\*?$/u.test(rest) ? rest : undefined;
}

interface LookedUp {
  found(name: string): MappedTable | undefined;
  /** Why a name leads to no table. */
  readonly missing: ReadonlyMap<string, QuernError>;
}

/** The catalog `base` with the tables that names lead to. */
export function mappedCatalog(base: SourceCatalog, mapping: Mapping, { found, missing }: LookedUp): SourceCatalog {
  const made = new Map<MappedTable, Source>();
  const sourceOf = (name: string, table: MappedTable): Source => {
    const source = made.get(table) ?? ('query' in table ? queryOf(name, table.query) : sourceFromTable(table.definition, table.columns));
    made.set(table, source);
    return source;
  };
  return {
    names: base.names,
    find(name) {
      const known = base.find(name);
      if (known !== undefined) return known;
      const table = found(name);
      if (table !== undefined) return sourceOf(name, table);
      const problem = missing.get(name);
      if (problem !== undefined) throw problem;
      if (informationSchemaOf(name, mapping.rules) !== undefined) throw new UndescribedTable(name);
      const meaning = meaningOf(name, mapping, base);
      if (meaning === undefined || 'source' in meaning) return meaning?.source;
      throw new UndescribedTable(name);
    },
  };
}

const queryOf = (name: string, query: string): Source => ({ name, table: '', columns: [], query });

/** Throws QuernError `internal` for a name that no query can have asked for. */
export function definitionOf(name: string, mapping: Mapping, base: SourceCatalog): SourceDefinition {
  const meaning = meaningOf(name, mapping, base);
  if (meaning === undefined || 'source' in meaning) throw new QuernError('internal', `${name} is no table to look up`);
  return meaning.definition;
}
