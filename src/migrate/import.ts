// Imports queries: drafts them, tries them, writes them, and says how that went.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { QuernError } from '../base/errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { writeFileAtomically } from '../output/file.ts';
import type { QueryCatalog } from '../queries/catalog.ts';
import { idInHeader } from '../queries/header/text.ts';
import type { ResolvedSources, Sources } from '../sources/kind.ts';
import type { Source } from '../sql/source.ts';
import { type AskEngine, tableNames } from './attempt.ts';
import { type Draft, draftAll, type Neighbours, type Refusal } from './draft.ts';
import type { Found } from './folder.ts';
import type { ImportedQuery, ImportReport, TableToMap } from './report.ts';
import { type Proposal, proposeNames, unknownSources } from './source-proposal.ts';
import { isUnknown, type Trial, tryAll } from './trial.ts';

interface ImportOptions {
  readonly folder: string;
  /** The folder as it is shown. */
  readonly shown: string;
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Variables of DECLARE become parameters. */
  readonly declareAsParameters?: boolean | undefined;
}

interface ImportDependencies {
  readonly catalog: QueryCatalog;
  readonly sources: Sources;
  /** The sources are those of a server. */
  readonly server: boolean;
  /** True if a source is a table of the user's own. */
  isOwn(source: Source): boolean;
  readonly askEngine?: AskEngine;
}

/** Throws `usage` when a file is there that says something else, unless `force`, and then nothing is written. */
export async function importQueries(found: readonly Found[], options: ImportOptions, deps: ImportDependencies): Promise<ImportReport> {
  const { folder, shown, force, dryRun, declareAsParameters } = options;
  const sources = await deps.sources.resolve(found.flatMap((one) => (one.kind === 'endpoint' ? tableNames(one.sql) : [])));
  const entries = draftAll(found, await neighboursOf(folder, deps.catalog), { declareAsParameters, sources });
  const drafts = entries.filter((entry) => 'text' in entry);
  const trials = await tryAll(drafts, { ...deps, fileOf: (name) => join(shown, `${name}.sql`) });
  const states = new Map(drafts.map((draft) => [draft, fileState(join(folder, `${draft.name}.sql`), draft.text)]));
  const changed = drafts.filter((draft) => states.get(draft) === 'changed').map(({ name }) => `${name}.sql`);
  if (changed.length > 0 && !force && !dryRun)
    throw new QuernError(
      'usage',
      `${changed.join(', ')} already ${changed.length === 1 ? 'exists' : 'exist'} in ${shown}, with different contents`,
      {
        hint: 'nothing was written; --force overwrites existing files, --dry-run shows what would be written',
      },
    );
  if (!dryRun) await write(drafts, states, folder);
  const mapped = drafts.flatMap((draft) => Object.keys(draft.sources));
  const known = await deps.sources.resolve([...mapped, ...drafts.flatMap((draft) => targetsOf(trials.get(draft)?.unknown ?? []))]);
  const { tables, proposal } = tablesToMap(drafts, trials, { ...deps, known });
  return {
    folder: shown,
    written: !dryRun,
    queries: entries.map((entry) =>
      'text' in entry ? imported(entry, join(shown, `${entry.name}.sql`), states.get(entry), trials.get(entry)) : leftOut(entry),
    ),
    sources: unknownSources(
      drafts.map((draft) => draft.sources),
      (name) => !isUnknown(name, known),
    ),
    tables,
    proposal,
  };
}

/** The tables that are read and not known; those that Logflare maps to its sources have a proposal of their own. */
function tablesToMap(
  drafts: readonly Draft[],
  trials: ReadonlyMap<Draft, Trial>,
  { known, server, isOwn }: Pick<ImportDependencies, 'server' | 'isOwn'> & { readonly known: ResolvedSources },
): { readonly tables: readonly TableToMap[]; readonly proposal: Omit<Proposal, 'becomes'> } {
  const readers = new Map<string, { readonly name: string; readonly queries: string[] }>();
  for (const draft of drafts)
    for (const name of trials.get(draft)?.unknown ?? []) {
      const table = readers.get(name.toLowerCase()) ?? { name, queries: [] };
      readers.set(name.toLowerCase(), table);
      table.queries.push(draft.name);
    }
  const mapped = new Set(drafts.flatMap((draft) => Object.keys(draft.sources).map((name) => name.toLowerCase())));
  const tables = [...readers.values()].sort((a, b) => b.queries.length - a.queries.length || (a.name < b.name ? -1 : 1));
  const { becomes, ...proposal } = proposeNames(
    tables.map(({ name }) => name).filter((name) => !mapped.has(name.toLowerCase())),
    {
      server,
      isReserved: (name) => isReserved(name, known, isOwn),
      exists: (name) => isThere(name, known, isOwn),
      begins: (prefix) => begins(prefix, known),
      resolved: [...trials.values()].flatMap(({ resolved }) => resolved),
      isRuled: (name) => isRuled(name, known),
    },
  );
  return {
    tables: tables.map((table) => {
      const target = becomes[table.name];
      return target === undefined ? table : { ...table, becomes: target };
    }),
    proposal,
  };
}

/** Returns the names of tables, and those that rules could make of them: see proposeNames. */
const targetsOf = (tables: readonly string[]): readonly string[] =>
  tables.flatMap((name) => {
    const parts = name.toLowerCase().split('.');
    return [name, ...[1, 2, 3].map((count) => parts.slice(-count).join('_'))];
  });

/** A table of the user's own cannot have the name: a source has it that is none. */
function isReserved(name: string, sources: ResolvedSources, isOwn: ImportDependencies['isOwn']): boolean {
  try {
    const found = sources.find(name);
    return found !== undefined && !isOwn(found);
  } catch (error) {
    if (error instanceof QuernError) return false;
    throw error;
  }
}

/** The name is that of a table of the user's own, or of several. */
const isThere = (name: string, sources: ResolvedSources, isOwn: ImportDependencies['isOwn']): boolean =>
  !isUnknown(name, sources) && !isReserved(name, sources, isOwn);

const begins = (prefix: string, { names }: ResolvedSources): boolean =>
  prefix !== '' && names.some((name) => name.toLowerCase().startsWith(prefix.toLowerCase()));

/** A rule leads the name to a table that is not there. */
function isRuled(name: string, sources: ResolvedSources): boolean {
  try {
    sources.find(name);
    return false;
  } catch (error) {
    if (error instanceof QuernError) return error.code === 'unknown-source';
    throw error;
  }
}

function imported({ name, was, notes }: Draft, file: string, state: ImportedQuery['file_state'], trial: Trial | undefined): ImportedQuery {
  if (trial === undefined || state === undefined) throw new RangeError('every draft is tried');
  return {
    name,
    was,
    file,
    state: trial.state,
    file_state: state,
    trouble: trial.trouble,
    notes: [...notes, ...trial.notes],
  };
}

const leftOut = ({ was, reason, hint }: Refusal): ImportedQuery => ({
  name: was,
  state: 'left out',
  trouble: { message: reason, hint },
  notes: [],
});

function fileState(path: string, text: string): NonNullable<ImportedQuery['file_state']> {
  if (!existsSync(path)) return 'new';
  return attempt(path, () => readFileSync(path, 'utf8')) === text ? 'same' : 'changed';
}

async function write(drafts: readonly Draft[], states: ReadonlyMap<Draft, ImportedQuery['file_state']>, folder: string): Promise<void> {
  if (drafts.length > 0) attempt(folder, () => makeFolder(folder));
  for (const draft of drafts) if (states.get(draft) !== 'same') await writeFileAtomically(join(folder, `${draft.name}.sql`), [draft.text]);
}

async function neighboursOf(folder: string, catalog: QueryCatalog): Promise<Neighbours> {
  const { queries } = await catalog.list();
  const others = queries.filter(({ source }) => !sameFolder(dirname(source.name), folder));
  return {
    names: new Map(others.map(({ name, source }) => [name.toLowerCase(), shortName(source.name)])),
    ids: new Map(others.map(({ id, name }) => [id, name])),
    idAt(name) {
      const path = join(folder, `${name}.sql`);
      return existsSync(path) ? idInHeader(attempt(path, () => readFileSync(path, 'utf8'))) : undefined;
    },
  };
}

const shortName = (path: string): string => join(basename(dirname(path)), basename(path));

function sameFolder(a: string, b: string): boolean {
  if (resolve(a) === resolve(b)) return true;
  return existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b);
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // the file system throws these
    throw new QuernError('usage', `${path} cannot be used (${code})`, {
      hint: 'check its permissions, or choose another folder with --out',
      cause,
    });
  }
}
