// Files as sources: which lie there now, what is in them, and what a query that reads them needs. Only those that are named are looked at, and what was
// found out is remembered until the files change.

import { QuernError, SEE_ENGINES_TEXT } from '../../base/errors.ts';
import { digest, openJsonMemory } from '../../cache/json-memory.ts';
import type { SourceDefinition } from '../definition.ts';
import type { FilesFacts } from '../facts.ts';
import { problemOf } from '../source-problem.ts';
import { assertAnswering } from './answering.ts';
import { type FilesDefinition, isAddress } from './definition.ts';
import { type Ask, type FilesDescription, shownFacts } from './description.ts';
import { type FileView, shownIn, viewOf } from './file-view.ts';
import { TEXT_FORMATS } from './formats.ts';
import type { HeldFiles } from './held-files.ts';
import { jsonTextsOf } from './json-texts.ts';
import type { FilesPlace, ListedFile } from './list-files.ts';
import { takesOption } from './options.ts';
import { type RemoteFiles, remoteFiles } from './remote.ts';

export interface FileSourcesOptions {
  /** Where paths begin, and what may be read beyond. */
  readonly place: FilesPlace;
  readonly ask: Ask;
  /** Aborts when what files are asked has taken too long, or the user has had enough. */
  readonly deadline?: () => AbortSignal | undefined;
  /** The engine is a server: it has no files of this machine, and reads addresses in the query itself. */
  readonly onServer: boolean;
  /** The failure of a source with its place in the project file. */
  readonly problem: (definition: SourceDefinition, error: QuernError) => Promise<QuernError>;
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

/** A source that is files, and what was found out about it. */
interface Looked {
  readonly definition: OfFiles;
  /** Which files there are, or why none. */
  readonly files: LocalFiles | RemoteFiles | QuernError;
  /** Rejects with what is wrong with them. */
  readonly description: () => Promise<FilesDescription>;
}

/** As they lie there, and as the engine reads them. */
interface LocalFiles {
  readonly listed: readonly ListedFile[];
  readonly view: FileView;
}

export interface FileSources {
  /** What is in the files of a source. Throws QuernError `config` or `data` where there are no files, or where nothing can be found out. */
  facts(definition: SourceDefinition): Promise<FilesFacts>;
  readonly held: HeldFiles;
}

const MAX_BYTES = 32e6;

/** Of the sources among `definitions` that are files. Throws what the engine throws where the files are not at fault. */
export async function fileSources(definitions: readonly SourceDefinition[], options: FileSourcesOptions): Promise<FileSources> {
  const [listing, tables] = await Promise.all([import('./list-files.ts'), import('./engine-files.ts')]);
  const ofFiles = new Map(definitions.flatMap((one) => (isOfFiles(one) ? [[one.name, one] as const] : [])));
  const shown = shownIn(options.place.folder);
  const users: (() => Promise<void>)[] = [];
  let holders = 1;
  const leave = async (): Promise<void> => {
    holders--;
    if (holders === 0) await Promise.all(users.splice(0).map((end) => end()));
  };

  const list = async (definition: OfFiles): Promise<LocalFiles | RemoteFiles> => {
    const { name, files } = definition;
    const place = placeOf(files, options);
    const [address] = files.patterns.filter(isAddress);
    if (address !== undefined) {
      await place.permit(address);
      return remoteFiles(address, place.env, options.onServer);
    }
    if (options.onServer) throw onlyHere(definition);
    const label = files.byUser ? name : `sources.${name}`;
    const listed = await patiently(JSON.stringify([place.folder, files.patterns]), () => listing.listFiles(label, files.patterns, place));
    const jsonTexts = definition.schema && jsonTextsOf(files.format, definition.schema);
    const view = await viewOf(label, listed, { ...options, encoding: files.encoding, jsonTexts, confined: await isConfined(place) });
    return { listed, view };
  };
  const begun = new Map<string, Promise<void>>();
  const looked = new Map<string, Looked>();
  const listOnce = (name: string): Promise<void> => {
    const definition = ofFiles.get(name);
    if (definition === undefined) return Promise.resolve();
    const listing =
      begun.get(name) ??
      list(definition)
        .catch(problemOf)
        .then((files) => {
          let description: Promise<FilesDescription> | undefined;
          looked.set(name, {
            definition,
            files,
            description: async () => {
              if (files instanceof QuernError) throw files;
              description ??= describedOnce(definition, files, shown, options);
              return description;
            },
          });
        });
    begun.set(name, listing);
    return listing;
  };
  const listAll = async (names: readonly string[]): Promise<void> => void (await Promise.all(names.map(listOnce)));
  const addressesOf = (names: readonly string[]) => names.flatMap((name) => ofFiles.get(name)?.files.patterns.filter(isAddress) ?? []);
  /** Of sources that have been listed. */
  const found = (names: readonly string[]): readonly Looked[] => names.flatMap((name) => looked.get(name) ?? []);
  /** Those that there are. */
  const there = (names: readonly string[]) =>
    found(names).flatMap(({ definition, files, description }) => (files instanceof QuernError ? [] : [{ definition, files, description }]));

  return {
    async facts({ name }) {
      await listOnce(name);
      const [one] = found([name]);
      if (one === undefined) throw new RangeError(`${name} is not files`);
      const description = await one.description();
      const { files } = one;
      if (files instanceof QuernError) throw files;
      const read = options.onServer && 'kind' in files ? tables.serverFunction(files, description) : undefined;
      const prefix = 'kind' in files ? 0 : files.view.prefix;
      // A query has no views where the server reads the files in it.
      return { ...shownFacts(read === undefined ? description : { ...description, view: undefined }), prefix, read };
    },
    held: {
      hold() {
        holders++;
        return leave;
      },
      leave,
      list: listAll,
      async haveChanged() {
        const known = [...looked.values()].filter(({ files }) => !('kind' in files));
        const now = await Promise.all(known.map(({ definition }) => list(definition).catch(problemOf)));
        return known.some(({ files }, i) => identityOf(files) !== identityOf(now[i] ?? files));
      },
      isListed: (names) => names.every((name) => looked.has(name) || !ofFiles.has(name)),
      listed(name) {
        const [one] = there([name]);
        if (one === undefined) return undefined;
        const { format, patterns } = one.definition.files;
        const { files } = one;
        return { format, patterns, files: 'kind' in files ? [] : files.listed.map(({ path, bytes }) => ({ path: shown(path), bytes })) };
      },
      version: (names) => found(names).map(versionOf).join(' '),
      exactVersion(name) {
        const [one] = there([name]);
        return one === undefined || 'kind' in one.files ? undefined : versionOf(one);
      },
      addresses: addressesOf,
      async trouble(error, names) {
        const { fileFailure } = await import('./file-failure.ts');
        const known = await Promise.all(
          there(names).map(async ({ definition, files, description }) =>
            'kind' in files
              ? []
              : [{ definition: definition.files, view: files.view, description: await description().catch(() => undefined) }],
          ),
        );
        const read = known.flat();
        const shownOf = (path: string): string =>
          read.map(({ view }) => view.shown(path)).find((name) => name !== undefined) ?? shown(path);
        return fileFailure(error, { ...options, files: read, shown: shownOf, addresses: addressesOf(names) });
      },
      inQuery: (names) => options.onServer && names.some((name) => ofFiles.has(name)),
      async settings(names) {
        const texts = options.onServer ? there(names).filter(({ definition }) => TEXT_FORMATS.includes(definition.files.format)) : [];
        const read = await Promise.all(
          texts.map(async ({ definition, description }) => ({ name: definition.name, settings: ofLines(await description()) })),
        );
        const [first] = read;
        const other = read.find(({ settings }) => JSON.stringify(settings) !== JSON.stringify(first?.settings));
        if (first !== undefined && other !== undefined) throw unlike(first.name, other.name);
        return { ...first?.settings, ...tables.FOLDERS_ARE_FOLDERS };
      },
      async tables(names, sql) {
        if (options.onServer) return [];
        const made: string[] = [];
        await listAll(names);
        for (const { definition, files, description } of found(names)) {
          if (files instanceof QuernError) throw await options.problem(definition, files);
          const known = await description().catch(async (error: unknown) =>
            Promise.reject(await options.problem(definition, problemOf(error))),
          );
          if (!('kind' in files)) users.push(await files.view.provide());
          else
            await assertAnswering(files.args[0] ?? '', options.place.env).catch(async (error: unknown) => {
              const { fileTrouble } = await import('./file-trouble.ts');
              throw fileTrouble(error, shown, { address: definition.files.patterns[0] }) ?? error;
            });
          const read = 'kind' in files ? files : tables.localFiles(files.view.files);
          made.push(tables.sessionTable(definition.table, read, known, sql));
        }
        return made;
      },
    },
  };
}

const isOfFiles = (definition: SourceDefinition): definition is OfFiles => definition.files !== undefined;

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

const placeOf = ({ byUser }: FilesDefinition, { place }: FileSourcesOptions): FilesPlace =>
  byUser ? { ...place, permit: async () => undefined } : place;

/** When files were last there, by what names them. A log that is rotated is away for a moment: a server must not tell of it. */
const lastThere = new Map<string, number>();
const LATELY_MS = 10_000;
const MOMENT_MS = 500;
const PAUSE_MS = 20;

async function patiently(name: string, list: () => Promise<readonly ListedFile[]>): Promise<readonly ListedFile[]> {
  const beganAtMs = performance.now();
  for (;;) {
    try {
      const listed = await list();
      lastThere.set(name, performance.now());
      return listed;
    } catch (error) {
      const wasThere = beganAtMs - (lastThere.get(name) ?? Number.NEGATIVE_INFINITY) < LATELY_MS;
      if (!wasThere || !(error instanceof QuernError) || performance.now() - beganAtMs > MOMENT_MS) throw error;
      await new Promise((resume) => setTimeout(resume, PAUSE_MS));
    }
  }
}

/** Whether nothing outside of the folder may be read. */
const isConfined = ({ permit, folder }: FilesPlace): Promise<boolean> =>
  permit(folder).then(
    () => false,
    () => true,
  );

/** Of rows of files: which they are, and how they are read. */
const versionOf = ({ definition, files }: Looked): string => digest(`${identityOf(files)} ${JSON.stringify(definition)}`);

/** Names, sizes and times: a file that was changed is another file. Of what lies elsewhere the address alone is known. */
function identityOf(files: Looked['files']): string {
  if (files instanceof QuernError) return digest(files.message);
  return digest(
    JSON.stringify('kind' in files ? files.args[0] : files.listed.map(({ path, bytes, modifiedMs }) => [path, bytes, modifiedMs])),
  );
}

/** What is wrong with files, as long as they are the same. */
interface FailedFiles {
  readonly failure: string;
  readonly hint: string | undefined;
}

/** Whether the failure is one of what is in the files: rights may be given, a file may come back, and what only the engine has words for may be the engine's. */
const isLasting = ({ message, details: { hint, ofSource } }: QuernError): boolean =>
  ofSource === undefined && hint !== SEE_ENGINES_TEXT && !message.includes('permission denied');

async function describedOnce(
  definition: OfFiles,
  found: LocalFiles | RemoteFiles,
  shown: (path: string) => string,
  { ask, folder, build, ttlSeconds, now, place, onServer }: FileSourcesOptions,
): Promise<FilesDescription> {
  const { name, files, schema = [], ...rest } = definition;
  const memory = openJsonMemory<FilesDescription | FailedFiles>({ folder: `${folder}/files`, suffix: '.files', maxBytes: MAX_BYTES, now });
  // What lies elsewhere is looked at again after a while; secrets are no part of a key.
  const state = 'kind' in found ? [found.args[0], Math.floor(now() / (Math.max(ttlSeconds, 1) * 1000))] : found.listed;
  const key = JSON.stringify([build, files, schema, rest, state]);
  const before = await memory.read(key);
  if (before !== undefined && 'failure' in before) throw new QuernError('config', before.failure, { hint: before.hint });
  if (before !== undefined) return before;
  const lastKey = 'kind' in found ? JSON.stringify([build, files, schema, rest, found.args[0]]) : undefined;
  const tried = lastKey === undefined ? undefined : silences.get(lastKey);
  if (tried !== undefined && now() < tried.untilMs) throw tried.error;
  const [
    { describeFiles },
    { aboutFiles, fileFunction, localFiles },
    { isSilence },
    { recordColumns },
    { fileFailure, notUtf8, openQuote },
    { lookThrough, mayBeOpen },
  ] = await Promise.all([
    import('./describe.ts'),
    import('./engine-files.ts'),
    import('./file-trouble.ts'),
    import('../table/table-source.ts'),
    import('./file-failure.ts'),
    import('./known-utf8.ts'),
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
  const context = {
    files: 'kind' in found ? [] : [{ definition: files, view: found.view, description: undefined }],
    shown: shownOf,
    address: 'kind' in found ? files.patterns[0] : undefined,
    ask,
    folder,
  };
  /** What takes too much is a fault of these files, and nobody else's who asks the engine. */
  const refuseCostly = (error: unknown): void => {
    if (error instanceof QuernError && (error.code === 'timeout' || error.code === 'limit'))
      throw new QuernError('config', `${label}${files.patterns[0]}: its columns cannot be found: ${error.message}`, error.details);
  };
  const made = async ({ view }: LocalFiles) => {
    await view.checkWhole();
    return view.provide();
  };
  const end =
    'kind' in found
      ? undefined
      : await made(found).catch((error: unknown) => {
          refuseCostly(error);
          throw error instanceof QuernError && error.code !== 'interrupted' ? named(error) : error;
        });
  try {
    if ('kind' in found && !onServer) await assertAnswering(found.args[0] ?? '', place.env);
    const asking: Ask = (sql) => ask('kind' in found && !onServer ? aboutFiles(found, sql) : sql);
    const { texts = [], ...described } = await describeFiles(files, schema, read, recordColumns(definition), asking);
    const isOfLines = texts.length > 0 && takesOption(files.format, 'encoding');
    const isCells = isOfLines && TEXT_FORMATS.includes(files.format) && !('kind' in read);
    const looked = isOfLines && !('kind' in read) ? await lookThrough(read, { cells: isCells }) : undefined;
    const isUtf8 = looked?.isUtf8 === true;
    const lines = [{ name: 'line', type: 'String' }];
    const isOpen = isCells && (looked?.mayBeOpen ?? (await mayBeOpen(fileFunction(localFiles(read), 'LineAsString', lines), asking)));
    const description: FilesDescription = isUtf8 || texts.length === 0 ? described : { ...described, texts };
    const open = isOpen ? await openQuote(described, context) : undefined;
    if (open !== undefined) throw open;
    const odd = description.columns.some(({ name }) => name.includes('\ufffd')) ? await notUtf8(context) : undefined;
    if (odd !== undefined) throw odd;
    await Promise.all([key, ...(lastKey === undefined ? [] : [lastKey])].map((each) => memory.write(each, description)));
    return description;
  } catch (error) {
    const silent = lastKey !== undefined && isSilence(error) ? lastKey : undefined;
    // A store that is away must not hold up queries that read other sources: what was known of it is good for another while.
    const last = silent === undefined ? undefined : await memory.read(silent);
    if (last !== undefined && !('failure' in last)) {
      await memory.write(key, last);
      return last;
    }
    const isTooMuch = error instanceof QuernError && error.code === 'limit' && TEXT_FORMATS.includes(files.format);
    const told = (isTooMuch ? await openQuote(undefined, context) : undefined) ?? (await fileFailure(error, context));
    if (told === undefined) refuseCostly(error);
    if (told === undefined) throw error instanceof QuernError && error.code === 'config' ? named(error) : error;
    const failure = new QuernError('config', `${label}${told.message}`, told.details);
    if (!('kind' in found) && isLasting(told)) await memory.write(key, { failure: failure.message, hint: told.details.hint });
    if (silent !== undefined) silences.set(silent, { untilMs: now() + SILENCE_MS, error: failure });
    throw failure;
  } finally {
    await end?.();
  }
}

/** Addresses where nobody has answered a moment ago, which takes seconds to find out: every request to a server would wait for it. */
const silences = new Map<string, { readonly untilMs: number; readonly error: QuernError }>();
const SILENCE_MS = 30_000;
