// Finds the part of the user's query in which a run failed: the translation is made once more, and this time says which check stands for what.

import { QuernError } from '../../base/errors.ts';
import { positionAt, type SourceText, type Span } from '../../base/source-text.ts';
import { ERRORS, topicOf } from '../../clickhouse/errors.ts';
import { type Expansion, translateOptions } from '../../queries/expand.ts';
import { type LoweredPart, loweredParts, type TranslateOptions } from '../../sql/index.ts';
import { callerNamesOf, type PrepareDependencies, type PreparedQuery } from '../prepared-query.ts';

/** Everything that finding a place takes; without it, failures have no place. */
export interface FailureContext {
  readonly catalog?: PrepareDependencies['catalog'] | undefined;
  readonly sources?: PrepareDependencies['sources'] | undefined;
}

/** A part of the query's own text, or of that of a saved query which it reads. */
interface Place {
  readonly span: Span;
  readonly source: SourceText;
  readonly part: LoweredPart;
}

const { value: VALUE, length: LENGTH } = ERRORS;

/** Upper bound on places in a message. */
const MOST_PLACES = 3;

/**
 * What ClickHouse's own checks are about, where quern writes none: error number → the functions that fail so.
 */
const FAILING: Readonly<Record<number, readonly string[]>> = {
  [VALUE.CANNOT_PARSE_ESCAPE_SEQUENCE]: ['like', 'ilike', 'notLike', 'notILike', 'LIKE', 'NOT LIKE', 'ILIKE'],
  [VALUE.BAD_ARGUMENTS]: ['toDateTime64', 'parseDateTime64BestEffort', 'toTimezone', 'toTimeZone', 'formatDateTime', 'parseDateTime'],
  [VALUE.ILLEGAL_DIVISION]: ['intDiv', 'modulo', 'divide', '/', '%', 'intDivOrZero', 'divideDecimal'],
  [LENGTH.ARGUMENT_OUT_OF_BOUND]: ['range'],
  [VALUE.CANNOT_CONVERT_TYPE]: ['accurateCast'],
  [LENGTH.TOO_LARGE_ARRAY_SIZE]: ['range', 'groupArray', 'arrayConcat', 'arrayWithConstant'],
  [LENGTH.TOO_LARGE_STRING_SIZE]: ['repeat', 'leftPad', 'rightPad', 'leftPadUTF8', 'rightPadUTF8', 'concat'],
  [VALUE.DECIMAL_OVERFLOW]: ['+', '-', '*', '/', 'plus', 'minus', 'multiply', 'divide', 'multiplyDecimal', 'divideDecimal', 'sum'],
  [VALUE.CANNOT_COMPILE_REGEXP]: [
    'match',
    'extract',
    'extractAll',
    'replaceRegexpOne',
    'replaceRegexpAll',
    'extractAllGroups',
    'countMatches',
    'multiMatchAny',
  ],
};

/** `error` with its place in the query, where that can be found; any other error as it is. Never throws. */
export async function placed(error: unknown, prepared: PreparedQuery, context: FailureContext): Promise<unknown> {
  if (!(error instanceof QuernError) || error.code !== 'data' || error.details.span !== undefined) return error;
  // Callers' SQL is only translated in threads.
  if (prepared.dialect !== 'bigquery' || prepared.sandboxed !== undefined) return error;
  const places = await placesIn(prepared, context, failsLike(error)).catch(() => []);
  const [first] = places;
  const { details } = error;
  if (first === undefined) {
    const hint = details.hint ?? (ENDS_IN_NULL.test(details.rejected?.why ?? '') ? WITHOUT_NULLS : undefined);
    return hint === undefined ? error : new QuernError('data', error.message, { ...details, hint });
  }
  if (places.length === 1) {
    const { span, source, part } = first;
    const rejected = details.rejected === undefined ? undefined : { ...details.rejected, among: part.parameters };
    return new QuernError('data', error.message, {
      ...details,
      rejected,
      span,
      source,
      hint: details.hint ?? wayOut(part, details.engineCode),
    });
  }
  return new QuernError('data', error.message, {
    ...details,
    notes: [...(details.notes ?? []), mayBeAt(places)],
    hint: details.hint ?? wayOut({ ...first.part, constant: places.every(({ part }) => part.constant) }, details.engineCode),
  });
}

/** A guard of the result names its column. */
const ENDS_IN_NULL = /array with a NULL element$/;
const WITHOUT_NULLS = 'leave them out: ARRAY_AGG(x IGNORE NULLS), or ARRAY(SELECT x FROM UNNEST(…) AS x WHERE x IS NOT NULL)';

function failsLike({ details: { rejected, engineCode } }: QuernError): (part: LoweredPart) => boolean {
  const functions: ReadonlySet<string> = new Set(engineCode === undefined ? [] : FAILING[engineCode]);
  const why = rejected?.value === undefined ? rejected?.why : undefined;
  return (part) => (why !== undefined && part.messages.includes(why)) || part.functions.some((name) => functions.has(name));
}

interface Text {
  readonly source: SourceText;
  /** Where its spans begin. */
  readonly start: number;
}

interface Parts {
  readonly texts: readonly Text[];
  readonly parts: readonly LoweredPart[];
}

/** A server runs the same prepared query again and again. */
const known = new WeakMap<PreparedQuery, Parts>();

async function partsOf(prepared: PreparedQuery, { catalog, sources }: FailureContext): Promise<Parts> {
  const before = known.get(prepared);
  if (before !== undefined) return before;
  if (catalog === undefined || sources === undefined) return { texts: [], parts: [] };
  const { source, result } = prepared;
  const query = { description: '', ...prepared };
  const { options, ...expansion } = await translateOptions(query, catalog, sources, callerNamesOf(prepared));
  const texts: Text[] = [{ source, start: 0 }];
  const parts = loweredParts(source.text, { ...options, result, ...behindEachOther(options, expansion, texts) });
  known.set(prepared, { texts, parts });
  return { texts, parts };
}

type ReadOptions = Pick<TranslateOptions, 'savedQuery' | 'savedFunction'>;

/** The saved queries that a text reads, where each stands behind those before it, so that a span says whose it is. */
function behindEachOther(
  { inner, ...options }: ReadOptions & { readonly inner?: TranslateOptions['inner'] },
  { uses, inner: innerReads }: Pick<Expansion, 'uses' | 'inner'>,
  texts: Text[],
): ReadOptions & Pick<TranslateOptions, 'inner'> {
  const moved = (name: string): string | undefined => {
    const source = uses.get(name)?.source;
    if (source === undefined) return undefined;
    let text = texts.find((one) => one.source === source);
    if (text === undefined) {
      const last = texts.at(-1);
      text = { source, start: last === undefined ? 0 : last.start + last.source.text.length };
      texts.push(text);
    }
    return `${' '.repeat(text.start)}${source.text}`;
  };
  return {
    savedQuery: moved,
    savedFunction(name) {
      const called = options.savedFunction?.(name);
      return called && { ...called, text: moved(name) ?? called.text };
    },
    ...(inner === undefined || innerReads === undefined ? {} : { inner: { ...inner, ...behindEachOther(inner, innerReads, texts) } }),
  };
}

async function placesIn(
  prepared: PreparedQuery,
  context: FailureContext,
  wanted: (part: LoweredPart) => boolean,
): Promise<readonly Place[]> {
  const { texts, parts } = await partsOf(prepared, context);
  return innermost(parts.filter(wanted)).flatMap((part) => {
    const { span } = part;
    const text = texts.findLast(({ start }) => start <= span.start);
    if (text === undefined) return [];
    return [{ span: { start: span.start - text.start, end: span.end - text.start }, source: text.source, part }];
  });
}

/** Each span once, and none that has another one inside: a part may repeat the checks of those in it. */
function innermost(parts: readonly LoweredPart[]): readonly LoweredPart[] {
  const distinct = [...new Map(parts.map((part) => [`${part.span.start} ${part.span.end}`, part])).values()];
  const holds = (outer: Span, inner: Span): boolean => outer !== inner && outer.start <= inner.start && inner.end <= outer.end;
  return distinct
    .filter(({ span }) => span.end > span.start && !distinct.some((other) => holds(span, other.span)))
    .sort((a, b) => a.span.start - b.span.start);
}

const SAFE_OPERATORS: Readonly<Record<string, string>> = {
  $add: 'SAFE_ADD',
  $subtract: 'SAFE_SUBTRACT',
  $multiply: 'SAFE_MULTIPLY',
  $divide: 'SAFE_DIVIDE',
  $negate: 'SAFE_NEGATE',
  $offset: 'SAFE_OFFSET',
  $ordinal: 'SAFE_ORDINAL',
  CAST: 'SAFE_CAST',
};

/** What to write instead where NULL is no answer. */
const OTHER_WAYS: Readonly<Record<string, string>> = {
  SUM: 'NUMERIC holds more digits: SUM(CAST(… AS NUMERIC))',
  AVG: 'FLOAT64 holds larger numbers: AVG(CAST(… AS FLOAT64))',
  ERROR: 'the query calls ERROR itself',
  $assert: 'the query asserts this itself',
};

/** One check of several operators: which of them failed is not known. */
const SEVERAL_STEPS = /^the result of \S+ .*or \S is out of the range of /;

function wayOut({ name, scalar, messages, constant }: LoweredPart, engineCode: number | undefined): string {
  const orExclude = constant ? '' : ', or exclude such rows with WHERE';
  const exclude = constant ? 'this does not depend on the rows: change the value in the query' : 'exclude such rows with WHERE';
  // What is too long to be made is not made under SAFE. either.
  if (topicOf(engineCode) === 'length') return `make it shorter${orExclude}`;
  if (engineCode === VALUE.CANNOT_COMPILE_REGEXP) return `fix the pattern${orExclude}`;
  if (engineCode === VALUE.CANNOT_PARSE_ESCAPE_SEQUENCE) return 'double each backslash in the pattern';
  if (name === undefined && messages.some((said) => said.includes('more than one row')))
    return 'return one row, with LIMIT 1 or an aggregate';
  if (name === undefined) return exclude;
  if (messages.some((said) => SEVERAL_STEPS.test(said)))
    return 'write each step as SAFE_ADD, SAFE_SUBTRACT or SAFE_MULTIPLY, which return NULL for such a value';
  const other = OTHER_WAYS[name];
  if (other !== undefined) return other;
  const safe = SAFE_OPERATORS[name] ?? (scalar && /^[A-Z]/.test(name) ? `SAFE.${name}` : undefined);
  return safe === undefined ? exclude : `${safe} returns NULL for such a value`;
}

function mayBeAt(places: readonly Place[]): string {
  const shown = places.slice(0, MOST_PLACES).map(({ span, source }) => {
    const { line, column } = positionAt(source.text, span.start);
    return `${source.name}:${line}:${column}`;
  });
  const more = places.length > MOST_PLACES ? ' and other places' : '';
  return `this may have happened at ${shown.join(', ')}${more}`;
}
