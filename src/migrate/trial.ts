// Tries whether the imported queries translate, each together with all the others, and if not, why not.
import { QuernError } from '../base/errors.ts';
import type { SourceText } from '../base/source-text.ts';
import type { QueryCatalog } from '../queries/catalog.ts';
import type { ResolvedSources, Sources } from '../sources/kind.ts';
import type { Source } from '../sql/source.ts';
import { type AskEngine, type Attempt, look, type Trouble, tryDraft } from './attempt.ts';
import type { Draft } from './draft.ts';

export interface Trial {
  /** `rows only`: it translates, and would write a table. `unmapped`: it reads sources that are not known, and nothing else is known against it. */
  readonly state: 'translates' | 'rows only' | 'unmapped' | 'refused';
  readonly trouble?: Trouble;
  /** Sources that are read and not known. */
  readonly unknown: readonly string[];
  /** The others. */
  readonly resolved: readonly string[];
  readonly notes: readonly string[];
}

interface TrialDependencies {
  readonly catalog: QueryCatalog;
  readonly sources: Sources;
  /** The file that a query is going to have, as it is shown. */
  fileOf(name: string): string;
  readonly askEngine?: AskEngine | undefined;
}

export async function tryAll(
  drafts: readonly Draft[],
  { catalog, sources, fileOf, askEngine }: TrialDependencies,
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
  const renamed = renamedOnce(drafts);
  const trials = new Map<Draft, Trial>();
  for (const draft of drafts) {
    const source = sourceOf(draft);
    const { tables, differences, absent, fills } = look(source, draft.name);
    const known = await sources.resolve(tables);
    const unknown = tables.filter((name) => together.named(name) === undefined && isUnknown(name, known));
    const resolved = tables.filter((name) => !unknown.includes(name));
    const moved = tables.flatMap((name) => {
      const now = renamed.get(name);
      return now === undefined ? [] : [`it reads ${name}, which is called ${now} here: change it in the SQL`];
    });
    const attempt = (over: Sources): Promise<Attempt> => tryDraft(source, draft.name, { catalog: together, sources: over }, askEngine);
    const { trouble, note } = await attempt(sources);
    const written =
      fills === undefined
        ? []
        : [`it wrote ${fills}; here it returns the rows, and nothing is written: quern query … | quern load NAME - keeps them`];
    const notes = [...differences, ...moved, ...written, ...(note === undefined ? [] : [note])];
    if (trouble === undefined) trials.set(draft, { state: fills === undefined ? 'translates' : 'rows only', unknown: [], resolved, notes });
    else if (trouble.code !== 'unknown-source' || (unknown.length === 0 && tables.length > 0))
      trials.set(draft, { state: 'refused', trouble, unknown, resolved, notes });
    else {
      // With log events in their place it shows whether the SQL itself translates.
      const stand = unknown.every((name) => mapped.has(name.toLowerCase())) && unknown.length > 0;
      const other = absent ?? (stand ? (await attempt(withStandIns(sources, unknown))).trouble : undefined);
      const state = other === undefined ? 'unmapped' : 'refused';
      trials.set(draft, { state, trouble: other ?? unmapped(trouble, unknown), unknown, resolved, notes });
    }
  }
  return trials;
}

/** Queries that have another name now; of a name that several had it is not known which of them a table was. */
function renamedOnce(drafts: readonly Draft[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const { was } of drafts) if (was !== undefined) counts.set(was, (counts.get(was) ?? 0) + 1);
  return new Map(drafts.flatMap(({ was, name }) => (was !== undefined && counts.get(was) === 1 ? [[was, name] as const] : [])));
}

function unmapped(trouble: Trouble, unknown: readonly string[]): Trouble {
  const message = unknown.length < 2 ? trouble.message : `these tables are unknown: ${unknown.join(', ')}`;
  const ofClickHouse = 'this is ClickHouse SQL, which names tables of the engine: write the names of yours in the file';
  return { ...trouble, message, hint: unknown.length === 0 ? ofClickHouse : 'map it in quern.yaml, as below' };
}

/** A source whose definition does not fit has an error of its own. */
export function isUnknown(name: string, sources: ResolvedSources): boolean {
  try {
    const found = sources.find(name);
    return found === undefined || found.absent !== undefined;
  } catch (error) {
    // A rule may lead to a table that is not there.
    if (error instanceof QuernError) return error.code === 'unknown-source';
    throw error;
  }
}

/** Log events under the names that are not known: enough to see whether the SQL itself translates. */
function withStandIns(sources: Sources, unknown: readonly string[]): Sources {
  const missing = new Set(unknown.map((name) => name.toLowerCase()));
  return {
    ...sources,
    async resolve(names) {
      const known = await sources.resolve([...names, MODEL]);
      const model = known.find(MODEL);
      if (model === undefined) return known;
      const { absent: _, ...present } = model;
      return {
        names: [...known.names, ...unknown],
        find: (name): Source | undefined => (missing.has(name.toLowerCase()) ? { ...present, name } : known.find(name)),
      };
    },
  };
}

const MODEL = 'edge_logs';
