// Files as sources: which lie there now, what is in them, and what a query that reads them needs. Only those that are named are looked at, and what was
// found out is remembered until the files change.

import { QuernError } from '../../base/errors.ts';
import { digest } from '../../cache/json-memory.ts';
import type { Settings } from '../../engine/session-settings.ts';
import type { SourceDefinition } from '../definition.ts';
import type { FilesFacts } from '../facts.ts';
import { problemOf } from '../source-problem.ts';
import { assertAnswering } from './answering.ts';
import { type FilesDefinition, isAddress } from './definition.ts';
import { describedOnce } from './described-once.ts';
import { type FilesDescription, shownFacts } from './description.ts';
import type * as EngineFiles from './engine-files.ts';
import { shownIn, viewOf } from './file-view.ts';
import { TEXT_FORMATS } from './formats.ts';
import type { DescribingOptions, FilesSource, FoundFiles, LocalFiles } from './found-files.ts';
import { jsonTextsOf } from './json-texts.ts';
import type * as Listing from './list-files.ts';
import type { FilesPlace, ListedFile } from './list-files.ts';
import { type RemoteFiles, remoteFiles } from './remote.ts';

export interface FileSourcesOptions extends DescribingOptions {
  /** Aborts when what files are asked has taken too long, or the user has had enough. */
  readonly deadline?: () => AbortSignal | undefined;
  /** The failure of a source with its place in the project file. */
  readonly problem: (definition: SourceDefinition, error: QuernError) => Promise<QuernError>;
}

/** A source that is files, and what was found out about it. */
interface Looked {
  readonly definition: FilesSource;
  /** Which files there are, or why none. */
  readonly found: LocalFiles | RemoteFiles | QuernError;
  /** Rejects with what is wrong with them. */
  readonly description: () => Promise<FilesDescription>;
}

/** One whose files are there. */
type LookedFiles = FoundFiles & Looked;

/** Loaded once there are files. */
interface Parts {
  readonly listing: typeof Listing;
  readonly engine: typeof EngineFiles;
}

/** Of the sources among `definitions` that are files. Throws what the engine throws where the files are not at fault. */
export async function fileSources(definitions: readonly SourceDefinition[], options: FileSourcesOptions): Promise<FileSources> {
  const [listing, engine] = await Promise.all([import('./list-files.ts'), import('./engine-files.ts')]);
  return new FileSources(definitions.filter(isOfFiles), options, { listing, engine });
}

export interface ListedFiles {
  readonly format: string;
  /** As the project names them. */
  readonly patterns: readonly string[];
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

/** The sources that are files, as they lay there when they were listed. Nothing is known of a source before it is. */
export type HeldFiles = Omit<FileSources, 'facts'>;

export class FileSources {
  readonly #definitions: ReadonlyMap<string, FilesSource>;
  readonly #options: FileSourcesOptions;
  readonly #parts: Parts;
  readonly #shown: (path: string) => string;
  readonly #begun = new Map<string, Promise<void>>();
  readonly #looked = new Map<string, Looked>();
  /** Each ends what was made ready for the engine. */
  readonly #ends: (() => Promise<void>)[] = [];
  #holders = 1;

  constructor(definitions: readonly FilesSource[], options: FileSourcesOptions, parts: Parts) {
    this.#definitions = new Map(definitions.map((one) => [one.name, one]));
    this.#options = options;
    this.#parts = parts;
    this.#shown = shownIn(options.place.folder);
  }

  /** What is in the files of a source. Throws QuernError `config` or `data` where there are no files, or where nothing can be found out. */
  async facts({ name }: SourceDefinition): Promise<FilesFacts> {
    await this.#listOnce(name);
    const one = this.#looked.get(name);
    if (one === undefined) throw new RangeError(`${name} is not files`);
    const description = await one.description();
    const { found } = one;
    if (found instanceof QuernError) throw found;
    const read = this.#options.onServer && 'kind' in found ? this.#parts.engine.serverFunction(found, description) : undefined;
    const prefix = 'kind' in found ? 0 : found.view.prefix;
    // A query has no views where the server reads the files in it.
    return { ...shownFacts(read === undefined ? description : { ...description, view: undefined }), prefix, read };
  }

  /** Keeps open what a query reads, beyond the work for which the snapshot was made, until what this gives is called. */
  hold(): () => Promise<void> {
    this.#holders++;
    return () => this.leave();
  }

  /** The work for which the snapshot was made is done. */
  async leave(): Promise<void> {
    this.#holders--;
    if (this.#holders === 0) await Promise.all(this.#ends.splice(0).map((end) => end()));
  }

  /** Lists the files of those of `sources` that are files, once. */
  async list(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#listOnce(name)));
  }

  /** Whether files that were listed have come, gone or changed since. */
  async haveChanged(): Promise<boolean> {
    const known = [...this.#looked.values()].filter(({ found }) => !('kind' in found));
    const now = await Promise.all(known.map(({ definition }) => this.#find(definition).catch(problemOf)));
    return known.some(({ found }, i) => identityOf(found) !== identityOf(now[i] ?? found));
  }

  /** Whether all of them have been listed. */
  isListed(names: readonly string[]): boolean {
    return names.every((name) => this.#looked.has(name) || !this.#definitions.has(name));
  }

  /** What a source is that is files; undefined for others. */
  listed(name: string): ListedFiles | undefined {
    const [one] = this.#there([name]);
    if (one === undefined) return undefined;
    const { format, patterns } = one.definition.files;
    const listed = 'kind' in one.found ? [] : one.found.listed;
    return { format, patterns, files: listed.map(({ path, bytes }) => ({ path: this.#shown(path), bytes })) };
  }

  /** Returns the version of the rows of those of `sources` that are files: names, sizes and times, as one text. */
  version(names: readonly string[]): string {
    return this.#known(names).map(versionOf).join(' ');
  }

  /** Returns the same for one that is files of this machine, whose rows are the same as long as this is; undefined for others. */
  exactVersion(name: string): string | undefined {
    const [one] = this.#there([name]);
    return one === undefined || 'kind' in one.found ? undefined : versionOf(one);
  }

  /** Where those of `sources` lie that are files elsewhere, as the project names them. */
  addresses(names: readonly string[]): readonly string[] {
    return names.flatMap((name) => this.#definitions.get(name)?.files.patterns.filter(isAddress) ?? []);
  }

  /** True when one of them is read by the query itself, at an address. */
  inQuery(names: readonly string[]): boolean {
    return this.#options.onServer && names.some((name) => this.#definitions.has(name));
  }

  /** The failure of a query, told of the file and the line where the engine could not read on; undefined for one that is not about a file. */
  async trouble(
    error: unknown,
    { sources: names, sql }: { readonly sources: readonly string[]; readonly sql: string },
  ): Promise<QuernError | undefined> {
    const { fileFailure } = await import('./file-failure.ts');
    const known = await Promise.all(
      this.#there(names).map(async ({ definition, found, description }) =>
        'kind' in found
          ? []
          : [
              {
                definition: definition.files,
                schema: definition.schema ?? [],
                view: found.view,
                description: await description().catch(() => undefined),
              },
            ],
      ),
    );
    const files = known.flat();
    const shown = (path: string): string =>
      files.map(({ view }) => view.shown(path)).find((name) => name !== undefined) ?? this.#shown(path);
    return fileFailure(error, { ...this.#options, files, shown, addresses: this.addresses(names), sql });
  }

  /** Without which a query would not read them as they are. Throws QuernError `config` where those of one are not those of another. */
  async settings(names: readonly string[]): Promise<Settings> {
    const texts = this.#options.onServer
      ? this.#there(names).filter(({ definition }) => TEXT_FORMATS.includes(definition.files.format))
      : [];
    const read = await Promise.all(
      texts.map(async ({ definition, description }) => ({ name: definition.name, settings: ofLines(await description()) })),
    );
    const [first] = read;
    const other = read.find(({ settings }) => JSON.stringify(settings) !== JSON.stringify(first?.settings));
    if (first !== undefined && other !== undefined) throw unlike(first.name, other.name);
    return { ...first?.settings, ...this.#parts.engine.FOLDERS_ARE_FOLDERS };
  }

  /** What makes them tables of a session for the query `sql`, see EngineQuery. Rejects with QuernError `data` where one cannot be made ready for the engine. */
  async tables(names: readonly string[], sql: string): Promise<readonly string[]> {
    if (this.#options.onServer) return [];
    await this.list(names);
    const made: string[] = [];
    for (const one of this.#known(names)) made.push(await this.#table(one, sql));
    return made;
  }

  async #table({ definition, found, description }: Looked, sql: string): Promise<string> {
    const options = this.#options;
    const { engine } = this.#parts;
    const refuse = async (error: unknown): Promise<never> => {
      throw await options.problem(definition, problemOf(error));
    };
    if (found instanceof QuernError) return refuse(found);
    const known = await description().catch(refuse);
    if (!('kind' in found)) this.#ends.push(await found.view.provide());
    else
      await assertAnswering(found.args[0] ?? '', options.place.env).catch(async (error: unknown) => {
        const { fileTrouble } = await import('./file-trouble.ts');
        throw fileTrouble(error, this.#shown, { address: definition.files.patterns[0] }) ?? error;
      });
    return engine.sessionTable(definition.table, 'kind' in found ? found : engine.localFiles(found.view.files), known, sql);
  }

  /** Those of the sources that have been listed. */
  #known(names: readonly string[]): readonly Looked[] {
    return names.flatMap((name) => this.#looked.get(name) ?? []);
  }

  #there(names: readonly string[]): readonly LookedFiles[] {
    return this.#known(names).flatMap((one) => (one.found instanceof QuernError ? [] : [{ ...one, found: one.found }]));
  }

  #listOnce(name: string): Promise<void> {
    const definition = this.#definitions.get(name);
    if (definition === undefined) return Promise.resolve();
    const listing = this.#begun.get(name) ?? this.#look(definition);
    this.#begun.set(name, listing);
    return listing;
  }

  async #look(definition: FilesSource): Promise<void> {
    const found = await this.#find(definition).catch(problemOf);
    let description: Promise<FilesDescription> | undefined;
    this.#looked.set(definition.name, {
      definition,
      found,
      description: async () => {
        if (found instanceof QuernError) throw found;
        description ??= describedOnce({ definition, found }, this.#options);
        return description;
      },
    });
  }

  async #find(definition: FilesSource): Promise<LocalFiles | RemoteFiles> {
    const { name, files, schema } = definition;
    const options = this.#options;
    const place = placeOf(files, options);
    const [address] = files.patterns.filter(isAddress);
    if (address !== undefined) {
      await place.permit(address);
      return remoteFiles(address, place.env, options.onServer);
    }
    if (options.onServer) throw onlyHere(definition);
    const label = files.byUser ? name : `sources.${name}`;
    const list = () => this.#parts.listing.listFiles(label, files.patterns, place);
    const listed = await patiently(JSON.stringify([place.folder, files.patterns]), list);
    const jsonTexts = schema && jsonTextsOf(files.format, schema);
    const view = await viewOf(label, listed, { ...options, encoding: files.encoding, jsonTexts, confined: await isConfined(place) });
    return { listed, view };
  }
}

const isOfFiles = (definition: SourceDefinition): definition is FilesSource => definition.files !== undefined;

const INSTEAD =
  'load the files into a table there and write table: database.table, or leave out the address of the server to use the embedded engine';

const onlyHere = ({ name }: FilesSource): QuernError =>
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
const versionOf = ({ definition, found }: Looked): string => digest(`${identityOf(found)} ${JSON.stringify(definition)}`);

/** Names, sizes and times: a file that was changed is another file. Of what lies elsewhere the address alone is known. */
function identityOf(found: Looked['found']): string {
  if (found instanceof QuernError) return digest(found.message);
  return digest(
    JSON.stringify('kind' in found ? found.args[0] : found.listed.map(({ path, bytes, modifiedMs }) => [path, bytes, modifiedMs])),
  );
}
