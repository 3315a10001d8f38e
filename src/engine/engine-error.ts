// Turns what ClickHouse says about a failed query into the one error class, without its stack and version noise.
import { type ErrorCode, QuernError } from '../errors.ts';

/** A failure as an engine reports it; `code` is ClickHouse's number where it is known. */
export interface EngineFailure {
  readonly message: string;
  readonly code?: number;
  readonly cause?: unknown;
}

interface Meaning {
  readonly code: ErrorCode;
  readonly hint?: string;
}

/** What ClickHouse's error numbers mean to quern; all others are `engine`. */
const MEANINGS: Readonly<Record<number, Meaning>> = {
  159: { code: 'timeout', hint: 'allow more time with --timeout, or narrow the query' },
  160: { code: 'timeout', hint: 'allow more time with --timeout, or narrow the query' },
  241: { code: 'engine', hint: 'the query needs more memory than it is allowed; narrow it, or raise the limit' },
  279: { code: 'unreachable' },
  307: { code: 'engine', hint: 'narrow the query, or raise the limit' },
  394: { code: 'interrupted' },
  396: { code: 'engine', hint: 'the result is larger than allowed; add a LIMIT, or raise the limit' },
  516: { code: 'unreachable', hint: 'check the user name and the password' },
};

/** QuernError for a failure of the engine: `ClickHouse answered UNKNOWN_IDENTIFIER (47): …`. */
export function engineError(failure: EngineFailure): QuernError {
  const parsed = parseMessage(failure.message);
  const number = failure.code ?? parsed.code;
  const meaning: Meaning = (number === undefined ? undefined : MEANINGS[number]) ?? { code: 'engine' };
  const own = ownWords(number, parsed.text);
  if (own !== undefined) return new QuernError('engine', `the query failed: ${own}`, { cause: failure.cause ?? failure.message });
  const label = number === undefined ? 'an error' : parsed.name === undefined ? `error ${number}` : `${parsed.name} (${number})`;
  return new QuernError(meaning.code, `ClickHouse answered ${label}: ${parsed.text}`, {
    ...(meaning.hint === undefined ? {} : { hint: meaning.hint }),
    ...(number === undefined ? {} : { engineCode: number }),
    ...(parsed.suggestion === undefined ? {} : { notes: [`ClickHouse suggests ${parsed.suggestion}`] }),
    cause: failure.cause ?? failure.message,
  });
}

/** What a guard in the translated SQL says: the message of throwIf, or of its form for constants (a message that is read as a number). */
function ownWords(number: number | undefined, text: string): string | undefined {
  if (number === 395) return text;
  return number === 6 ? /^Cannot parse string '(.*)' as UInt8/.exec(text)?.[1] : undefined;
}

interface ParsedMessage {
  readonly code?: number;
  readonly name?: string;
  readonly text: string;
  readonly suggestion?: string;
}

/** Where the engine starts to explain itself in terms of its own plan. */
const NOISE =
  /(?::|,)? (?:[Ii]n scope |[Ww]hile (?:executing|processing|converting|reading|parsing)\b|\(while |Stack trace|\(version |Untracked memory|Expected one of: |Maybe you meant: |: default expression)/;

function parseMessage(message: string): ParsedMessage {
  const code = /Code: (\d+)/.exec(message)?.[1];
  const name = /\(([A-Z][A-Z0-9_]+)\)\s*(?:\(version [^)]*\)+)?\s*$/.exec(message)?.[1] ?? /\(([A-Z][A-Z0-9_]+)\)/.exec(message)?.[1];
  const suggestion = /Maybe you meant: \[([^\]]*)\]/.exec(message)?.[1];
  const body = message
    .replace(/^(?:Code: \d+\. )?(?:DB::Exception: )?(?:Received from \S+ )?(?:Code: \d+\. )?(?:DB::Exception: )?/, '')
    .replace(/(?:\s*\((?:version [^()]*(?:\([^()]*\))?|[A-Z][A-Z0-9_]+)\)\.?)+\s*$/, '');
  const noiseAt = body.search(NOISE);
  const text =
    (noiseAt > 0 ? body.slice(0, noiseAt) : body)
      .split('\n')[0]
      ?.trim()
      .replace(/[.:,]$/, '') ?? '';
  return {
    ...(code === undefined ? {} : { code: Number(code) }),
    ...(name === undefined ? {} : { name }),
    text: text === '' ? 'no further words' : text.length > 500 ? `${text.slice(0, 500)}…` : text,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
