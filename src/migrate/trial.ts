// Whether the imported queries translate, each beside all the others, and if not, why not.
import { QuernError } from '../errors.ts';
import { type PrepareDependencies, prepareQuery } from '../execution/prepared-query.ts';
import type { QueryCatalog } from '../queries/catalog.ts';
import { parseSavedQuery } from '../queries/header/header.ts';
import { referencesOf } from '../queries/references.ts';
import { positionAt, type SourceText } from '../source-text.ts';
import { fidelityNotesOf, parse } from '../sql/index.ts';
import type { Source, SourceCatalog } from '../sql/source.ts';
import type { Draft } from './draft.ts';

export interface Trouble {
  readonly code: QuernError['code'];
  readonly message: string;
  readonly hint?: string | undefined;
  /** In the file that is written, or in that of another query it reads. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Trial {
  /** `unmapped`: it would translate if its sources were known. */
  readonly state: 'translates' | 'unmapped' | 'refused';
  readonly trouble?: Trouble;
  /** Sources that are read and not known. */
  readonly unknown: readonly string[];
  readonly notes: readonly string[];
}

interface TrialDependencies {
  readonly catalog: QueryCatalog;
  readonly sources: SourceCatalog;
  /** The file that a query is going to have, as it is shown. */
  fileOf(name: string): string;
}

export async function tryAll(
  drafts: readonly Draft[],
  { catalog, sources, fileOf }: TrialDependencies,
): Promise<ReadonlyMap<Draft, Trial>> {
  const sourceOf = ({ name, text }: Draft): SourceText => ({ name: fileOf(name), text });
  const byName = new Map(drafts.map((draft) => [draft.name, draft]));
  const together: QueryCatalog = {
    ...catalog,
    named(name) {
      const draft = byName.get(name);
      return draft === undefined ? catalog.named(name) : { name, source: sourceOf(draft) };
    },
  };
  const mapped = new Set(drafts.flatMap((draft) => Object.keys(draft.sources).map((name) => name.toLowerCase())));
  const renamed = new Map(drafts.flatMap(({ was, name }) => (was === undefined ? [] : [[was, name] as const])));
  const trials = new Map<Draft, Trial>();
  for (const draft of drafts) {
    const source = sourceOf(draft);
    const { tables, differences } = look(source);
    const unknown = tables.filter((name) => byName.get(name) === undefined && isUnknown(name, sources) && mapped.has(name.toLowerCase()));
    const notes = [
      ...differences,
      ...tables.flatMap((name) => {
        const now = renamed.get(name);
        return now === undefined ? [] : [`it reads ${name}, which is named ${now} here: change it in the SQL`];
      }),
    ];
    const attempt = (known: SourceCatalog): Promise<Trouble | undefined> =>
      translateOne(source, draft.name, { catalog: together, sources: constant(known) });
    const trouble = await attempt(sources);
    if (trouble === undefined) trials.set(draft, { state: 'translates', unknown: [], notes });
    else if (unknown.length === 0) trials.set(draft, { state: 'refused', trouble, unknown, notes });
    else {
      const other = await attempt(withStandIns(sources, unknown));
      const mapping = { ...trouble, hint: 'map it under sources: in quern.yaml, as below' };
      trials.set(draft, { state: other === undefined ? 'unmapped' : 'refused', trouble: other ?? mapping, unknown, notes });
    }
  }
  return trials;
}

const constant = (sources: SourceCatalog): PrepareDependencies['sources'] => ({ fingerprint: '', load: async () => sources });

async function translateOne(source: SourceText, name: string, deps: PrepareDependencies): Promise<Trouble | undefined> {
  try {
    await prepareQuery(parseSavedQuery(source, name), deps);
    return undefined;
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    return troubleOf(error.in(source));
  }
}

function troubleOf({ code, message, details: { hint, span, source, problems = [] } }: QuernError): Trouble {
  const all = problems.map((problem) => `; ${problem.kind}: ${problem.name} ${problem.message}`).join('');
  return {
    code,
    message: `${message}${all}`,
    hint,
    ...(span === undefined || source === undefined ? {} : { file: source.name, ...positionAt(source.text, span.start) }),
  };
}

/** What can be told of a text that can be parsed. */
function look({ text }: SourceText): { readonly tables: readonly string[]; readonly differences: readonly string[] } {
  try {
    const script = parse(text);
    return {
      tables: [...new Set(referencesOf(script).tables.map(({ name }) => name))],
      differences: fidelityNotesOf(script).flatMap(({ rows, construct, note, span }) => {
        const { line, column } = positionAt(text, span.start);
        return rows === 'differs' && note !== undefined ? [`${line}:${column}: ${construct}: ${note}`] : [];
      }),
    };
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    return { tables: [], differences: [] };
  }
}

/** A source whose definition does not fit has an error of its own. */
export function isUnknown(name: string, sources: SourceCatalog): boolean {
  try {
    const found = sources.find(name);
    return found === undefined || found.absent !== undefined;
  } catch (error) {
    if (error instanceof QuernError) return false;
    throw error;
  }
}

/** Log events under the names that are not known: enough to see whether the SQL itself translates. */
function withStandIns(sources: SourceCatalog, unknown: readonly string[]): SourceCatalog {
  const names = new Set(unknown.map((name) => name.toLowerCase()));
  const model = sources.find('edge_logs');
  if (model === undefined) return sources;
  const { absent: _, ...present } = model;
  return {
    names: [...sources.names, ...unknown],
    find: (name): Source | undefined => (names.has(name.toLowerCase()) ? { ...present, name } : sources.find(name)),
  };
}
