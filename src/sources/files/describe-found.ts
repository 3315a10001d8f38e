// Asks the engine what is in the files of one source, and says in the words of the source what is wrong with them.
import { QuernError } from '../../base/errors.ts';
import { recordColumns } from '../table/table-source.ts';
import { assertAnswering } from './answering.ts';
import { describeFiles } from './describe.ts';
import type { Ask, FilesDescription } from './description.ts';
import { aboutFiles, fileFunction, localFiles } from './engine-files.ts';
import { fileFailure, notUtf8, openQuote } from './file-failure.ts';
import { shownIn } from './file-view.ts';
import { TEXT_FORMATS } from './formats.ts';
import type { DescribingOptions, FoundFiles, LocalFiles } from './found-files.ts';
import { lookThrough, mayBeOpen } from './known-utf8.ts';
import { takesOption } from './options.ts';

export class FilesToDescribe {
  readonly #one: FoundFiles;
  readonly #options: DescribingOptions;

  constructor(one: FoundFiles, options: DescribingOptions) {
    this.#one = one;
    this.#options = options;
  }

  /** Makes the files ready for the engine. What it returns ends that. */
  async provide(): Promise<() => Promise<void>> {
    const { found } = this.#one;
    if ('kind' in found) return async () => undefined;
    try {
      await found.view.checkWhole();
      return await found.view.provide();
    } catch (error) {
      this.#refuseCostly(error);
      throw error instanceof QuernError && error.code !== 'interrupted' ? this.#named(error) : error;
    }
  }

  async describe(): Promise<FilesDescription> {
    const { definition, found } = this.#one;
    const { ask, onServer, place } = this.#options;
    const { files, schema = [] } = definition;
    const address = 'kind' in found && !onServer ? found : undefined;
    if (address !== undefined) await assertAnswering(address.args[0] ?? '', place.env);
    const asking: Ask = address === undefined ? ask : (sql) => ask(aboutFiles(address, sql));
    const read = 'kind' in found ? found : found.view.files;
    const { texts = [], ...described } = await describeFiles(files, schema, read, recordColumns(definition), asking);
    const lookedAt = texts.length > 0 && !('kind' in found) ? await this.#lookThrough(found, asking) : undefined;
    const open = lookedAt?.mayBeOpen === true ? await openQuote(described, this.#context) : undefined;
    if (open !== undefined) throw open;
    const description: FilesDescription = lookedAt?.isUtf8 === true || texts.length === 0 ? described : { ...described, texts };
    const odd = description.columns.some(({ name }) => name.includes('\ufffd')) ? await notUtf8(this.#context) : undefined;
    if (odd !== undefined) throw odd;
    return description;
  }

  /** Whether files of lines are known to be UTF-8, and whether a quotation mark in them may not be closed. */
  async #lookThrough({ view }: LocalFiles, ask: Ask): Promise<{ readonly isUtf8: boolean; readonly mayBeOpen: boolean } | undefined> {
    const { format } = this.#one.definition.files;
    if (!takesOption(format, 'encoding')) return undefined;
    const cells = TEXT_FORMATS.includes(format);
    const looked = await lookThrough(view.files, { cells });
    const lines = fileFunction(localFiles(view.files), 'LineAsString', [{ name: 'line', type: 'String' }]);
    return { isUtf8: looked?.isUtf8 === true, mayBeOpen: cells && (looked?.mayBeOpen ?? (await mayBeOpen(lines, ask))) };
  }

  /** The failure of `describe` in the words of the source, and whether it lasts as long as the files. Throws one that is no fault of the files. */
  async failure(error: unknown): Promise<{ readonly failure: QuernError; readonly problem: QuernError }> {
    const isTooMuch = error instanceof QuernError && error.code === 'limit' && TEXT_FORMATS.includes(this.#one.definition.files.format);
    const problem = (isTooMuch ? await openQuote(undefined, this.#context) : undefined) ?? (await fileFailure(error, this.#context));
    if (problem === undefined) {
      this.#refuseCostly(error);
      throw error instanceof QuernError && error.code === 'config' ? this.#named(error) : error;
    }
    return { failure: new QuernError('config', `${this.#label}${problem.message}`, problem.details), problem };
  }

  /** A path that was typed is named by the message itself. */
  get #label(): string {
    const { files, name } = this.#one.definition;
    return files.byUser ? '' : `sources.${name}: `;
  }

  get #context() {
    const { definition, found } = this.#one;
    return {
      files: 'kind' in found ? [] : [{ definition: definition.files, schema: [], view: found.view, description: undefined }],
      shown: (path: string) => this.#shown(path),
      address: 'kind' in found ? definition.files.patterns[0] : undefined,
      ask: this.#options.ask,
      folder: this.#options.folder,
    };
  }

  #shown(path: string): string {
    const { found } = this.#one;
    return ('kind' in found ? undefined : found.view.shown(path)) ?? shownIn(this.#options.place.folder)(path);
  }

  #named({ message, details }: QuernError): QuernError {
    const { found } = this.#one;
    const paths = 'kind' in found ? [] : found.view.files.map(({ path }) => path);
    return new QuernError(
      'config',
      `${this.#label}${paths.reduce((text, path) => text.replace(path, this.#shown(path)), message)}`,
      details,
    );
  }

  /** What takes too much is a fault of these files, and nobody else's who asks the engine. */
  #refuseCostly(error: unknown): void {
    if (!(error instanceof QuernError) || (error.code !== 'timeout' && error.code !== 'limit')) return;
    const [pattern] = this.#one.definition.files.patterns;
    throw new QuernError('config', `${this.#label}${pattern}: its columns cannot be found: ${error.message}`, error.details);
  }
}
