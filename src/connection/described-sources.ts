// The project's sources as the engine has them: their tables are described once, and remembered on disk for a while.
import { digest, openJsonMemory } from '../cache/json-memory.ts';
import type { PlanDependencies } from '../execution/plan.ts';
import { readDefinitions, type Section, type SourceDefinition } from '../sources/definition.ts';
import { type DescribeTable, projectSources } from '../sources/project-sources.ts';
import type { TableColumn } from '../sources/table-source.ts';
import type { SourceCatalog } from '../sql/source.ts';

export interface DescribedSourcesOptions {
  /** `sources:` of quern.yaml. */
  readonly section: Section;
  /** Sources that are not the section's own, such as tables with the names of log sources. */
  readonly found?: () => Promise<readonly SourceDefinition[]>;
  /** The catalog behind all of them. */
  readonly known: SourceCatalog;
  readonly describe: DescribeTable;
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

type Sources = PlanDependencies['sources'];

/** What a run reads before it knows whether it needs the engine. */
interface Remembered {
  readonly storedAtMs: number;
  readonly definitions: readonly SourceDefinition[];
  /** The columns of each table, by its text in FROM. */
  readonly tables: Readonly<Record<string, readonly TableColumn[]>>;
}

interface DescribedSources extends Sources {
  /** True when the tables were described by an earlier run. */
  readonly remembered: boolean;
  /** Asks the engine again next time. */
  forget(): Promise<void>;
}

const MAX_BYTES = 8e6;

/** Throws QuernError `config` for the section's own problems, and whatever `describe` throws when the engine is at fault. */
export async function describedSources(options: DescribedSourcesOptions): Promise<DescribedSources> {
  const { section, known, folder, engine, build, ttlSeconds, now } = options;
  const memory = openJsonMemory<Remembered>({ folder: `${folder}/tables`, suffix: '.tables', maxBytes: MAX_BYTES, now });
  const key = `${build} ${engine} ${JSON.stringify(section.value)}`;
  const forget = () => memory.remove(key);
  const before = await memory.read(key);
  const ageMs = before === undefined ? Number.NaN : now() - before.storedAtMs;
  if (before !== undefined && ageMs >= 0 && ageMs < ttlSeconds * 1000) {
    const { definitions, tables } = before;
    const describe = async (table: string) => tables[table] ?? options.describe(table);
    return {
      fingerprint: fingerprint(before),
      load: () => projectSources(definitions, section, known, describe),
      remembered: true,
      forget,
    };
  }
  const definitions = [...readDefinitions(section), ...((await options.found?.()) ?? [])];
  const tables: Record<string, readonly TableColumn[]> = {};
  const catalog = await projectSources(definitions, section, known, async (table) => {
    const columns = await options.describe(table);
    tables[table] = columns;
    return columns;
  });
  const asked = { storedAtMs: now(), definitions, tables };
  // A table that is missing today may be there in a minute: only a whole answer is remembered.
  if (Object.keys(tables).length === new Set(definitions.map((d) => JSON.stringify([d.database, d.table, d.cluster]))).size) {
    await memory.write(key, asked);
  }
  return { fingerprint: fingerprint(asked), load: async () => catalog, remembered: false, forget };
}

function fingerprint({ definitions, tables }: Remembered): string {
  return digest(JSON.stringify([definitions, Object.entries(tables).sort()]));
}
