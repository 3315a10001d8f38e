// Translations with the facts that only runs of queries need, and the SQL of callers in place of a saved query's SELECT.

import {
  type AnalyzedScript,
  analyzeCaller,
  analyzeSaved,
  analyzeScript,
  analyzeUnfiltered,
  inCallerText,
  parseSandboxed,
} from '../analyzer/index.ts';
import { doubtsOf } from '../analyzer/names/doubts.ts';
import { type Bounds, bounded, SANDBOXED, TRUSTED } from '../base/bounds.ts';
import { textsReadAs } from '../logical/parameter-texts.ts';
import { mayShareValues } from '../logical/shared-values.ts';
import { isSmallResult } from '../logical/small-result.ts';
import { lowerToStatement } from '../lower/index.ts';
import { recordParts } from '../lower/lowered-parts.ts';
import { optimize, shape } from '../optimizer/optimize.ts';
import { parseScript } from '../syntax/parser/parse-script.ts';
import { statementText } from '../target/stored-statement.ts';
import type { LoweredPart, SpecializableTranslation, TranslateOptions, UnfilteredTable } from '../translation.ts';
import { compile } from './analyzed.ts';
import { compileBuckets } from './buckets.ts';
import { ownLimitOf } from './own-limit.ts';
import { repeatable } from './repeatable.ts';
import { maySpecialize } from './specialize.ts';
import { type Commented, wantedScript } from './wanted-script.ts';

/**
 * Translates like `translate`, and adds what `bind` needs; with `sandbox` also what callers' SQL could read, and with `buckets` also the query in
 * buckets of time. Throws as `translate` does.
 */
export function translateSpecializable(
  text: string,
  options: TranslateOptions = {},
  { sandbox = false, buckets = false } = {},
): SpecializableTranslation {
  return bounded(TRUSTED, { start: 0, end: text.length }, () => {
    const { results, ...wanted } = wantedScript(text, options);
    const analyzed = sandbox ? analyzeSaved(wanted.script, options) : analyzeScript(wanted.script, options);
    return { ...compileForRuns(wanted, analyzed, options, { bounds: TRUSTED, buckets }), ...results };
  });
}

/**
 * Returns the WITH tables of a saved query that show callers of its sandbox rows which a key with one of its parameters set must not see. Throws as
 * `translate` does.
 */
export function unfilteredBySandbox(text: string, options: TranslateOptions): readonly UnfilteredTable[] {
  return bounded(TRUSTED, { start: 0, end: text.length }, () => analyzeUnfiltered(parseScript(text), options));
}

/**
 * Translates `sql`, a query of a caller who is not trusted, in place of the SELECT at the end of a saved query's `text`: it sees the WITH
 * tables of `text` and its own, and no other. Throws as `translate` does; an error in `sql` has it as its source.
 * With `buckets`, it is translated in buckets of time as well.
 */
export function translateSandboxed(
  text: string,
  sql: string,
  options: TranslateOptions = {},
  { buckets = false } = {},
): SpecializableTranslation {
  try {
    return bounded(SANDBOXED, { start: text.length, end: text.length + sql.length }, () => {
      const saved = parseScript(text);
      const caller = parseSandboxed(sql, text);
      return compileForRuns({ script: caller }, analyzeCaller(caller, saved, options), options, { bounds: SANDBOXED, buckets });
    });
  } catch (error) {
    throw inCallerText(error, sql, text);
  }
}

/** Returns the buckets of time to which the rows of a query belong, or why there are none. Throws as `translate` does. */
export function explainBuckets(text: string, options: TranslateOptions = {}): NonNullable<SpecializableTranslation['buckets']> {
  return bounded(TRUSTED, { start: 0, end: text.length }, () => {
    const { query, analysis } = analyzeScript(wantedScript(text, options).script, options);
    return compileBuckets(shape(query, analysis), analysis, { ...options, instant: 'parameter' });
  });
}

/** Returns the parts of a query with the checks that they became, and the other parts that may fail. Throws as `translate` does. */
export function loweredParts(text: string, options: TranslateOptions = {}): readonly LoweredPart[] {
  return bounded(TRUSTED, { start: 0, end: text.length }, () => {
    const { query, analysis } = analyzeScript(wantedScript(text, options).script, options);
    const { parts, onLowered } = recordParts();
    lowerToStatement(optimize(query, analysis), options, onLowered);
    return parts;
  });
}

const hasText = ({ parameters = {} }: TranslateOptions): boolean => Object.values(parameters).some(({ kind }) => kind === 'STRING');

function compileForRuns(
  wanted: Commented,
  analyzed: AnalyzedScript,
  options: TranslateOptions,
  { bounds, buckets }: { readonly bounds: Bounds; readonly buckets: boolean },
): SpecializableTranslation {
  const { translation, shaped, query, statement, isShallow } = compile(wanted, analyzed, options, bounds);
  const { sql, parameters } = translation;
  const { analysis, filteredBy } = analyzed;
  const doubts = bounds === TRUSTED ? doubtsOf(analyzed.query) : [];
  const texts = bounds === TRUSTED && hasText(options) ? textsReadAs(query) : new Map();
  return {
    ...translation,
    statement: maySpecialize(sql, parameters) && isShallow ? statementText(statement) : undefined,
    sharedValues: mayShareValues(query) || undefined,
    ownLimit: ownLimitOf(statement),
    small: isSmallResult(query) || undefined,
    doubts: doubts.length === 0 ? undefined : doubts,
    textsReadAs: texts.size === 0 ? undefined : Object.fromEntries(texts),
    filteredBy,
    ...repeatable(query, parameters),
    buckets: buckets ? compileBuckets(shaped, analysis, options) : undefined,
    functions: analysis.library.used.size === 0 ? undefined : [...analysis.library.used].map(({ name }) => name),
  };
}
