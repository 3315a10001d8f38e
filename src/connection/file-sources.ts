// Files as sources: which lie there now, what is in them, and what a query that reads them needs. What was found out is remembered until the files
// change.
import { digest, openJsonMemory } from '../cache/json-memory.ts';
import type { SourceDefinition } from '../catalog/definition.ts';
import { type FilesDefinition, isAddress } from '../catalog/files/definition.ts';
import type { Ask, FilesDescription } from '../catalog/files/description.ts';
import { TEXT_FORMATS } from '../catalog/files/formats.ts';
import type { FilesPlace, ListedFile } from '../catalog/files/list-files.ts';
import { type RemoteFiles, remoteFiles } from '../catalog/files/remote.ts';
import { type ErrorCode, QuernError } from '../errors.ts';
import type { HeldFiles } from '../execution/snapshot.ts';
import type { Source } from '../sql/source.ts';
import { type FileView, shownIn, viewOf } from './file-view.ts';

export interface FileSourcesOptions {
  /** Where paths begin, and what may be read beyond. */
  readonly place: FilesPlace;
  readonly ask: Ask;
  /** The engine is a server: it has no files of this machine, and reads addresses in the query itself. */
  readonly onServer: boolean;
  /** The cache's folder. */
  readonly folder: string;
  /** Names this very build of quern. */
  readonly build: string;
  /** How long what was found at an address is good for. */
  readonly ttlSeconds: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A source that is files. */
type OfFiles = SourceDefinition & { readonly files: FilesDefinition };

/** The files of a source and what is in them, or why they cannot be read. */
type Found = { readonly files: LocalFiles | RemoteFiles; readonly description: FilesDescription } | QuernError;

/** As they lie there, and as the engine reads them. */
interface LocalFiles {
  readonly listed: readonly ListedFile[];
  readonly view: FileView;
}

export interface FileSources {
  /** Changes whenever what is known of the files' columns does. */
  readonly fingerprint: string;
  /** Throws QuernError `config` or `data` where there are no files, or where nothing can be found out. */
  describe(definition: SourceDefinition): FilesDescription & {
    /** How many bytes of each file's path are the project's folder. */
    readonly prefix: number;
    /** On a server: what stands in FROM. */
    readonly read: Source['read'];
  };
  readonly held: HeldFiles;
}

const MAX_BYTES = 8e6;
/** Failures that are about the engine, not about files. */
const BEYOND_FILES: readonly ErrorCode[] = ['unreachable', 'timeout', 'interrupted', 'internal', 'busy'];

/** Throws what the engine throws where the files are not at fault. */
export async function fileSources(definitions: readonly SourceDefinition[], options: FileSourcesOptions): Promise<FileSources> {
  const [listing, tables] = await Promise.all([import('../catalog/files/list-files.ts'), import('../catalog/files/engine-files.ts')]);
  const ofFiles = definitions.filter((one): one is OfFiles => one.files !== undefined);
  const shown = shownIn(options.place.folder);
  const found: ReadonlyMap<string, Found> = new Map(
    await Promise.all(
      ofFiles.map(async (definition) => {
        const { name, files } = definition;
        const look = async (): Promise<Found> => {
          const place = placeOf(files, options);
          const [address] = files.patterns.filter(isAddress);
          if (address !== undefined) {
            await place.permit(address);
            const remote = remoteFiles(address, place.env, options.onServer);
            return { files: remote, description: await describedOnce(definition, remote, shown, options) };
          }
          if (options.onServer) throw onlyHere(definition);
          const label = files.byUser ? name : `sources.${name}`;
          const listed = await listing.listFiles(label, files.patterns, place);
          const local = { listed, view: await viewOf(label, listed, options) };
          return { files: local, description: await describedOnce(definition, local, shown, options) };
        };
        return [name, await look().catch(orProblem)] as const;
      }),
    ),
  );
  const shownOf = (path: string): string => {
    for (const one of found.values()) {
      const name = one instanceof QuernError || 'kind' in one.files ? undefined : one.files.view.shown(path);
      if (name !== undefined) return name;
    }
    return shown(path);
  };
  const identities = new Map([...found].map(([name, one]) => [name, identityOf(one)]));
  return {
    fingerprint: digest(JSON.stringify([...found].map(([name, one]) => [name, one instanceof QuernError ? one.message : one.description]))),
    describe({ name }) {
      const one = found.get(name);
      if (one instanceof QuernError) throw one;
      if (one === undefined) throw new RangeError(`${name} is not files`);
      const read = options.onServer && 'kind' in one.files ? tables.serverFunction(one.files, one.description) : undefined;
      return { ...one.description, prefix: 'kind' in one.files ? 0 : one.files.view.prefix, read };
    },
    held: {
      shown: shownOf,
      listed(name) {
        const one = found.get(name);
        const definition = ofFiles.find((of) => of.name === name);
        if (one === undefined || one instanceof QuernError || definition === undefined) return undefined;
        return {
          format: definition.files.format,
          patterns: definition.files.patterns,
          files: 'kind' in one.files ? [] : one.files.listed.map(({ path, bytes }) => ({ path: shown(path), bytes })),
        };
      },
      identity: (names) => names.flatMap((name) => identities.get(name) ?? []).join(' '),
      exactly(name) {
        const one = found.get(name);
        return one === undefined || one instanceof QuernError || 'kind' in one.files ? undefined : identities.get(name);
      },
      addresses: (names) => ofFiles.flatMap(({ name, files }) => (names.includes(name) ? files.patterns.filter(isAddress) : [])),
      inQuery: (names) => options.onServer && ofFiles.some(({ name }) => names.includes(name)),
      settings(names) {
        const texts = ofFiles.flatMap(({ name, files }) => {
          const one = options.onServer && names.includes(name) && TEXT_FORMATS.includes(files.format) ? found.get(name) : undefined;
          return one === undefined || one instanceof QuernError ? [] : [{ name, settings: ofLines(one.description) }];
        });
        const [first] = texts;
        const other = texts.find(({ settings }) => JSON.stringify(settings) !== JSON.stringify(first?.settings));
        if (first !== undefined && other !== undefined) throw unlike(first.name, other.name);
        return first?.settings ?? {};
      },
      async tables(names) {
        const read = options.onServer ? [] : ofFiles.filter(({ name }) => names.includes(name));
        const made: string[] = [];
        for (const { name, table } of read) {
          const one = found.get(name);
          if (one === undefined || one instanceof QuernError) continue;
          const { files, description } = one;
          if (!('kind' in files)) await files.view.provide();
          made.push(tables.sessionTable(table, 'kind' in files ? files : { paths: files.view.files.map(({ path }) => path) }, description));
        }
        return made;
      },
    },
  };
}

const INSTEAD =
  'load the files into a table there and write table: database.table, or leave out the address of the server to use the embedded engine';

const onlyHere = ({ name }: OfFiles): QuernError =>
  new QuernError('config', `sources.${name}.file: a ClickHouse server cannot read files on this machine`, { hint: INSTEAD });

/** A query has settings once, and not once for each of its sources. */
const unlike = (one: string, other: string): QuernError =>
  new QuernError('config', `${one} and ${other} cannot be read by one query on a server: their lines are read in different ways`, {
    hint: 'give them the same delimiter and header, or load one of them into a table there',
  });

/** How lines are read. The rest of the settings are those of tables, or of questions. */
const ofLines = ({ settings }: FilesDescription): FilesDescription['settings'] =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => /^(?:input_)?format_csv_/.test(name)));

function orProblem(error: unknown): QuernError {
  if (error instanceof QuernError && !BEYOND_FILES.includes(error.code)) return error;
  throw error;
}

const placeOf = ({ byUser }: FilesDefinition, { place }: FileSourcesOptions): FilesPlace =>
  byUser ? { ...place, permit: async () => undefined } : place;

/** Names, sizes and times: a file that was changed is another file. Of what lies elsewhere the address alone is known. */
function identityOf(found: Found): string {
  if (found instanceof QuernError) return digest(found.message);
  const { files } = found;
  return digest(
    JSON.stringify('kind' in files ? files.args[0] : files.listed.map(({ path, bytes, modifiedMs }) => [path, bytes, modifiedMs])),
  );
}

async function describedOnce(
  definition: OfFiles,
  found: LocalFiles | RemoteFiles,
  shown: (path: string) => string,
  { ask, folder, build, ttlSeconds, now }: FileSourcesOptions,
): Promise<FilesDescription> {
  const { name, files, schema = [], ...rest } = definition;
  const memory = openJsonMemory<FilesDescription>({ folder: `${folder}/files`, suffix: '.files', maxBytes: MAX_BYTES, now });
  // What lies elsewhere is looked at again after a while; secrets are no part of a key.
  const state = 'kind' in found ? [found.args[0], Math.floor(now() / (Math.max(ttlSeconds, 1) * 1000))] : found.listed;
  const key = JSON.stringify([build, files, schema, rest, state]);
  const before = await memory.read(key);
  if (before !== undefined) return before;
  const lastKey = 'kind' in found ? JSON.stringify([build, files, schema, rest, found.args[0]]) : undefined;
  const tried = lastKey === undefined ? undefined : silences.get(lastKey);
  if (tried !== undefined && now() < tried.untilMs) throw tried.error;
  const [{ describeFiles }, { fileTrouble, isSilence }, { recordColumns }] = await Promise.all([
    import('../catalog/files/describe.ts'),
    import('../catalog/files/file-trouble.ts'),
    import('../catalog/table-source.ts'),
  ]);
  // A path that was typed is named by the message itself.
  const label = files.byUser ? '' : `sources.${name}: `;
  const shownOf = (path: string): string => ('kind' in found ? undefined : found.view.shown(path)) ?? shown(path);
  const read = 'kind' in found ? found : found.view.files;
  const named = ({ message, details }: QuernError): QuernError =>
    new QuernError(
      'config',
      `${label}${'kind' in read ? message : read.reduce((text, { path }) => text.replace(path, shownOf(path)), message)}`,
      details,
    );
  if (!('kind' in found))
    await found.view.provide().catch((error: unknown) => {
      throw error instanceof QuernError ? named(error) : error;
    });
  try {
    const description = await describeFiles(files, schema, read, recordColumns(definition), ask);
    await Promise.all([key, ...(lastKey === undefined ? [] : [lastKey])].map((each) => memory.write(each, description)));
    return description;
  } catch (error) {
    const silent = lastKey !== undefined && isSilence(error) ? lastKey : undefined;
    // A store that is away must not hold up queries that read other sources: what was known of it is good for another while.
    const last = silent === undefined ? undefined : await memory.read(silent);
    if (last !== undefined) {
      await memory.write(key, last);
      return last;
    }
    const told = fileTrouble(error, shownOf, { address: 'kind' in found ? files.patterns[0] : undefined });
    if (told === undefined) throw error instanceof QuernError && error.code === 'config' ? named(error) : error;
    const failure = new QuernError('config', `${label}${told.message}`, told.details);
    if (silent !== undefined) silences.set(silent, { untilMs: now() + SILENCE_MS, error: failure });
    throw failure;
  }
}

/** Addresses where nobody has answered a moment ago, which takes seconds to find out: every request to a server would wait for it. */
const silences = new Map<string, { readonly untilMs: number; readonly error: QuernError }>();
const SILENCE_MS = 30_000;
