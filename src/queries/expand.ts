// Collects the saved queries that a saved query reads as tables, and merges their parameters with its own.
import { type ErrorCode, QuernError } from '../base/errors.ts';
import type { SourceText } from '../base/source-text.ts';
import { assumeTables } from '../sources/assumed-tables.ts';
import type { ResolvedSources, Sources } from '../sources/kind.ts';
import { type GivenValue, literalText } from '../sources/presets/literal-text.ts';
import { sourceOrError } from '../sources/source-problem.ts';
import { positionOf } from '../sql/base/positional.ts';
import { parse } from '../sql/index.ts';
import type { SourceCatalog } from '../sql/source.ts';
import type { SavedFunction, TranslateOptions } from '../sql/translation.ts';
import { type CallerNames, type Reach, reachOf, refuseOthersRows, refuseReaders } from './caller-names.ts';
import { type QueryCatalog, type QueryFile, requireHeader } from './catalog.ts';
import { headerSpan } from './header/text.ts';
import { POSITIONAL, refuseUnused } from './parameter-names.ts';
import { parameterTypeOf } from './parameter-type.ts';
import { parameterType, parameterTypeText } from './parameter-types.ts';
import { readValue } from './parameter-value.ts';
import { readSavedQuery } from './read-query.ts';
import { namesInFunctions, type Reference, type References, referencesOf } from './references.ts';
import type { ParameterDeclaration, SavedQuery } from './saved-query.ts';

/** What the names in FROM stand for. */
export interface Reads {
  /** Every saved query that is read, at any depth, by the names that the texts have for it. */
  readonly uses: ReadonlyMap<string, SavedQuery>;
  /** Those of them that texts call as table functions, with what the arguments stand for. */
  readonly calls: ReadonlyMap<string, SavedFunction>;
  /** The sources of the names that may be such. */
  readonly sources: ResolvedSources;
}

export interface Expansion extends Reads {
  /** The query's own declarations, then those of the queries it reads. */
  readonly parameters: readonly ParameterDeclaration[];
  /** Every name in FROM of all these. */
  readonly named: ReadonlySet<string>;
  /** Those of them that may be sources, and those of functions of files. */
  readonly read: ReadonlySet<string>;
  /** What names stand for in the saved queries that it reads, and in those alone, where that differs. */
  readonly inner?: Reads | undefined;
}

/** Returns what a text may read, as options of its translation. */
export const readsOf = ({ uses, calls, sources, inner }: Reads & Pick<Expansion, 'inner'>): ReadOptions => ({
  sources,
  savedQuery: (name) => uses.get(name)?.source.text,
  savedFunction: (name) => calls.get(name),
  ...(inner === undefined ? {} : { inner: readsOf(inner) }),
});

/**
 * Follows the names in FROM that are saved queries. Throws QuernError: `config` for cycles, for declarations that contradict each other or
 * are never used; `parameter` for `@names` that nobody declares; and what parsing throws, with the file it is in.
 */
export function expandSavedQueries(query: SavedQuery, catalog: QueryCatalog, sources: Sources, names?: CallerNames): Promise<Expansion> {
  const all = { catalog, sources };
  return expand(query, names === undefined ? all : reachOf(all, names), [query]);
}

async function expand(query: SavedQuery, reach: Reach, chain: readonly SavedQuery[]): Promise<Expansion> {
  const { inherited, references, ...expansion } = await gather(query, reach, chain);
  checkUse(query, references, { expansion, inherited, catalog: reach.catalog });
  return expansion;
}

interface Gathered extends Expansion {
  /** What its own text refers to. */
  readonly references: References;
  /** Names of the parameters that queries which it reads as tables brought, in lower case. */
  readonly inherited: ReadonlySet<string>;
}

/** Returns what a text reads, whether or not its declarations are those that it needs. Throws as expandSavedQueries does. */
export const gatherReads = (query: SavedQuery, catalog: QueryCatalog, sources: Sources): Promise<Gathered> =>
  gather(query, { catalog, sources }, [query]);

async function gather(query: SavedQuery, reach: Reach, chain: readonly SavedQuery[]): Promise<Gathered> {
  const { catalog, sources, inner = reach, pinned = [] } = reach;
  const references = readReferences(query);
  const ofFunctions = namesInFunctions(catalog.functions(), query.source.text);
  if (pinned.length > 0) refuseReaders(ofFunctions, pinned);
  const read = new Set([...references.tables.map(({ name }) => name), ...(inner === reach ? ofFunctions : [])]);
  const innerRead = inner === reach ? read : new Set(ofFunctions);
  const here = await sources.resolve(read);
  const uses = new Map<string, SavedQuery>();
  const calls = new Map<string, SavedFunction>();
  const [innerUses, innerCalls] = inner === reach ? [uses, calls] : [new Map<string, SavedQuery>(), new Map<string, SavedFunction>()];
  const named = new Set(references.named);
  const parameters = [...query.parameters];
  const inherited = new Set<string>();
  const called = new Set(references.calls);
  for (const table of [...references.tables, ...references.calls]) {
    if (!called.has(table) && isSource(table.name, here)) continue;
    const file = catalog.named(table.name);
    if (file === undefined) continue;
    const place = { source: query.source, span: table.span };
    const saved = await readable(file, place, chain);
    const expansion = await expand(saved, inner, [...chain, saved]);
    const isPinned = refuseOthersRows(saved.name, expansion.parameters, pinned, place);
    uses.set(table.name, saved);
    if (called.has(table))
      calls.set(
        table.name,
        functionOf(
          saved,
          expansion.parameters.filter((one) => !isPinned(one)),
        ),
      );
    for (const [name, used] of expansion.uses) innerUses.set(name, used);
    for (const [name, used] of expansion.calls) innerCalls.set(name, used);
    for (const name of expansion.named) named.add(name);
    for (const name of expansion.read) innerRead.add(name);
    for (const declaration of expansion.parameters) {
      if (called.has(table) && !isPinned(declaration)) continue;
      merge(parameters, declaration, { query, table, inner: saved });
      inherited.add(declaration.name.toLowerCase());
    }
  }
  const others = inner === reach ? undefined : { uses: innerUses, calls: innerCalls, sources: await inner.sources.resolve(innerRead) };
  const resolved = others !== undefined || uses.size === 0 ? here : await sources.resolve(read);
  const allRead = new Set([...read, ...innerRead]);
  return { parameters, uses, calls, named, read: allRead, sources: resolved, inner: others, references, inherited };
}

/** Returns the saved query of a file that another reads. */
async function readable(file: QueryFile, place: Place, chain: readonly SavedQuery[]): Promise<SavedQuery> {
  // By file: a draft may have the name of the saved query that it reads.
  if (chain.some(({ source }) => source.name === file.source.name)) {
    const names = [...chain.map(({ name }) => name), file.name].join(' → ');
    throw at(place, 'config', `saved queries read each other: ${names}`, 'remove one of these references');
  }
  const saved = requireHeader(await readSavedQuery(file.source, file.name));
  if (saved.dialect !== 'clickhouse') return saved;
  throw at(
    place,
    'unsupported',
    `${saved.name} is ClickHouse SQL, which cannot be used in BigQuery SQL`,
    'write it in the BigQuery dialect',
  );
}

/** Returns the saved query as a table function of these parameters. One that need not be given is NULL, or its default. */
function functionOf({ source }: SavedQuery, parameters: readonly ParameterDeclaration[]): SavedFunction {
  return {
    text: source.text,
    parameters: parameters.map((declaration) => {
      const { name, required, default: usual } = declaration;
      const type = parameterType(declaration);
      const read = usual === undefined ? { value: null } : readValue(declaration, usual);
      const isNeeded = 'problem' in read || (required && read.value === null);
      return { name, type, absent: isNeeded ? undefined : literalText(read.value as GivenValue, type) }; // what parameters take
    }),
  };
}

/** A name for which a rule leads nowhere may be that of a saved query. */
function isSource(name: string, sources: ResolvedSources): boolean {
  const found = sourceOrError(sources, name);
  if (!(found instanceof QuernError)) return found !== undefined;
  if (found.code !== 'unknown-source') throw found;
  return false;
}

function readReferences(query: SavedQuery): References {
  try {
    return referencesOf(parse(query.source.text));
  } catch (error) {
    throw error instanceof QuernError ? error.in(query.source) : error;
  }
}

interface MergePlace {
  readonly query: SavedQuery;
  readonly table: Reference;
  readonly inner: SavedQuery;
}

/** A parameter of the same name is the same parameter; what the outer header says about it holds. */
function merge(parameters: ParameterDeclaration[], declaration: ParameterDeclaration, { query, table, inner }: MergePlace): void {
  const same = parameters.find(({ name }) => name.toLowerCase() === declaration.name.toLowerCase());
  if (same === undefined) {
    parameters.push(declaration);
    return;
  }
  if (parameterTypeText(same) !== parameterTypeText(declaration)) {
    const types = `${parameterTypeText(same)} here and ${parameterTypeText(declaration)} in ${inner.name}`;
    throw at({ source: query.source, span: table.span }, 'config', `the parameter ${same.name} is ${types}`, 'rename one of them');
  }
  const rules = ({ required, format, enum: allowed, default: fallback }: ParameterDeclaration) =>
    JSON.stringify([required, format, allowed, fallback]);
  if (!query.parameters.includes(same) && rules(same) !== rules(declaration)) {
    throw at(
      { source: query.source, span: table.span },

      'config',
      `the parameter ${same.name} is declared differently in ${inner.name}`,
      `declare ${same.name} under params: in ${query.source.name}`,
    );
  }
}

interface Surroundings extends Pick<Gathered, 'inherited'> {
  readonly expansion: Expansion;
  readonly catalog: QueryCatalog;
}

function checkUse(query: SavedQuery, references: References, { expansion, inherited, catalog }: Surroundings): void {
  const { parameters } = expansion;
  const known = new Set(parameters.map(({ name }) => name.toLowerCase()));
  const undeclared = references.parameters.filter(({ name }) => !known.has(name.toLowerCase()));
  const [first] = undeclared;
  const positional = undeclared.find(({ name }) => positionOf(name) !== undefined);
  if (positional !== undefined) throw at({ source: query.source, span: positional.span }, 'parameter', POSITIONAL.message, POSITIONAL.hint);
  if (first !== undefined) {
    const { source } = query;
    const options = optionsOver(parameters, readsOf(expansion), catalog.functions());
    const implied = impliedDeclarations(source.text, undeclared, options);
    const hint =
      headerSpan(source.text) === undefined
        ? `start the file with a header\n${headerFor(implied)}`
        : `declare under params: in the header, e.g. ${first.name}: { type: ${implied[0]?.type ?? 'string'} }`;
    const names = [...new Set(undeclared.map(({ name }) => `@${name}`))];
    throw at(
      { source: query.source, span: first.span },
      'parameter',
      `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not declared`,
      hint,
    );
  }
  const used = new Set(references.parameters.map(({ name }) => name.toLowerCase()));
  // A declaration may also be there to rule over a parameter of a query that is read as a table.
  refuseUnused(query, (name) => used.has(name.toLowerCase()) || inherited.has(name.toLowerCase()));
}

interface Place {
  readonly source: SourceText;
  readonly span: Reference['span'];
}

/** The error at a place in the text of a query. */
function at({ source, span }: Place, code: ErrorCode, message: string, hint: string): QuernError {
  return new QuernError(code, message, { source, span, hint });
}

/** Throws as expandSavedQueries does. */
export async function translateOptions(
  query: SavedQuery,
  catalog: QueryCatalog,
  sources: Sources,
  names?: CallerNames,
): Promise<Expansion & { readonly options: TranslateOptions }> {
  const expansion = await expandSavedQueries(query, catalog, sources, names);
  const options = optionsOver(expansion.parameters, readsOf(expansion), catalog.functions());
  return { ...expansion, options };
}

/** What a text may read: sources, saved queries and their functions. */
export type ReadOptions = Pick<TranslateOptions, 'savedQuery' | 'savedFunction' | 'inner'> & {
  readonly sources: SourceCatalog;
};

/** The options with which every query that is to run is translated. */
export function optionsOver(
  parameters: readonly ParameterDeclaration[],
  reads: ReadOptions,
  functions: readonly SourceText[] = [],
): TranslateOptions {
  return {
    parameters: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameterType(parameter)])),
    ...reads,
    functions,
    instant: 'parameter',
    bytes: 'text',
    nullElements: 'fail',
  };
}

/** The header that a draft using these parameters needs. */
export function headerFor(parameters: readonly Pick<ParameterDeclaration, 'name' | 'type'>[]): string {
  const params = parameters.map(({ name, type }) => `  ${name}: { type: ${type} }`);
  return ['/*---', 'description: what the query answers', ...(params.length > 0 ? ['params:', ...params] : []), '---*/'].join('\n');
}

/** A declaration for each name among `undeclared`; strings where the query does not translate with any types, be it for another reason. */
export function impliedDeclarations(
  text: string,
  undeclared: readonly Reference[],
  options: TranslateOptions,
): readonly ParameterDeclaration[] {
  const names = [...new Map(undeclared.map(({ name }) => [name.toLowerCase(), name])).values()];
  const { parameters } = assumeTables(text, options, names);
  return names.map((name) => {
    const type = parameters.get(name)?.type;
    return { name, type: 'string', array: false, ...(type && parameterTypeOf(type)), required: false };
  });
}
