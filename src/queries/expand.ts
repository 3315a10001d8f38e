// Collects the saved queries that a saved query reads as tables, and merges their parameters with its own.
import { type ErrorCode, QuernError } from '../base/errors.ts';
import type { SourceText } from '../base/source-text.ts';
import type { ResolvedSources, Sources } from '../sources/kind.ts';
import { positionOf } from '../sql/base/positional.ts';
import { parse } from '../sql/index.ts';
import { type QueryCatalog, requireHeader } from './catalog.ts';
import { headerFor, parseSavedQuery } from './header/header.ts';
import { headerSpan } from './header/text.ts';
import { impliedDeclarations } from './implied-types.ts';
import { optionsOver } from './options-over.ts';
import { parameterTypeText } from './parameter-types.ts';
import { namesInFunctions, type Reference, type References, referencesOf } from './references.ts';
import { POSITIONAL } from './reserved-name.ts';
import type { ParameterDeclaration, SavedQuery } from './saved-query.ts';
import { refuseUnused } from './unused-parameter.ts';

export interface Expansion {
  /** The query's own declarations, then those of the queries it reads. */
  readonly parameters: readonly ParameterDeclaration[];
  /** Every saved query it reads, at any depth, by name. */
  readonly uses: ReadonlyMap<string, SavedQuery>;
  /** Every name in FROM of all these. */
  readonly named: ReadonlySet<string>;
  /** Those of them that may be sources, and those of functions of files. */
  readonly read: ReadonlySet<string>;
  /** The sources that these names stand for. */
  readonly sources: ResolvedSources;
}

/**
 * Follows the names in FROM that are saved queries. Throws QuernError: `config` for cycles, for declarations that contradict each other or
 * are never used; `parameter` for `@names` that nobody declares; and what parsing throws, with the file it is in.
 */
export function expandSavedQueries(query: SavedQuery, catalog: QueryCatalog, sources: Sources): Promise<Expansion> {
  return expand(query, catalog, sources, [query]);
}

async function expand(query: SavedQuery, catalog: QueryCatalog, sources: Sources, chain: readonly SavedQuery[]): Promise<Expansion> {
  const references = readReferences(query);
  const read = new Set([...references.tables.map(({ name }) => name), ...namesInFunctions(catalog.functions(), query.source.text)]);
  const here = await sources.resolve(read);
  const uses = new Map<string, SavedQuery>();
  const named = new Set(references.named);
  const parameters = [...query.parameters];
  const inherited = new Set<string>();
  for (const table of references.tables) {
    if (isSource(table.name, here)) continue;
    const file = catalog.named(table.name);
    if (file === undefined) continue;
    // By file: a draft may have the name of the saved query that it reads.
    if (chain.some(({ source }) => source.name === file.source.name)) {
      const names = [...chain.map(({ name }) => name), file.name].join(' → ');
      throw at(
        { source: query.source, span: table.span },
        'config',
        `saved queries read each other: ${names}`,
        'remove one of these references',
      );
    }
    const inner = requireHeader(parseSavedQuery(file.source, file.name));
    if (inner.dialect === 'clickhouse') {
      throw at(
        { source: query.source, span: table.span },

        'unsupported',
        `${inner.name} is ClickHouse SQL, which cannot be used in BigQuery SQL`,
        'write it in the BigQuery dialect',
      );
    }
    const expansion = await expand(inner, catalog, sources, [...chain, inner]);
    uses.set(inner.name, inner);
    for (const [name, used] of expansion.uses) uses.set(name, used);
    for (const name of expansion.named) named.add(name);
    for (const name of expansion.read) read.add(name);
    for (const declaration of expansion.parameters) {
      merge(parameters, declaration, { query, table, inner });
      inherited.add(declaration.name.toLowerCase());
    }
  }
  const resolved = uses.size === 0 ? here : await sources.resolve(read);
  checkUse(query, references, { parameters, inherited, uses, catalog, sources: resolved });
  return { parameters, uses, named, read, sources: resolved };
}

/** Returns what the saved queries that a text reads as tables bring along. Throws as expandSavedQueries does. */
export async function broughtAlong(
  { tables }: References,
  catalog: QueryCatalog,
  sources: Sources,
): Promise<Pick<Expansion, 'parameters' | 'sources'>> {
  const read = new Set(tables.map(({ name }) => name));
  const here = await sources.resolve(read);
  const parameters: ParameterDeclaration[] = [];
  for (const { name } of tables) {
    const file = here.find(name) === undefined ? catalog.named(name) : undefined;
    if (file === undefined) continue;
    const expansion = await expandSavedQueries(parseSavedQuery(file.source, file.name), catalog, sources);
    parameters.push(...expansion.parameters);
    for (const each of expansion.read) read.add(each);
  }
  return { parameters, sources: await sources.resolve(read) };
}

/** A name for which a rule leads nowhere may be that of a saved query. */
function isSource(name: string, sources: ResolvedSources): boolean {
  try {
    return sources.find(name) !== undefined;
  } catch (error) {
    if (error instanceof QuernError && error.code === 'unknown-source') return false;
    throw error;
  }
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

interface Surroundings {
  readonly parameters: readonly ParameterDeclaration[];
  /** Names of those that queries which it reads as tables brought. */
  readonly inherited: ReadonlySet<string>;
  readonly uses: ReadonlyMap<string, SavedQuery>;
  readonly catalog: QueryCatalog;
  readonly sources: ResolvedSources;
}

function checkUse(query: SavedQuery, references: References, { parameters, inherited, uses, catalog, sources }: Surroundings): void {
  const known = new Set(parameters.map(({ name }) => name.toLowerCase()));
  const undeclared = references.parameters.filter(({ name }) => !known.has(name.toLowerCase()));
  const [first] = undeclared;
  const positional = undeclared.find(({ name }) => positionOf(name) !== undefined);
  if (positional !== undefined) throw at({ source: query.source, span: positional.span }, 'parameter', POSITIONAL.message, POSITIONAL.hint);
  if (first !== undefined) {
    const { source } = query;
    const options = optionsOver(parameters, sources, (table) => uses.get(table)?.source.text, catalog.functions());
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

/** The error at a place in the text of a query. */
function at({ source, span }: { source: SourceText; span: Reference['span'] }, code: ErrorCode, message: string, hint: string): QuernError {
  return new QuernError(code, message, { source, span, hint });
}
