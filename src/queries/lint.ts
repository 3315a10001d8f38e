// Everything that is wrong with a saved query or a function, and what is likely a mistake in it, each with its place. Nothing is run.

import { randomUUID } from 'node:crypto';
import { messageAbout, QuernError } from '../base/errors.ts';
import { type Position, positionAt, type SourceText } from '../base/source-text.ts';
import type { Sources } from '../sources/kind.ts';
import { positionOf } from '../sql/base/positional.ts';
import {
  checkFunctionFile,
  fidelityNotesOf,
  isFunctionFile,
  parse,
  type UnfilteredTable,
  unfilteredBySandbox,
  warningsOf,
} from '../sql/index.ts';
import type { Doubt } from '../sql/translation.ts';
import type { QueryCatalog } from './catalog.ts';
import { doubtText } from './doubt-text.ts';
import { broughtAlong } from './expand.ts';
import { parseSavedQuery } from './header/header.ts';
import { headerSpan, idInHeader } from './header/text.ts';
import { impliedDeclarations } from './implied-types.ts';
import { knownValues } from './known-values.ts';
import { isOff, lintCommentsOf } from './lint-comments.ts';
import { optionsOver } from './options-over.ts';
import { namesIn, namesInFunctions, type References, referencesOf } from './references.ts';
import { POSITIONAL } from './reserved-name.ts';
import { tableFinder } from './run-warnings.ts';
import type { ParameterDeclaration, SavedQuery } from './saved-query.ts';
import { translateOptions } from './translate-options.ts';

export interface Finding extends Position {
  readonly file: string;
  /** Errors keep the query from running; warnings are hardly meant; notes are to be known. */
  readonly severity: 'error' | 'warning' | 'note';
  /** The code of an error, or what is looked for. */
  readonly rule: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

interface LintDependencies {
  readonly catalog: QueryCatalog;
  readonly sources: Sources;
  /** Throws what keeps the query from running. */
  prepare(query: SavedQuery): Promise<{ readonly doubts?: readonly Doubt[] | undefined }>;
}

/** The findings of a file, in the order of the text. */
export async function lintSource(source: SourceText, name: string, deps: LintDependencies): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const add = (offset: number, finding: Omit<Finding, 'file' | 'line' | 'column'>): void => {
    findings.push({ file: source.name, ...positionAt(source.text, offset), ...finding });
  };
  const attempt = async <T>(action: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof QuernError)) throw error;
      findings.push(...findingsOf(error, source));
      return undefined;
    }
  };
  const query = await attempt(() => parseSavedQuery(source, name));
  if (query === undefined) return findings;
  if (query.dialect === 'clickhouse') {
    await attempt(() => deps.prepare(query));
    return findings;
  }
  if (query.id === '' && (await attempt(() => isFunctionFile(source.text))) !== false) {
    if (findings.length === 0)
      await attempt(async () => {
        const functions = deps.catalog.functions();
        const sources = await deps.sources.resolve([...namesIn(source.text), ...namesInFunctions(functions, source.text)]);
        return checkFunctionFile(source, { sources, functions });
      });
    return findings;
  }
  const script = await attempt(() => parse(source.text));
  if (script === undefined) return findings;
  const references = referencesOf(script);
  const { catalog } = deps;
  // Trouble with the engine is no finding of a text.
  await deps.sources.resolve(references.tables.map(({ name: table }) => table));
  const brought = await attempt(() => broughtAlong(references, catalog, deps.sources));
  const sources = brought?.sources ?? { names: [], find: () => undefined };
  const { undeclared, unused } = compareParameters(query, references, brought?.parameters ?? []);
  const implied =
    undeclared.length === 0
      ? []
      : implyDeclarations(query, undeclared, brought ?? { parameters: [], sources, savedFunction: () => undefined }, catalog);
  const typeOf = new Map(implied.map(({ name, type }) => [name.toLowerCase(), type]));
  for (const { name: parameter, span } of undeclared)
    add(span.start, {
      severity: 'error',
      rule: 'undeclared-parameter',
      ...(positionOf(parameter) === undefined
        ? {
            message: `@${parameter} is not declared`,
            hint: `declare it under params: in the header, e.g. ${parameter}: { type: ${typeOf.get(parameter.toLowerCase())} }`,
          }
        : POSITIONAL),
    });
  for (const { name: parameter } of unused)
    add(placeInHeader(source.text, parameter), {
      severity: 'error',
      rule: 'unused-parameter',
      message: `${parameter} is declared but never used`,
      hint: `use @${parameter} in the SQL, or remove it from params:`,
    });
  // With parameters that fit, the translator can tell what else is wrong.
  const mended: SavedQuery = {
    ...query,
    parameters: [...query.parameters.filter((parameter) => !unused.includes(parameter)), ...implied],
  };
  const prepared = await attempt(() => deps.prepare(mended));
  for (const { table, parameter, span } of query.sandbox && prepared !== undefined ? await openTables(mended, deps) : [])
    add(span.start, {
      severity: 'warning',
      rule: 'sandbox-filter',
      message: `${table} does not filter by @${parameter}, so keys that set ${parameter} cannot send SQL here`,
      hint: `compare a column with @${parameter} in the WHERE of ${table}: SQL from callers replaces the SELECT at the end`,
    });
  // A source that cannot be had is among the errors by now.
  const sourceOf = prepared === undefined ? () => undefined : tableFinder(sources);
  const bounded = setsMaxRows(source.text) ? query.maxRows : undefined;
  for (const { rule, message, hint, span } of warningsOf(script, bounded, sourceOf, knownValues(query)))
    add(span.start, { severity: 'warning', rule, message, hint });
  const formats = new Set(query.parameters.filter(({ format }) => format !== undefined).map(({ name }) => name.toLowerCase()));
  for (const doubt of prepared?.doubts ?? [])
    if (doubt.kind !== 'text-as-time' || !formats.has(doubt.name.toLowerCase()))
      add(doubt.span.start, { severity: 'warning', rule: doubt.kind, ...doubtText(doubt) });
  // Differences that hardly any query meets would only hide the others: `quern translate` tells them all.
  for (const { construct, rows, note, span } of fidelityNotesOf(script))
    if (note !== undefined && rows === 'approximate') add(span.start, { severity: 'note', rule: rows, message: `${construct}: ${note}` });
  const comments = lintCommentsOf(source.text);
  return placed(findings)
    .filter(({ severity, line, rule }) => severity === 'error' || !isOff(comments, line, rule))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

/** What has been found at its place is not said of the whole file, too. */
function placed(findings: readonly Finding[]): readonly Finding[] {
  const isAtStart = ({ line, column }: Finding): boolean => line === 1 && column === 1;
  const said = new Set(findings.filter((one) => !isAtStart(one)).map(({ message }) => message));
  return findings.filter((one) => !isAtStart(one) || !said.has(one.message));
}

/** The WITH tables of a sandbox that show what a parameter filters elsewhere. */
async function openTables(query: SavedQuery, { catalog, sources }: LintDependencies): Promise<readonly UnfilteredTable[]> {
  return unfilteredBySandbox(query.source.text, (await translateOptions(query, catalog, sources)).options);
}

/** A finding for each file that has the id of one before it. */
export function lintTwins(files: readonly SourceText[]): readonly Finding[] {
  const owners = new Map<string, string>();
  return files.flatMap(({ name, text }): readonly Finding[] => {
    const id = idInHeader(text);
    const owner = id === undefined ? undefined : owners.get(id);
    if (id === undefined || owner === undefined) {
      if (id !== undefined) owners.set(id, name);
      return [];
    }
    const place = positionAt(text, Math.max(0, text.toLowerCase().indexOf(id)));
    return [
      {
        file: name,
        ...place,
        severity: 'error',
        rule: 'config',
        message: `this id is also used by ${owner}`,
        hint: `for example ${randomUUID()}`,
      },
    ];
  });
}

/** The problems of an error, each in its line. */
function findingsOf(error: QuernError, source: SourceText): readonly Finding[] {
  const { span, problems = [], hint, source: where = source } = error.details;
  const base = { file: source.name, severity: 'error' as const, rule: error.code };
  const place = span === undefined || where.name !== source.name ? { line: 1, column: 1 } : positionAt(source.text, span.start);
  const elsewhere = where.name === source.name ? '' : ` (in ${where.name})`;
  if (problems.length === 0) return [{ ...base, ...place, message: `${error.message}${elsewhere}`, hint }];
  return problems.map(({ kind, name, message }) => {
    const line = Number(/^line (\d+)$/.exec(kind)?.[1] ?? place.line);
    const text = source.text.split('\n')[line - 1] ?? '';
    const column = Math.max(0, text.indexOf(name.split('.').at(-1) ?? name)) + 1;
    return { ...base, line, column, message: messageAbout(name, message) };
  });
}

type Brought = Awaited<ReturnType<typeof broughtAlong>>;

function implyDeclarations(
  { source, parameters }: SavedQuery,
  undeclared: References['parameters'],
  brought: Brought,
  catalog: QueryCatalog,
): readonly ParameterDeclaration[] {
  const { parameters: given, sources } = brought;
  const savedQuery = (table: string): string | undefined =>
    sources.find(table) === undefined ? catalog.named(table)?.source.text : undefined;
  const options = optionsOver(
    [...parameters, ...given],
    { sources, savedQuery, savedFunction: brought.savedFunction },
    catalog.functions(),
  );
  return impliedDeclarations(source.text, undeclared, options);
}

function compareParameters({ parameters }: SavedQuery, references: References, brought: readonly ParameterDeclaration[]) {
  const spelled = ({ name }: { readonly name: string }) => name.toLowerCase();
  const known = new Set([...parameters, ...brought].map(spelled));
  const used = new Set([...references.parameters, ...brought].map(spelled));
  return {
    undeclared: references.parameters.filter((one) => !known.has(spelled(one))),
    unused: parameters.filter((one) => !used.has(spelled(one))),
  };
}

function headerOf(text: string): { readonly start: number; readonly header: string } {
  const span = headerSpan(text);
  return span === undefined || span === 'unclosed'
    ? { start: 0, header: '' }
    : { start: span.start, header: text.slice(span.start, span.end) };
}

const setsMaxRows = (text: string): boolean => /^\s*max_rows\s*:/m.test(headerOf(text).header);

function placeInHeader(text: string, parameter: string): number {
  const { start, header } = headerOf(text);
  return start + Math.max(0, header.search(new RegExp(`\\b${parameter}\\b["']?\\s*:`)));
}
