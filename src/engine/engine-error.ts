// Turns what ClickHouse says about a failed query into the one error class, without its stack and version noise.

import { type ErrorCode, QuernError } from '../base/errors.ts';
import type { SourceText, Span } from '../base/source-text.ts';
import { type ErrorTopic, topicOf } from '../clickhouse/errors.ts';
import { rejectedValue, saying } from './failure-words.ts';
import { limitWords } from './limit-words.ts';
import { type AskedEngine, refusalWords } from './refusal-words.ts';

/** A failure as an engine reports it; `code` is ClickHouse's number where it is known. */
interface EngineFailure extends AskedEngine {
  readonly message: string;
  readonly code?: number | undefined;
  readonly cause?: unknown;
  /** The text that was run: shown where ClickHouse names a place in it. */
  readonly sql?: string | undefined;
}

interface Meaning {
  readonly code: ErrorCode;
  readonly hint?: string;
}

/** Those of all other topics are `engine`. */
const MEANINGS: { readonly [T in ErrorTopic]?: Meaning } = {
  value: { code: 'data' },
  length: { code: 'data' },
  time: { code: 'timeout', hint: 'allow more time with --timeout, or narrow the query' },
  memory: { code: 'limit', hint: 'narrow the query, or raise the limit with --max-memory' },
  scan: { code: 'limit', hint: 'narrow the query, for example to a shorter time, or raise the limit with --max-scan' },
  result: { code: 'limit', hint: 'add a LIMIT, or raise the limit' },
  limit: { code: 'limit', hint: 'narrow the query, or raise the limit' },
  size: { code: 'limit', hint: 'write it with fewer steps' },
  stopped: { code: 'interrupted', hint: 'someone, or a limit of the server, stopped it' },
  login: { code: 'unreachable' },
  right: { code: 'unreachable', hint: 'the login lacks a right that the query needs: ask the administrator of the server for it' },
  busy: { code: 'unreachable' },
};

/** QuernError for a failure of the engine; what quern has no words for is `ClickHouse answered UNKNOWN_IDENTIFIER (47): …`. */
export function engineError(failure: EngineFailure): QuernError {
  const parsed = parseMessage(failure.message);
  const number = failure.code ?? parsed.code;
  const topic = topicOf(number);
  const meaning: Meaning = (topic && MEANINGS[topic]) ?? { code: 'engine' };
  const rejected = rejectedValue(number, parsed.text, failure.message);
  if (number !== undefined && rejected !== undefined) {
    return new QuernError('data', `the query failed: ${saying(rejected)}`, {
      engineCode: number,
      rejected,
      cause: failure.cause ?? failure.message,
    });
  }
  if (topic === 'memory' && OTHERS_MEMORY.test(parsed.text)) {
    return new QuernError('busy', `ClickHouse has no memory left: ${parsed.text}`, {
      hint: 'other queries are using it; try again later, or give ClickHouse more',
      engineCode: number,
      cause: failure.cause ?? failure.message,
    });
  }
  if (topic === 'network' || topic === 'shard') {
    const lost = lostShard(failure.message);
    if (lost !== undefined) return lost;
  }
  const label = number === undefined ? 'an error' : parsed.name === undefined ? `error ${number}` : `${parsed.name} (${number})`;
  const cause = failure.cause ?? failure.message;
  const refusal = refusalWords(topic, parsed.text, failure);
  if (refusal !== undefined) return new QuernError(meaning.code, refusal.message, { hint: refusal.hint, engineCode: number, cause });
  const own = limitWords(topic, parsed.text);
  return new QuernError(meaning.code, own ?? `ClickHouse answered ${label}: ${parsed.text}`, {
    hint: meaning.hint,
    engineCode: number,
    engineWords: own === undefined ? label : undefined,
    notes: parsed.suggestion === undefined ? undefined : [`ClickHouse suggests ${parsed.suggestion}`],
    ...(failure.sql === undefined ? {} : placeIn(failure.sql, failure.message)),
    cause,
  });
}

/** The limit of the server or of the user, not of this query. */
const OTHERS_MEMORY = /^(?:\(total\)|Total|User) memory limit|^Memory limit \((?:total|for user)\)/;

const ADDRESS = /(?:\((?:peer: )?|packet from )((?:[\w.-]+|\[[\da-f:]+\]):\d+)/g;

/** undefined when the message names no server. */
function lostShard(message: string): QuernError | undefined {
  const found = [...message.matchAll(ADDRESS)];
  const [first] = found;
  if (first === undefined) return undefined;
  const before = message.slice(0, first.index).split('\n').at(-1) ?? '';
  const reason = before
    .replace(/^.*Exception: /, '')
    .replace(/: while .*$/, '')
    .trim();
  const shards = [...new Set(found.map(([, address]) => address))];
  const who = shards.length === 1 ? `the shard ${shards[0]} of the cluster does` : `the shards ${shards.join(', ')} of the cluster do`;
  return new QuernError('unreachable', `${who} not respond: ${reason}`, {
    hint: 'check that server; with skip_unavailable_shards = true, queries read only the shards that respond',
    cause: message,
  });
}

/** Positions count bytes, from 1. */
function placeIn(sql: string, message: string): { readonly source: SourceText; readonly span: Span } | undefined {
  const position = Number(/failed at position (\d+)/.exec(message)?.[1]);
  const bytes = Buffer.from(sql);
  if (!(position >= 1 && position <= bytes.length)) return undefined;
  const start = bytes.subarray(0, position - 1).toString().length;
  return { source: { name: 'the ClickHouse SQL', text: sql }, span: { start, end: start + 1 } };
}

interface ParsedMessage {
  readonly code?: number | undefined;
  readonly name?: string | undefined;
  readonly text: string;
  readonly suggestion?: string | undefined;
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
    code: code === undefined ? undefined : Number(code),
    name,
    text: text === '' ? 'no message' : text.length > 500 ? `${text.slice(0, 500)}…` : text,
    suggestion,
  };
}
