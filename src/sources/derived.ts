// Names that no kind of source has: those that rules of `names:` lead on, and parts of wildcard sources.

import { QuernError } from '../base/errors.ts';
import { digest } from '../cache/json-memory.ts';
import type { SourceDefinition } from './definition.ts';
import { foundBy } from './described.ts';
import { sourceOfTable } from './facts.ts';
import type { Found, Resolver } from './kind.ts';
import { writtenName } from './loaded/stored-definition.ts';
import { checkReach, mappedName, noSuchTable, ruledName } from './names.ts';
import type { Place } from './place.ts';
import { narrowed } from './suffix.ts';
import { describeTable } from './table/table.ts';
import { bareDefinition } from './table/table-source.ts';
import { databaseText } from './wildcard/lacking.ts';

/** What a name stands for: what another name leads to, or a table to describe. */
type Meaning = Found | { readonly definition: SourceDefinition };

export const derivedSource = (name: string, place: Place, resolver: Resolver): Promise<Found | undefined> =>
  foundBy(place, async () => {
    const meaning = await meaningOf(name, place, resolver);
    if (meaning === undefined || !('definition' in meaning)) return meaning;
    const { definition } = meaning;
    const described = await place.memory.recall(`name ${name}`, () => describeNamed(name, definition, place));
    return { digest: digest(JSON.stringify(described)), read: () => sourceOfTable(described.definition, described) };
  });

async function meaningOf(name: string, place: Place, resolver: Resolver): Promise<Meaning | undefined> {
  const own = await partOfWildcard(name, place, resolver);
  if (own !== undefined) return own;
  const { rules } = place.memory;
  const written = ruledName(name, rules);
  if (written !== undefined) {
    const found = await resolver.known(written.name);
    if (found !== undefined) return found;
    const part = await partOfWildcard(written.name, place, resolver);
    if (part !== undefined) return 'definition' in part ? { definition: { ...part.definition, name } } : part;
  }
  const target = mappedName(name, rules, place.closed);
  if (target === undefined) return undefined;
  return { definition: bareDefinition(name, { ...target, kind: 'table' }) };
}

/** Returns one or some of the tables of a wildcard source of the project. */
async function partOfWildcard(name: string, { memory, closed }: Place, resolver: Resolver): Promise<Meaning | undefined> {
  for (const definition of memory.definitions.filter((one) => one.name.endsWith('*'))) {
    const rest = beyond(name, definition.name.slice(0, -1));
    if (rest === undefined) continue;
    if (definition.wildcard !== true) {
      const whole = await resolver.known(definition.name);
      return whole && { ...whole, read: async () => narrowed(await whole.read(), rest) };
    }
    // It may be of tables that were loaded.
    const loaded = closed.includes('') ? await resolver.known(`${writtenName(definition)}${rest}`) : undefined;
    if (loaded !== undefined) return loaded;
    const { wildcard: _, ...one } = definition;
    const many = rest.endsWith('*');
    const table = `${definition.table}${many ? rest.slice(0, -1) : rest}`;
    return { definition: { ...one, ...(many ? { wildcard: true } : {}), name, aliases: [], table } };
  }
  return undefined;
}

/** Returns what stands behind the prefix in a name whose last part has it: letters, digits, `_` and `-`, at the end perhaps `*`. */
function beyond(name: string, prefix: string): string | undefined {
  if (!name.toLowerCase().startsWith(prefix.toLowerCase())) return undefined;
  const rest = name.slice(prefix.length);
  return /^[\p{L}\p{N}_-]*\*?$/u.test(rest) ? rest : undefined;
}

/** ClickHouse's numbers for a table or a database that is not there, and for a wildcard without tables. */
const NONE: ReadonlySet<number> = new Set([60, 81]);
const NONE_OF_WILDCARD: ReadonlySet<number> = new Set([36, 60, 81, 636]);

/** Rejects with QuernError `unknown-source` where there is no such table, and with whatever `describe` rejects with when the engine is at fault. */
async function describeNamed(name: string, definition: SourceDefinition, place: Place) {
  checkReach(definition, place.closed);
  try {
    return { definition, ...(await describeTable(definition, place)) };
  } catch (error) {
    const none = definition.wildcard === true ? NONE_OF_WILDCARD : NONE;
    if (!(error instanceof QuernError) || !none.has(error.details.engineCode ?? 0)) throw error;
    const tables = await place.ask(`SELECT name FROM system.tables WHERE database = ${databaseText(definition.database)} ORDER BY name`);
    throw noSuchTable(
      name,
      definition,
      tables.map(([table]) => String(table)),
    );
  }
}
