// Turns ClickHouse's message about a failed query into a QuernError, without its stack and version noise.

import { type ErrorCode, QuernError } from '../base/errors.ts';
import { formatDuration } from '../base/quantity.ts';
import type { SourceText, Span } from '../base/source-text.ts';
import { type ErrorTopic, topicOf } from '../clickhouse/errors.ts';
import { rejectedValue, rejectionText } from './failure-words.ts';
import { type EngineAccess, refusalWords } from './refusal-words.ts';

/** A failure as an engine reports it; `code` is ClickHouse's number where it is known. */
interface EngineFailure extends EngineAccess {
  readonly message: string;
  readonly code?: number | undefined;
  readonly cause?: unknown;
  /** The SQL of the query, shown where ClickHouse names a place in it. */
  readonly sql?: string | undefined;
}

interface Meaning {
  readonly code: ErrorCode;
  readonly hint?: string;
}

/** Topics that are not listed have the code `engine`. */
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
  stale: { code: 'unreachable' },
};

/** Returns the QuernError for a failure; one that quern has no words for begins with `ClickHouse answered UNKNOWN_IDENTIFIER (47): …`. */
export function engineError(failure: EngineFailure): QuernError {
  const parsed = parseMessage(failure.message);
  const number = failure.code ?? parsed.code;
  const topic = topicOf(number);
  const meaning: Meaning = (topic && MEANINGS[topic]) ?? { code: 'engine' };
  const rejected = rejectedValue(number, parsed.text, failure.message);
  const cause = failure.cause ?? failure.message;
  if (rejected !== undefined)
    return new QuernError('data', `the query failed: ${rejectionText(rejected)}`, { engineCode: number, rejected, cause });
  if (topic === 'memory' && SHARED_MEMORY.test(parsed.text)) {
    const hint = 'other queries are using it; try again later, or give ClickHouse more';
    return new QuernError('busy', `ClickHouse has no memory left: ${parsed.text}`, { hint, engineCode: number, cause });
  }
  if (topic === 'network' || topic === 'shard') {
    const lost = lostShard(failure.message);
    if (lost !== undefined) return lost;
  }
  const notes = meaning.code === 'data' ? [] : notesOfShard(failure.message);
  const refusal = refusalWords(topic, parsed.text, failure);
  if (refusal !== undefined) return new QuernError(meaning.code, refusal.message, { hint: refusal.hint, engineCode: number, notes, cause });
  const label = labelOf(number, parsed.name);
  const own = limitWords(topic, parsed.text);
  return new QuernError(meaning.code, own ?? `ClickHouse answered ${label}: ${parsed.text}`, {
    hint: meaning.hint,
    engineCode: number,
    engineWords: own === undefined ? label : undefined,
    notes: [...(parsed.suggestion === undefined ? [] : [`ClickHouse suggests ${parsed.suggestion}`]), ...notes],
    ...placeIn(failure.sql, failure.message),
    cause,
  });
}

function labelOf(number: number | undefined, name: string | undefined): string {
  if (number === undefined) return 'an error';
  return name === undefined ? `error ${number}` : `${name} (${number})`;
}

/** A query that the server has understood, and a shard has not: it lacks a table, a column or a function. */
function notesOfShard(message: string): readonly string[] {
  const shard = /Received from (\S+:\d+)|There is no table .* on server: (\S+:\d+)/.exec(message);
  if (shard === null) return [];
  return [
    `the server ${shard[1] ?? shard[2]} of the cluster says so: \`quern doctor\` compares its version and tables with those of the others`,
  ];
}

/** The limit of the server or of the user was reached, not that of this query. */
const SHARED_MEMORY = /^(?:\(total\)|Total|User) memory limit|^Memory limit \((?:total|for user)\)/;

const ADDRESS = /(?:\((?:peer: )?|packet from )((?:[\w.-]+|\[[\da-f:]+\]):\d+)/g;

/** Returns undefined when the message names no server. */
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

/** Finds the place that the message names; ClickHouse counts bytes, from 1. */
function placeIn(sql: string | undefined, message: string): { readonly source: SourceText; readonly span: Span } | undefined {
  const position = Number(/failed at position (\d+)/.exec(message)?.[1]);
  if (sql === undefined) return undefined;
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

/** The engine begins here to explain itself in terms of its own plan. */
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
      .split('\n', 1)
      .join()
      .trim()
      .replace(/[.:,]$/, '') || 'no message';
  return {
    code: code === undefined ? undefined : Number(code),
    name,
    text: text.length > 500 ? `${text.slice(0, 500)}…` : text,
    suggestion,
  };
}

/** Reads texts of ClickHouse 26.7; returns undefined where another version says it otherwise, or the topic is no limit. */
function limitWords(topic: ErrorTopic | undefined, text: string): string | undefined {
  switch (topic) {
    case 'time':
      return `the query took longer than ${timeOf(text) ?? 'allowed'}`;
    case 'memory':
      return `the query needs more memory than ${maximumOf(text) ?? 'allowed'}`;
    case 'scan': {
      const most = /max rows: ([\d.]+)( \w+)?, /.exec(text);
      return text.includes("'max_rows_to_read'") && most !== null
        ? `the query reads more rows than ${countOf(most[1], most[2])}`
        : undefined;
    }
    case 'result': {
      const most = /max (rows|bytes): ([\d.]+)( \w+)?,/.exec(text);
      if (most === null) return undefined;
      return most[1] === 'rows'
        ? `the result has more rows than ${countOf(most[2], most[3])}`
        : `the result is larger than ${most[2]}${most[3] ?? ''}`;
    }
    case 'size':
      return 'the query is too large for ClickHouse';
    case 'stopped':
      return 'the query was stopped in ClickHouse';
    default:
      return undefined;
  }
}

function timeOf(text: string): string | undefined {
  const ms = Number(/maximum: ([\d.]+) ms/.exec(text)?.[1]);
  const seconds = Number(/maximum: ([\d.]+) s/.exec(text)?.[1]);
  if (ms > 0) return ms % 1000 === 0 ? formatDuration(ms / 1000) : `${ms} ms`;
  return seconds > 0 ? formatDuration(seconds) : undefined;
}

/** Returns `20 MB` for `19.07 MiB`: the limit in the unit in which it was most likely set, as ClickHouse reports two decimals. */
function maximumOf(text: string): string | undefined {
  const [, digits, unit = ''] = /maximum: ([\d.]+) ([KMGT]?i?B)/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits);
  const one = 1024 ** 'BKMGT'.indexOf(unit[0] ?? 'B');
  if (Number.isInteger(value)) return `${value} ${unit}`;
  const round = DECIMAL.find(([, size]) => Math.abs(Math.round((value * one) / size) * size - value * one) <= one / 200);
  return round === undefined ? `${digits} ${unit}` : `${Math.round((value * one) / round[1])} ${round[0]}`;
}

const DECIMAL = [
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
] as const;

/** Reads `10.00` and `1.00 thousand`, as ClickHouse writes numbers for people. */
const countOf = (digits = '', unit = ''): string => `${digits.replace(/\.?0+$/, '')}${unit}`;
