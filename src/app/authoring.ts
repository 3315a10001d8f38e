// What the app does for people who write queries and settings. Each part is loaded when it is used.
import type { Settings } from '../config/load.ts';
import type { Connection } from '../connection/connection.ts';
import type { Io } from '../io.ts';
import type { QueryCatalog } from '../saved-query/catalog.ts';
import type { EstimateRequest, TableEstimate } from '../saved-query/estimate.ts';
import type { Plan } from '../saved-query/plan.ts';
import type { RunDependencies } from '../saved-query/run.ts';
import type { TextTranslation } from '../saved-query/translate-text.ts';
import { createVocabulary, type Vocabulary } from './vocabulary.ts';

export interface Authoring {
  readonly vocabulary: Vocabulary;
  /** The translation of the text in a file, or in standard input for `-`, which need not be a saved query; parameters as `name:type`. */
  translateText(file: string, given: readonly string[]): Promise<TextTranslation>;
  /** The lines of the engine's own plan of a saved query. */
  engineSteps(of: EstimateOf): Promise<readonly string[]>;
  /** What the engine expects to read of each table. */
  estimateTables(of: EstimateOf): Promise<readonly TableEstimate[]>;
}

export interface EstimateOf extends Omit<EstimateRequest, 'signal'> {
  /** Name, UUID or path of a saved query. */
  readonly reference: string;
}

export interface AuthoringOptions {
  readonly io: Io;
  readonly signal: AbortSignal;
  /** Does what a plan is needed for, on what holds now. */
  planned<T>(reference: string, work: (plan: Plan, dependencies: RunDependencies) => Promise<T>): Promise<T>;
  settings(): Promise<Settings>;
  queryFolders(): Promise<readonly string[]>;
  catalog(): Promise<QueryCatalog>;
  connection(): Promise<Connection>;
}

export function createAuthoring({ io, signal, settings, queryFolders, catalog, connection, planned }: AuthoringOptions): Authoring {
  return {
    vocabulary: createVocabulary({ cwd: io.cwd, settings, queryFolders }),
    async translateText(file, given) {
      const [{ readTextFile }, { translateText }] = await Promise.all([
        import('./text-file.ts'),
        import('../saved-query/translate-text.ts'),
      ]);
      const source = await readTextFile(file, io);
      const { sources } = await (await connection()).snapshot();
      return translateText(source, given, { catalog: await catalog(), sources: await sources.load() });
    },
    async engineSteps({ reference, ...request }) {
      const { engineSteps } = await import('../saved-query/estimate.ts');
      return planned(reference, (plan, dependencies) => engineSteps(plan, { ...request, signal }, dependencies));
    },
    async estimateTables({ reference, ...request }) {
      const { estimateTables } = await import('../saved-query/estimate.ts');
      return planned(reference, (plan, dependencies) => estimateTables(plan, { ...request, signal }, dependencies));
    },
  };
}
