// What the app does for people who write queries and settings. Each part is loaded when it is used.
import type { Connection } from '../connection/connection.ts';
import type { Io } from '../io.ts';
import type { QueryCatalog } from '../saved-query/catalog.ts';
import type { TextTranslation } from '../saved-query/translate-text.ts';

export interface Authoring {
  /** The translation of the text in a file, or in standard input for `-`, which need not be a saved query; parameters as `name:type`. */
  translateText(file: string, given: readonly string[]): Promise<TextTranslation>;
}

export interface AuthoringOptions {
  readonly io: Io;
  catalog(): Promise<QueryCatalog>;
  connection(): Promise<Connection>;
}

export function createAuthoring({ io, catalog, connection }: AuthoringOptions): Authoring {
  return {
    async translateText(file, given) {
      const [{ readTextFile }, { translateText }] = await Promise.all([
        import('./text-file.ts'),
        import('../saved-query/translate-text.ts'),
      ]);
      const source = await readTextFile(file, io);
      const { sources } = await (await connection()).snapshot();
      return translateText(source, given, { catalog: await catalog(), sources: await sources.load() });
    },
  };
}
