// The project that an editor has open, with the text of its documents in place of what their files hold.
import { basename } from 'node:path';
import type { SourceText } from '../base/source-text.ts';
import { type PrepareDependencies, type PreparedQuery, prepareQuery } from '../execution/prepared-query.ts';
import type { QueryCatalog } from '../queries/catalog.ts';
import { parseSavedQuery } from '../queries/header/header.ts';
import { referencesIn } from '../queries/references.ts';
import type { SavedQuery } from '../queries/saved-query.ts';
import type { Services } from '../services.ts';
import type { Columns } from '../suggest/scope.ts';

/** The text of an open document by the path of its file. */
type OpenTexts = (path: string) => string | undefined;

export type Project = ReturnType<typeof openProject>;

export function openProject(services: Services, textOf: OpenTexts) {
  const catalog = async () => overlaid(await services.catalog(), textOf);
  const preparing = async (): Promise<PrepareDependencies> => {
    // Nothing is kept of texts that are being written.
    const { preparedQueries: _, ...known } = await services.preparing();
    return { ...known, catalog: await catalog() };
  };
  return { services, catalog, preparing };
}

function overlaid(catalog: QueryCatalog, textOf: OpenTexts): QueryCatalog {
  const current = (source: SourceText): SourceText => ({ name: source.name, text: textOf(source.name) ?? source.text });
  return {
    find(reference) {
      const text = reference.endsWith('.sql') ? textOf(reference) : undefined;
      if (text !== undefined) return { name: basename(reference, '.sql'), source: { name: reference, text } };
      const found = catalog.find(reference);
      return { ...found, source: current(found.source) };
    },
    named(name) {
      const found = catalog.named(name);
      return found === undefined ? undefined : { ...found, source: current(found.source) };
    },
    functions: () => catalog.functions().map(current),
    list: () => catalog.list(),
  };
}

/** A document as the saved query that it is, or would be; undefined while its header cannot be read. */
export function savedQueryOf(source: SourceText): SavedQuery | undefined {
  try {
    return parseSavedQuery(source, basename(source.name, '.sql'));
  } catch {
    return undefined; // what is wrong is told as diagnostics
  }
}

/**
 * Prepares SQL that stands in for a document's: with its parameters and the project's sources. Parameters that nobody declares are texts.
 * Throws as prepareQuery does.
 */
export async function prepareText(sql: string, document: SavedQuery | undefined, project: Project): Promise<PreparedQuery> {
  const used = referencesIn(sql).parameters.map(({ name }) => name.toLowerCase());
  const declared = (document?.parameters ?? []).filter(({ name }) => used.includes(name.toLowerCase()));
  const others = [...new Set(used)].filter((name) => !declared.some((one) => one.name.toLowerCase() === name));
  const source = { name: document?.source.name ?? '<text>', text: sql };
  const query: SavedQuery = {
    ...(document ?? parseSavedQuery({ name: '<text>', text: sql }, 'text')),
    parameters: [...declared, ...others.map((name) => ({ name, type: 'string', array: false, required: false }) as const)],
    source,
  };
  return prepareQuery(query, await project.preparing());
}

/** Returns the columns of a query that stands in for a document's; undefined where it cannot be translated. */
export type Ask = (sql: string) => Promise<Columns | undefined>;

export const askerOf =
  ({ path, text }: { readonly path: string; readonly text: string }, project: Project): Ask =>
  async (sql) => {
    try {
      const { columns, sql: written } = await prepareText(sql, savedQueryOf({ name: path, text }), project);
      return columns === undefined ? undefined : { columns, sql: written };
    } catch {
      return undefined; // what is wrong is told as diagnostics
    }
  };

/** `did you mean COUNTIF(condition)?` */
export const suggestionIn = (hint: string | undefined): string | undefined => /did you mean ([\w.-]+)/.exec(hint ?? '')?.[1];
