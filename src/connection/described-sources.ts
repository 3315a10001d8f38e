// The project's sources as the engine has them: their tables are described once, and remembered on disk for a while.
import { digest, openJsonMemory } from '../cache/json-memory.ts';
import type { Section, SourceDefinition } from '../catalog/definition.ts';
import type { MappedTables } from '../catalog/mapped-tables.ts';
import type { FindStored } from '../catalog/project-sources.ts';
import { QuernError } from '../errors.ts';
import type { PrepareDependencies } from '../execution/prepared-query.ts';
import type { HeldFiles } from '../execution/snapshot.ts';
import type { TableColumn } from '../sql/layouts/index.ts';
import type { SourceCatalog } from '../sql/source.ts';
import type { FileSources, FileSourcesOptions } from './file-sources.ts';
import { mappedSources } from './mapped-sources.ts';

export interface DescribedSourcesOptions {
  /** `sources:` of quern.yaml. */
  readonly section: Section;
  /** `names:` of quern.yaml. */
  readonly names?: Section | undefined;
  /** Databases that its rules do not reach: see mappedName. */
  readonly closed: readonly string[];
  /** Sources that are not the section's own, such as tables with the names of log sources. */
  readonly found?: () => Promise<readonly SourceDefinition[]>;
  /** Files that the user has typed in place of a table. */
  readonly typed?: readonly SourceDefinition[] | undefined;
  /** The catalog behind all of them. */
  readonly known: SourceCatalog;
  readonly describe: (table: string) => Promise<readonly TableColumn[]>;
  /** Tables that need not be described. */
  readonly stored?: FindStored | undefined;
  /** Where the files of sources are, and how they are looked into. */
  readonly files: Pick<FileSourcesOptions, 'place' | 'ask' | 'onServer'>;
  /** Runs a query of quern's own. */
  readonly ask: (sql: string) => Promise<readonly (readonly unknown[])[]>;
  /** The cache's folder. */
  readonly folder: string;
  /** Names the engine: its tables may differ from another's. */
  readonly engine: string;
  /** Names this very build of quern: what another one remembered may have another shape. */
  readonly build: string;
  readonly ttlSeconds: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type Sources = PrepareDependencies['sources'];

/** What a run reads before it knows whether it needs the engine. */
interface Remembered {
  readonly storedAtMs: number;
  /** False when a table could not be described: it may be there in a minute, so a run asks again. */
  readonly whole: boolean;
  readonly definitions: readonly SourceDefinition[];
  /** The columns of each table, by its text in FROM. */
  readonly tables: Readonly<Record<string, readonly TableColumn[]>>;
  /** What queries have named beyond the definitions. */
  readonly mapped: MappedTables;
}

interface DescribedSources extends Sources {
  /** Absent where no source is files. */
  readonly files?: HeldFiles | undefined;
  /** True when the tables were described by an earlier run. */
  readonly remembered: boolean;
  /** Asks the engine again next time. */
  forget(): Promise<void>;
}

const MAX_BYTES = 8e6;

/** Throws QuernError `config` for the section's own problems, and whatever `describe` throws when the engine is at fault. */
export async function describedSources(options: DescribedSourcesOptions): Promise<DescribedSources> {
  const { section, ttlSeconds, now } = options;
  const memory = memoryOf(options);
  const key = keyOf(options);
  const before = await memory.read(key);
  const ageMs = before === undefined ? Number.NaN : now() - before.storedAtMs;
  if (before?.whole === true && ageMs >= 0 && ageMs < ttlSeconds * 1000) return fromMemory(before, options);
  const [{ readDefinitions }, { projectSources }] = await loadSources();
  const kept = [...readDefinitions(section), ...((await options.found?.()) ?? [])];
  const definitions = [...kept, ...(options.typed ?? [])];
  const files = await filesOf(definitions, options);
  const tables: Record<string, readonly TableColumn[]> = {};
  const describe = async (table: string, definition: SourceDefinition) => {
    const columns = await described(table, definition, options);
    tables[table] = columns;
    return columns;
  };
  const catalog = await projectSources(definitions, section, options.known, describe, {
    files: (one) => inFiles(files, one),
    stored: options.stored,
  });
  const ofTables = definitions.filter((d) => d.files === undefined && !isStored(d, options));
  const whole = Object.keys(tables).length === new Set(ofTables.map((d) => JSON.stringify([d.database, d.table, d.cluster]))).size;
  const asked = { storedAtMs: now(), whole, definitions: kept, tables, mapped: {} };
  await memory.write(key, asked);
  return {
    fingerprint: fingerprint(asked, files),
    files: files?.held,
    ...withMapped(asked, async () => catalog, options),
    remembered: false,
    forget: () => memory.remove(key),
  };
}

/** Whether there is nothing to ask; what is wrong with it is told to who names it. */
function isStored(definition: SourceDefinition, { stored }: DescribedSourcesOptions): boolean {
  try {
    return stored?.(definition) !== undefined;
  } catch (error) {
    if (error instanceof QuernError) return true;
    throw error;
  }
}

async function described(
  table: string,
  definition: SourceDefinition,
  { describe, ask }: DescribedSourcesOptions,
): Promise<readonly TableColumn[]> {
  const columns = await describe(table);
  return definition.wildcard === true ? (await import('./look-up-table.ts')).withLacking(columns, definition, ask) : columns;
}

/** Only a project with files loads what reads them. */
async function filesOf(definitions: readonly SourceDefinition[], { files, folder, build, ttlSeconds, now }: DescribedSourcesOptions) {
  if (definitions.every((one) => one.files === undefined)) return undefined;
  const { fileSources } = await import('./file-sources.ts');
  return fileSources(definitions, { ...files, folder, build, ttlSeconds, now });
}

function inFiles(files: FileSources | undefined, definition: SourceDefinition) {
  if (files === undefined) throw new RangeError(`${definition.name} is not files`);
  const { columns, partitions, declared, forms, structsOfNulls, prefix, read } = files.describe(definition);
  return { columns: [...columns, ...partitions], declared, forms, structsOfNulls, prefix, read };
}

/** What is remembered, however old; the engine is not asked, unless `describe` does so for a table that was missing. undefined when there is nothing. */
export async function rememberedSources(options: DescribedSourcesOptions): Promise<DescribedSources | undefined> {
  const before = await memoryOf(options).read(keyOf(options));
  return before === undefined ? undefined : await fromMemory(before, options);
}

async function fromMemory(remembered: Remembered, options: DescribedSourcesOptions): Promise<DescribedSources> {
  const { tables } = remembered;
  const definitions = [...remembered.definitions, ...(options.typed ?? [])];
  // Files are looked at each time: nobody says when they change.
  const files = await filesOf(definitions, options);
  return {
    fingerprint: fingerprint(remembered, files),
    files: files?.held,
    ...withMapped(
      remembered,
      async () => {
        const [, { projectSources }] = await loadSources();
        const describe = async (table: string) => tables[table] ?? options.describe(table);
        return projectSources(definitions, options.section, options.known, describe, {
          files: (one) => inFiles(files, one),
          stored: options.stored,
        });
      },
      options,
    ),
    remembered: true,
    forget: () => memoryOf(options).remove(keyOf(options)),
  };
}

/** The catalog, and behind it the tables that queries name and that are then looked up. */
function withMapped(remembered: Remembered, base: () => Promise<SourceCatalog>, options: DescribedSourcesOptions) {
  const { names, closed, describe, ask } = options;
  return mappedSources({
    base,
    mapping: async () => ({
      rules: names === undefined ? [] : (await import('../catalog/names.ts')).readNameRules(names),
      definitions: remembered.definitions,
      closed,
    }),
    mapped: remembered.mapped,
    describe,
    ask,
    remember: (mapped) => memoryOf(options).write(keyOf(options), { ...remembered, mapped }),
  });
}

/** What is known of layouts is not needed where the tables are remembered and a prepared query is. */
const loadSources = () => Promise.all([import('../catalog/definition.ts'), import('../catalog/project-sources.ts')]);

const memoryOf = ({ folder, now }: DescribedSourcesOptions) =>
  openJsonMemory<Remembered>({ folder: `${folder}/tables`, suffix: '.tables', maxBytes: MAX_BYTES, now });

const keyOf = ({ build, engine, section, names }: DescribedSourcesOptions): string =>
  `${build} ${engine} ${JSON.stringify([section.value, names?.value])}`;

function fingerprint({ definitions, tables }: Remembered, files: FileSources | undefined): string {
  return digest(JSON.stringify([definitions, Object.entries(tables).sort(), files?.fingerprint]));
}
