// The text of an assertion: one BigQuery expression, over each row or over all of them.
import { QuernError } from '../base/errors.ts';
import type { Span } from '../base/source-text.ts';
import { aggregateCalls, type Call, calledName, parse } from '../sql/index.ts';

export interface Expression {
  /** The text that is the expression, without comments around it, and where that begins in the whole text. */
  readonly text: string;
  readonly offset: number;
  /** It is about all rows together: it has an aggregate call. */
  readonly aggregate: boolean;
  /** Its aggregate calls: their values say why it does not hold. */
  readonly measures: readonly MeasureSql[];
}

interface MeasureSql {
  readonly sql: string;
  /** Its name in reports: its text, for an expression of the user's. */
  readonly name: string;
}

const PREFIX = 'select ';

/** Throws QuernError `syntax`, with a span in `text`, when it is not one expression. */
export function readExpression(text: string): Expression {
  const { query, functions } = parsed(text);
  const { body } = query;
  const [item, second] = body.kind === 'select' && !body.distinct && body.as === null ? body.items : [];
  const alone = functions.length === 0 && second === undefined && query.span.start === 0 && query.span.end === item?.span.end;
  if (!alone || item.kind !== 'expr_item' || item.alias !== null) {
    const whole = { start: 0, end: text.length };
    throw new QuernError('syntax', 'an assertion must be a single expression', { span: whole, hint: 'for example max(latency) < 1500' });
  }
  const calls = aggregateCalls(item.value);
  const textOf = ({ start, end }: Span) => `${PREFIX}${text}`.slice(start, end);
  return {
    text: textOf(item.span),
    offset: item.span.start - PREFIX.length,
    aggregate: calls.length > 0,
    measures: [...new Set(calls.flatMap((call) => (isArray(call) ? [] : textOf(call.span))))].map((sql) => ({ sql, name: oneLine(sql) })),
  };
}

function parsed(text: string): ReturnType<typeof parse> {
  try {
    return parse(`${PREFIX}${text}`);
  } catch (error) {
    const span = error instanceof QuernError ? error.details.span : undefined;
    if (!(error instanceof QuernError) || span === undefined) throw error;
    const within = (at: number) => Math.min(Math.max(at - PREFIX.length, 0), text.length);
    const moved: Span = { start: within(span.start), end: within(span.end) };
    throw new QuernError(error.code, error.message, { ...error.details, span: moved });
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** Values that are long, and that may hold NULL, which an array of a result cannot. */
const isArray = (call: Call): boolean => /^ARRAY_/.test(calledName(call));
