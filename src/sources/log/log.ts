// The log sources that quern knows by name: in the embedded store, or tables of a server that are called so.
import type { SourceDefinition } from '../definition.ts';
import type { SourceKind } from '../kind.ts';
import type { Place } from '../place.ts';
import { bareDefinition } from '../source-definition.ts';
import { findLogSource, LOG_SOURCES, type LogSource } from './log-sources.ts';

const namesOf = (sources: readonly LogSource[]): readonly string[] => sources.flatMap(({ name, aliases }) => [name, ...aliases]);
const NAMES = namesOf(LOG_SOURCES);

export const logKind = (place: Place): SourceKind => (place.server === undefined ? inStore(place) : onServer(place, place.server));

const inStore = ({ loaded = { sources: {}, tables: {} } }: Place): SourceKind => ({
  names: NAMES,
  empty: namesOf(LOG_SOURCES.filter(({ name }) => loaded.sources[name] === undefined)),
  async find(name) {
    if (findLogSource(name) === undefined) return undefined;
    return {
      async read() {
        const source = (await import('./log-catalog.ts')).embeddedSources(loaded).find(name);
        if (source === undefined) throw new RangeError(`${name} is a log source`);
        return source;
      },
    };
  },
});

/** Tables of the database that are named like the log sources need no words in quern.yaml. */
function onServer({ memory, sections, ask }: Place, { absent }: NonNullable<Place['server']>): SourceKind {
  const declared = Object.keys(Object(sections.sources?.value)).map((name) => name.toLowerCase());
  const undeclared = LOG_SOURCES.filter(({ name }) => !declared.includes(name));
  const definitions = new Map<string, SourceDefinition>();
  let discovered: Promise<readonly string[]> | undefined;
  const discover = (): Promise<readonly string[]> => {
    const list = undeclared.map(({ name }) => `'${name}'`).join(', ');
    const sql = `SELECT name FROM system.tables WHERE database = currentDatabase() AND name IN (${list})`;
    discovered ??= memory.recall('found', async () => (await ask(sql)).map(([name]) => String(name)));
    return discovered;
  };
  return {
    names: NAMES,
    empty: namesOf(undeclared), // whether the server has their tables is not asked for it
    async find(name, resolver) {
      const source = findLogSource(name);
      if (source === undefined) return undefined;
      if (undeclared.includes(source) && (await discover()).includes(source.name)) {
        const definition = definitions.get(source.name) ?? definitionOf(source);
        definitions.set(source.name, definition);
        return resolver.define(definition);
      }
      const { absentSource } = await import('./log-catalog.ts');
      return { read: () => absentSource(source, absent(source.name)) };
    },
  };
}

const definitionOf = ({ name, aliases }: LogSource): SourceDefinition => ({ ...bareDefinition(name, { table: name }), aliases });
