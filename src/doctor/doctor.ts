// The checks of `quern doctor`, in the order in which a run would meet the things they look at.

import { dirname } from 'node:path';
import { QuernError } from '../base/errors.ts';
import type { Settings } from '../config/load.ts';
import type { Connection } from '../connection/connection.ts';
import { ships } from '../package-file.ts';
import type { readBoards } from '../queries/boards/boards.ts';
import type { CatalogListing } from '../queries/catalog.ts';
import type { ListedSource } from '../sources/listing.ts';
import { checkCacheFolder } from './cache-folder.ts';
import { checkEngine } from './engine.ts';
import { type Finding, fail, failure, ok } from './finding.ts';
import { checkShards } from './shards.ts';
import { checkSources } from './sources.ts';

/** The parts of quern that are looked at; each is asked for only by the check that needs it. */
interface Patient {
  settings(): Promise<Settings>;
  connection(): Promise<Connection>;
  sources(): Promise<readonly ListedSource[]>;
  savedQueries(): Promise<CatalogListing>;
  /** The boards of the project that is at this folder. */
  boards(projectFolder: string): Promise<ReturnType<typeof readBoards>>;
  /** The address of Redis once it has answered; undefined where none is set. Throws QuernError. */
  redis(): Promise<string | undefined>;
  /** Translates the saved query of that name. */
  prepared(name: string): Promise<unknown>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Findings as they are made. What depends on something that failed is left out. */
export async function* examine(patient: Patient): AsyncIterable<Finding> {
  let settings: Settings;
  try {
    settings = await patient.settings();
  } catch (error) {
    yield failure('settings', error);
    return;
  }
  // Nothing is reported before the engine has answered: if another process uses the store, that process does all of it.
  const asked = patient.connection().then((connection) => checkEngine(connection, patient.now));
  await asked.catch((error: unknown) => {
    if (!(error instanceof QuernError)) throw error;
  });
  yield ok('settings', settings.projectFile ?? 'no quern.yaml here or above');
  yield* checkCacheFolder(settings.values.cache_dir, settings.values.cache_size);
  yield* await checkRedis(patient);
  const { queries, broken } = await patient.savedQueries();
  for (const { error } of broken) yield failure('saved query', error);
  yield* await checkBoards(patient, settings);

  const engine = await asked;
  yield* engine.findings;
  if (!engine.usable) return;
  const sources = await patient.sources();
  yield* checkSources(sources, engine.rows);
  yield* checkShards(sources, engine.rows);
  const translated = { own: 0, shipped: 0 };
  for (const { name, source } of queries) {
    try {
      await patient.prepared(name);
      translated[ships(source.name) ? 'shipped' : 'own']++;
    } catch (error) {
      yield failure(`saved query ${name}`, error);
    }
  }
  const { own, shipped } = translated;
  const counts = [...(own > 0 ? [`${own}`] : []), ...(shipped > 0 ? [`the ${shipped} that ship with quern`] : [])];
  if (counts.length > 0) yield ok('saved queries', `${counts.join(' and ')} can be translated for these sources`);
  if (queries.length === 0) yield fail('saved queries', 'there are none', 'name a folder with --queries');
}

/** Nothing to find where the project has no boards. */
async function checkBoards({ boards }: Pick<Patient, 'boards'>, { projectFile }: Settings): Promise<readonly Finding[]> {
  if (projectFile === undefined) return [];
  const found = await boards(dirname(projectFile));
  const failures = found.broken.map(({ name, error }) => failure(`board ${name}`, error));
  return found.boards.length === 0 ? failures : [...failures, ok('boards', `${found.boards.length} can be shown`)];
}

/** Nothing to find where no Redis is set. */
async function checkRedis({ redis }: Pick<Patient, 'redis'>): Promise<readonly Finding[]> {
  try {
    const place = await redis();
    return place === undefined ? [] : [ok('redis', `${place} answers, and takes and gives back what servers share`)];
  } catch (error) {
    return [failure('redis', error)];
  }
}
