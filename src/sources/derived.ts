// Names that no kind of source has: those that rules of `names:` lead on, parts of wildcard sources, and names of BigQuery's that say by themselves which table they mean.

import { QuernError } from '../base/errors.ts';
import { digest } from '../cache/json-memory.ts';
import { MAIN_DATASET, tablePath } from './bigquery-name.ts';
import type { SourceDefinition } from './definition.ts';
import { foundBy } from './described.ts';
import { sourceOfTable, type TableFacts } from './facts.ts';
import type { Found, Resolver } from './kind.ts';
import { writtenName } from './loaded/stored-definition.ts';
import { checkReach, mappedName, noSuchTable, OF_THE_ENGINE, ruledName } from './names.ts';
import type { Place } from './place.ts';
import { bareDefinition, writtenTable } from './source-definition.ts';
import { narrowed } from './suffix.ts';
import { describeTable } from './table/table.ts';
import { databaseText } from './wildcard/lacking.ts';

/** What a name stands for: what another name leads to, or a table to describe. */
type Meaning = Found | { readonly definition: SourceDefinition };

export const derivedSource = (name: string, place: Place, resolver: Resolver): Promise<Found | undefined> =>
  foundBy(place, async () => {
    const meaning = (await meaningOf(name, place, resolver)) ?? (await meaningOfPath(name, place, resolver));
    if (meaning === undefined) return tableOfServer(name, place);
    if (!('definition' in meaning)) return meaning;
    const { definition } = meaning;
    return tableFound(await place.memory.recall(`name ${name}`, () => describeNamed(name, definition, place)));
  });

const tableFound = (described: Described): Found => ({
  digest: digest(JSON.stringify(described)),
  read: () => sourceOfTable(described.definition, described),
});

/** Returns what `dataset.table` leads to in a name of BigQuery's without rules: a source, an own table or part of a wildcard, of which the name may leave out the project. */
async function meaningOfPath(name: string, place: Place, resolver: Resolver): Promise<Meaning | undefined> {
  const path = tablePath(name);
  if (path === undefined) return undefined;
  const short = `${path.dataset}.${path.table}`;
  const names = [short, ...(path.dataset.toLowerCase() === MAIN_DATASET ? [path.table] : []), ...longerNames(short, place)];
  for (const written of names.filter((one) => one !== name)) {
    const found = (await resolver.known(written)) ?? (await partOfWildcard(written, place, resolver));
    if (found !== undefined) return 'definition' in found ? { definition: { ...found.definition, name } } : found;
  }
  return undefined;
}

/** Returns the name of the source or own table that has a project before these parts; nothing where there are several. */
function longerNames(short: string, { memory, loaded }: Place): readonly string[] {
  const end = `.${short.toLowerCase()}`;
  const all = [...memory.definitions, ...Object.values(loaded?.tables ?? {})].map((one) => one.name.toLowerCase());
  const longer = all.filter((name) => name.endsWith(end));
  return longer.length === 1 ? longer : [];
}

/** Returns the table of a server whose database is the dataset of a name of BigQuery's. */
async function tableOfServer(name: string, place: Place): Promise<Found | undefined> {
  const path = place.server === undefined ? undefined : tablePath(name);
  if (path === undefined || OF_THE_ENGINE.test(path.dataset)) return undefined;
  const own = `${path.dataset}.${path.table}`;
  const definition = bareDefinition(own, { ...writtenTable(path.dataset, path.table), kind: 'table' });
  const described = await place.memory
    .recall(`name ${own}`, () => describeIfThere(own, definition, place))
    .catch((error: unknown) => {
      if (error === place.unasked) return undefined; // it may be no table at all
      throw error;
    });
  return described && tableFound(described);
}

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
    return { definition: { ...one, ...writtenTable(definition.database, `${definition.table}${rest}`), name, aliases: [] } };
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
const NO_DATABASE = 81;
const NONE: ReadonlySet<number> = new Set([60, NO_DATABASE]);
const NONE_OF_WILDCARD: ReadonlySet<number> = new Set([36, 60, NO_DATABASE, 636]);

type Described = TableFacts & { readonly definition: SourceDefinition };

/** Rejects with QuernError `unknown-source` where there is no such table, and with whatever `describe` rejects with when the engine is at fault. */
async function describeNamed(name: string, definition: SourceDefinition, place: Place): Promise<Described> {
  checkReach(definition, place.closed);
  const described = await describeIfThere(name, definition, place);
  if (described === undefined) throw noSuchTable(name, definition, []);
  return described;
}

/** The same of a name that no rule leads to a database: undefined where there is none of that name, since most of these names mean something else, as `o.items` does. */
async function describeIfThere(name: string, definition: SourceDefinition, place: Place): Promise<Described | undefined> {
  try {
    return { definition, ...(await describeTable(definition, place)) };
  } catch (error) {
    if (!isAbsence(error, definition)) throw error;
    if (error.details.engineCode === NO_DATABASE) return undefined;
    const tables = await tablesOf(definition.database, place);
    if (tables.length === 0) return undefined;
    throw noSuchTable(name, definition, tables);
  }
}

const isAbsence = (error: unknown, { wildcard }: SourceDefinition): error is QuernError =>
  error instanceof QuernError && (wildcard === true ? NONE_OF_WILDCARD : NONE).has(error.details.engineCode ?? 0);

const tablesOf = async (database: string | undefined, { ask }: Place): Promise<readonly string[]> =>
  (await ask(`SELECT name FROM system.tables WHERE database = ${databaseText(database)} ORDER BY name`)).map(([table]) => String(table));
