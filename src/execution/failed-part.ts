// Finds the part of the user's query in which a run failed: the translation is made once more, and this time says which check stands for what.
import { QuernError } from '../errors.ts';
import { optionsOver } from '../queries/translate-options.ts';
import { positionAt, type SourceText, type Span } from '../source-text.ts';
import { type LoweredPart, loweredParts } from '../sql/index.ts';
import type { PrepareDependencies, PreparedQuery } from './prepared-query.ts';

/** What it takes to find it; where something of it is not at hand, no place is told. */
export interface FailureContext {
  readonly catalog?: PrepareDependencies['catalog'] | undefined;
  readonly sources?: PrepareDependencies['sources'] | undefined;
}

/** A part of the query's own text, or of that of a saved query which it reads. */
interface Place {
  readonly span: Span;
  readonly source: SourceText;
  readonly name?: string | undefined;
}

/** Places that are told when there are several. */
const MOST_PLACES = 3;

/**
 * What ClickHouse's own checks are about, where quern writes none: error number → the functions that fail so.
 * https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
 */
const FAILING: Readonly<Record<number, readonly string[]>> = {
  36: ['toDateTime64', 'parseDateTime64BestEffort', 'toTimezone', 'toTimeZone', 'formatDateTime', 'parseDateTime'],
  153: ['intDiv', 'modulo', 'divide', '/', '%', 'intDivOrZero', 'divideDecimal'],
  69: ['range'],
  70: ['accurateCast'],
  128: ['range', 'groupArray', 'arrayConcat', 'arrayWithConstant'],
  131: ['repeat', 'leftPad', 'rightPad', 'leftPadUTF8', 'rightPadUTF8', 'concat'],
  407: ['+', '-', '*', '/', 'plus', 'minus', 'multiply', 'divide', 'multiplyDecimal', 'divideDecimal', 'sum'],
  427: ['match', 'extract', 'extractAll', 'replaceRegexpOne', 'replaceRegexpAll', 'extractAllGroups', 'countMatches', 'multiMatchAny'],
};

/** `error` with its place in the query, where that can be found; any other error as it is. Never throws. */
export async function placed(error: unknown, prepared: PreparedQuery, context: FailureContext): Promise<unknown> {
  if (!(error instanceof QuernError) || error.code !== 'data' || error.details.span !== undefined) return error;
  // What callers send is only translated in threads.
  if (prepared.dialect !== 'bigquery' || prepared.sandboxed !== undefined) return error;
  const places = await placesIn(prepared, context, failsLike(error)).catch(() => []);
  const [first] = places;
  if (first === undefined) return error;
  const { details } = error;
  if (places.length === 1) {
    const { span, source, name } = first;
    return new QuernError('data', error.message, { ...details, span, source, hint: details.hint ?? wayOut(name) });
  }
  return new QuernError('data', error.message, { ...details, notes: [...(details.notes ?? []), mayBeAt(places)] });
}

function failsLike({ details: { rejected, engineCode } }: QuernError): (part: LoweredPart) => boolean {
  const functions: ReadonlySet<string> = new Set(engineCode === undefined ? [] : FAILING[engineCode]);
  const why = rejected?.value === undefined ? rejected?.why : undefined;
  return (part) => (why !== undefined && part.messages.includes(why)) || part.functions.some((name) => functions.has(name));
}

interface Text {
  /** Of a saved query that is read as a table; '' is the query's own. */
  readonly name: string;
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
  const { source, parameters, uses } = prepared;
  const texts: Text[] = [{ name: '', source, start: 0 }];
  let end = source.text.length;
  // Each text stands behind those before it, so that a span says whose it is.
  const savedQuery = (name: string): string | undefined => {
    let text = texts.find((known) => known.name === name);
    if (text === undefined) {
      const file = uses.some((use) => use.name === name) ? catalog.named(name) : undefined;
      if (file === undefined) return undefined;
      text = { name, source: file.source, start: end };
      texts.push(text);
      end += file.source.text.length;
    }
    return `${' '.repeat(text.start)}${text.source.text}`;
  };
  const parts = loweredParts(source.text, optionsOver(parameters, await sources.load(), savedQuery, catalog.functions()));
  known.set(prepared, { texts, parts });
  return { texts, parts };
}

async function placesIn(
  prepared: PreparedQuery,
  context: FailureContext,
  wanted: (part: LoweredPart) => boolean,
): Promise<readonly Place[]> {
  const { texts, parts } = await partsOf(prepared, context);
  return innermost(parts.filter(wanted)).flatMap(({ span, name }) => {
    const text = texts.findLast(({ start }) => start <= span.start);
    if (text === undefined) return [];
    return [{ span: { start: span.start - text.start, end: span.end - text.start }, source: text.source, name }];
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

function wayOut(name: string | undefined): string | undefined {
  const safe = name === undefined ? undefined : SAFE_OPERATORS[name];
  return safe === undefined ? undefined : `${safe} gives NULL for such a value`;
}

function mayBeAt(places: readonly Place[]): string {
  const shown = places.slice(0, MOST_PLACES).map(({ span, source }) => {
    const { line, column } = positionAt(source.text, span.start);
    return `${source.name}:${line}:${column}`;
  });
  const more = places.length > MOST_PLACES ? ', or further on' : '';
  return `this may be at ${shown.join(', ')}${more}`;
}
