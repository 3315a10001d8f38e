// The project's sources as the engine has them: those that queries name are looked at, and what was found is remembered on disk for a while.
import { digest, openJsonMemory } from '../cache/json-memory.ts';
import type { Sections, SourceDefinition } from '../catalog/definition.ts';
import type { FindStored, SourceFacts } from '../catalog/project-sources.ts';
import { problemOf } from '../catalog/source-problem.ts';
import type { QuernError } from '../errors.ts';
import type { PrepareDependencies } from '../execution/prepared-query.ts';
import type { HeldFiles } from '../execution/snapshot.ts';
import type { TableColumn } from '../sql/layouts/index.ts';
import type { Source, SourceCatalog } from '../sql/source.ts';
import type { FileSourcesOptions } from './file-sources.ts';
import { mappedSources } from './mapped-sources.ts';

export interface DescribedSourcesOptions {
  readonly sections: Sections;
  /** Databases that its rules do not reach: see mappedName. */
  readonly closed: readonly string[];
  /** Sources that are not the section's own, such as tables with the names of log sources. */
  readonly found?: { readonly names: readonly string[]; ask(): Promise<readonly SourceDefinition[]> };
  /** Files that the user has typed in place of a table. */
  readonly typed?: readonly SourceDefinition[] | undefined;
  /** The catalog behind all of them. */
  readonly known: SourceCatalog;
  readonly describe: (table: string) => Promise<readonly TableColumn[]>;
  /** Tables that need not be described. */
  readonly stored?: FindStored | undefined;
  /** Where the files of sources are, and how they are looked into. */
  readonly files: Pick<FileSourcesOptions, 'place' | 'ask' | 'onServer' | 'deadline'>;
  /** Runs a query of quern's own. */
  readonly ask: (sql: string) => Promise<readonly (readonly unknown[])[]>;
  /** The cache's folder. */
  readonly folder: string;
  /** Names the engine: its tables may differ from another's. */
  readonly engine: string;
  /** Names this very build of quern: what another one remembered may have another shape. */
  readonly build: string;
  readonly ttlSeconds: number;
  /** What is remembered is good however old it is: the engine is not to be asked, and whoever would have to is told this. */
  readonly unasked?: QuernError | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What the section says, which takes longer to read than to remember. */
interface KnownSection {
  readonly definitions: readonly SourceDefinition[];
  /** How often the engine was said to be asked again: what was remembered before then is forgotten. */
  readonly generation: number;
}

interface DescribedSources extends Required<PrepareDependencies['sources']> {
  /** Absent where no source is files. */
  readonly files?: HeldFiles | undefined;
  /** True when something that was looked at had been described by an earlier run. */
  readonly remembered: boolean;
  /** Asks the engine again next time. */
  forget(): Promise<void>;
}

/** Throws QuernError `config` for the section's own problems. What is wrong with a source is told to who names it. */
export async function describedSources(options: DescribedSourcesOptions): Promise<DescribedSources> {
  const { typed = [], describe, ask } = options;
  const { names } = options.sections;
  const { definitions: own, generation } = await knownSection(options);
  const recall = recallFrom(generation, options);
  const files = await filesOf([...own, ...typed], options);
  const facts = new Map<SourceDefinition, SourceFacts>();
  const looks = new Map<SourceDefinition, Promise<void>>();
  const defined = definedSources([...own, ...typed], options, recall.value);

  const findOut = async (definition: SourceDefinition): Promise<SourceFacts> => {
    const stored = definition.files === undefined ? options.stored?.(definition) : undefined;
    if (stored !== undefined) return { stored };
    if (files !== undefined && definition.files !== undefined) return { files: await files.facts(definition) };
    if (options.closed.length > 0) (await import('../catalog/names.ts')).checkReach(definition, options.closed);
    const { tableText } = await import('../catalog/table-text.ts');
    const table = tableText(definition);
    return recall.value(`table ${table}`, async () => {
      const columns = await describe(table);
      if (definition.wildcard !== true) return { columns };
      return { columns: await (await import('./look-up-table.ts')).withLacking(columns, definition, ask) };
    });
  };
  const look = (definition: SourceDefinition): Promise<void> => {
    const begun =
      looks.get(definition) ??
      findOut(definition)
        .catch((error: unknown) => {
          if (error === options.unasked) throw error;
          return { problem: problemOf(error) };
        })
        .then((found) => void facts.set(definition, found));
    looks.set(definition, begun);
    return begun;
  };
  const lookUpAll = async (): Promise<void> => {
    await defined.discover();
    await Promise.all(defined.all().map(look));
  };
  const mapped = mappedSources({
    base: async () => {
      const { projectSources } = await import('../catalog/project-sources.ts');
      return projectSources({ ...defined, factsOf: (one) => facts.get(one) }, sourcesOf(options), options.known);
    },
    lookUp: (name) => lookUp(name),
    lookUpAll,
    mapping: async () => ({
      rules: names === undefined ? [] : (await import('../catalog/names.ts')).readNameRules(names),
      definitions: own,
      closed: options.closed,
    }),
    describe,
    ask,
    recall: recall.value,
  });
  const lookUp = async (name: string): Promise<void> => {
    const wasOpen = defined.isOpen(name);
    if (wasOpen) await defined.discover();
    const definition = defined.find(name);
    if (definition !== undefined) await look(definition);
    else if (!wasOpen) await mapped.lookUp(name);
  };
  return {
    fingerprint: digest(JSON.stringify([definitionOf(options), typed])),
    files: files?.held,
    load: options.files.onServer ? async () => sharded(await mapped.load()) : mapped.load,
    lookUp,
    lookUpAll,
    digestOf(name) {
      const definition = defined.find(name);
      const found = definition === undefined ? undefined : facts.get(definition);
      return found === undefined ? mapped.digestOf(name) : digest(JSON.stringify('problem' in found ? found.problem.message : found));
    },
    get remembered() {
      return recall.used();
    },
    forget: () => memoryOf(options).write(sectionKey(options), { definitions: own, generation: generation + 1 }),
  };
}

const MAX_BYTES = 32e6;

type Recall = <T>(what: string, make: () => Promise<T>) => Promise<T>;

/** The sources of a server, whose tables may be Distributed ones. */
function sharded(catalog: SourceCatalog): SourceCatalog {
  const marked = new Map<Source, Source>();
  return {
    get names() {
      return catalog.names;
    },
    find(name) {
      const source = catalog.find(name);
      if (source === undefined) return undefined;
      const known = marked.get(source) ?? { ...source, sharded: true };
      marked.set(source, known);
      return known;
    },
  };
}

/** The definitions by their names. Those beyond the section are asked for when one of their names is used. */
function definedSources(declared: readonly SourceDefinition[], { found }: DescribedSourcesOptions, recall: Recall) {
  let discovered: readonly SourceDefinition[] | undefined = found === undefined ? [] : undefined;
  let discovering: Promise<void> | undefined;
  const index = new Map<string, SourceDefinition>();
  const take = (definitions: readonly SourceDefinition[]): void => {
    for (const one of definitions) for (const name of [one.name, ...one.aliases]) index.set(name.toLowerCase(), one);
  };
  take(declared);
  const all = (): readonly SourceDefinition[] => [...declared, ...(discovered ?? [])];
  return {
    all,
    names: () => all().flatMap(({ name, aliases }) => [name, ...aliases]),
    find: (name: string) => index.get(name.toLowerCase()),
    isOpen: (name: string) =>
      discovered === undefined && !index.has(name.toLowerCase()) && found?.names.includes(name.toLowerCase()) === true,
    discover(): Promise<void> {
      discovering ??= (async () => {
        if (found === undefined) return;
        discovered = await recall('found', () => found.ask());
        take(discovered);
      })();
      return discovering;
    },
  };
}

/** Only a project with files loads what reads them. */
async function filesOf(
  definitions: readonly SourceDefinition[],
  { sections, files, folder, build, ttlSeconds, now }: DescribedSourcesOptions,
) {
  if (definitions.every((one) => one.files === undefined)) return undefined;
  const { fileSources } = await import('./file-sources.ts');
  const problem = async (definition: SourceDefinition, error: QuernError) =>
    (await import('../catalog/project-sources.ts')).placed(definition, sourcesOf({ sections }), error);
  return fileSources(definitions, { ...files, problem, folder, build, ttlSeconds, now });
}

async function knownSection(options: DescribedSourcesOptions): Promise<KnownSection> {
  const before = (await memoryOf(options).read(sectionKey(options))) as KnownSection | undefined;
  if (before !== undefined) return before;
  const { readDefinitions } = await import('../catalog/definition.ts');
  const known = { definitions: readDefinitions(sourcesOf(options)), generation: 0 };
  await memoryOf(options).write(sectionKey(options), known);
  return known;
}

/** What the engine has said, from memory where that is not too old. */
function recallFrom(generation: number, options: DescribedSourcesOptions) {
  const { ttlSeconds, unasked, now } = options;
  const memory = memoryOf(options);
  const base = `${digest(sectionKey(options))} ${generation}`;
  let used = false;
  const value: Recall = async <T>(what: string, make: () => Promise<T>): Promise<T> => {
    const key = `${base} ${what}`;
    const before = (await memory.read(key)) as { readonly storedAtMs: number; readonly value: T } | undefined;
    const ageMs = before === undefined ? Number.NaN : now() - before.storedAtMs;
    if (before !== undefined && (unasked !== undefined || (ageMs >= 0 && ageMs < ttlSeconds * 1000))) {
      used = true;
      return before.value;
    }
    if (unasked !== undefined) throw unasked;
    const made = await make();
    await memory.write(key, { storedAtMs: now(), value: made });
    return made;
  };
  return { value, used: () => used };
}

const memoryOf = ({ folder, now }: DescribedSourcesOptions) =>
  openJsonMemory<unknown>({ folder: `${folder}/tables`, suffix: '.tables', maxBytes: MAX_BYTES, now });

const sourcesOf = ({ sections }: Pick<DescribedSourcesOptions, 'sections'>) => sections.sources ?? { value: {} };

/** All of the sections as they were read: what a part of them means is known elsewhere, and a part that was left out here would go on with its old meaning. */
const definitionOf = ({ sections }: DescribedSourcesOptions): unknown =>
  Object.entries(sections)
    .map(([name, section]) => [name, section?.value])
    .sort();

const sectionKey = (options: DescribedSourcesOptions): string =>
  `${options.build} ${options.engine} ${JSON.stringify(definitionOf(options))}`;
