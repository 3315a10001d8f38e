// Everything that is wrong with a saved query or a function, and what is likely a mistake in it, each with its place. Nothing is run.

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { messageAbout, QuernError } from '../base/errors.ts';
import { type Position, positionAt, type SourceText } from '../base/source-text.ts';
import type { Sources } from '../sources/kind.ts';
import { positionOf } from '../sql/base/positional.ts';
import { checkFunctionFile, fidelityNotesOf, isFunctionFile, parse, type UnfilteredTable, unfilteredBySandbox } from '../sql/index.ts';
import type { Doubt } from '../sql/translation.ts';
import type { QueryCatalog } from './catalog.ts';
import { gatherReads, impliedDeclarations, optionsOver, readsOf, translateOptions } from './expand.ts';
import { parseSavedQuery } from './header/header.ts';
import { closedHeader, idInHeader, placeInHeader } from './header/text.ts';
import { POSITIONAL } from './parameter-names.ts';
import { namesIn, namesInFunctions, type References, referencesOf } from './references.ts';
import { remarksIn, tableFinder, turnedOffIn } from './remarks.ts';
import type { ParameterDeclaration, SavedQuery } from './saved-query.ts';

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
  const gathered = await attempt(() => gatherReads(query, catalog, deps.sources));
  const reads = gathered ?? { ...NOTHING_READ, parameters: query.parameters };
  const { undeclared, unused } = compareParameters(query, references, reads);
  const options = () => optionsOver(reads.parameters, readsOf(reads), catalog.functions());
  const implied = undeclared.length === 0 ? [] : impliedDeclarations(source.text, undeclared, options());
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
  const sourceOf = prepared === undefined ? () => undefined : tableFinder(reads.sources);
  const bounded = setsMaxRows(source.text) ? query.maxRows : undefined;
  const formats = new Set(query.parameters.filter(({ format }) => format !== undefined).map(({ name }) => name.toLowerCase()));
  const doubts = (prepared?.doubts ?? []).filter((doubt) => doubt.kind !== 'text-as-time' || !formats.has(doubt.name.toLowerCase()));
  for (const { span, ...remark } of remarksIn(query, doubts, sourceOf, bounded)) add(span.start, { severity: 'warning', ...remark });
  // Differences that hardly any query meets would only hide the others: `quern translate` tells them all.
  for (const { construct, rows, note, span } of fidelityNotesOf(script))
    if (note !== undefined && rows === 'approximate') add(span.start, { severity: 'note', rule: rows, message: `${construct}: ${note}` });
  const isOff = turnedOffIn(source.text);
  return placed(findings)
    .filter(({ severity, line, rule }) => severity === 'error' || !isOff(line, rule))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

/** The findings, each error once. What has been found at its place is not said of the whole file, too. */
function placed(all: readonly Finding[]): readonly Finding[] {
  const findings = all.filter((one, i) => one.severity !== 'error' || all.findIndex((other) => isDeepStrictEqual(other, one)) === i);
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

/** What is known of the reads of a text where they cannot be had. */
const NOTHING_READ = { uses: new Map(), calls: new Map(), sources: { names: [], find: () => undefined }, inherited: new Set<string>() };

function compareParameters(
  { parameters }: SavedQuery,
  references: References,
  reads: { readonly parameters: readonly ParameterDeclaration[]; readonly inherited: ReadonlySet<string> },
) {
  const spelled = ({ name }: { readonly name: string }) => name.toLowerCase();
  const known = new Set(reads.parameters.map(spelled));
  const used = new Set([...references.parameters.map(spelled), ...reads.inherited]);
  return {
    undeclared: references.parameters.filter((one) => !known.has(spelled(one))),
    unused: parameters.filter((one) => !used.has(spelled(one))),
  };
}

const setsMaxRows = (text: string): boolean => {
  const header = closedHeader(text);
  return header !== undefined && /^\s*max_rows\s*:/m.test(text.slice(header.start, header.end));
};
