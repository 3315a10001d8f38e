// The runs of a query: the one under way, and what came of the last.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../base/errors.ts';
import { type Address, readAddress, writeAddress } from './address.ts';
import { announce } from './announce.ts';
import type { Result, TroubleKind } from './outcome.tsx';
import { usePage } from './page.ts';
import { rememberRun, SQL_RUN } from './recent.ts';
import { readRows } from './rows.ts';
import type { Failure, Question, Server } from './server.ts';
import { questionOf, type Subject } from './subject.ts';

interface RunState {
  /** When the run that is under way began, by `performance.now()`. */
  readonly since?: number;
  /** What was run last. */
  readonly question?: Question;
  /** Equal for addresses that ask the same as the result's. */
  readonly key?: string;
  readonly result?: Result;
  readonly trouble?: TroubleKind;
  /** A run has succeeded, so that another is worth an offer. */
  readonly offersAnother: boolean;
}

export interface Run extends RunState {
  /** Runs the query again; `isFresh` past the cache. */
  readonly again: (isFresh: boolean) => void;
  readonly cancel: () => void;
  readonly report: (failure: Failure) => void;
}

const NOT_RUN: RunState = { offersAnother: false };

/** Runs the subject as the address says, when that says something else or is asked for again. */
export function useRun(subject: Subject): Run {
  const { info, server, visit, onNoKey } = usePage();
  const { address, requests } = visit;
  const [state, setState] = useState(NOT_RUN);
  const current = useRef<AbortController | undefined>(undefined);
  const key = address.run ? keyOf(address) : undefined;

  const run = async (isFresh: boolean) => {
    current.current?.abort();
    const own = new AbortController();
    current.current = own;
    const question = questionOf(subject, address);
    setState((last) => ({ ...last, question, since: performance.now() }));
    const given = await answerTo({ subject, server, question, isFresh, signal: own.signal });
    if (current.current !== own) return;
    if (own.signal.aborted) announce('cancelled');
    else if ('result' in given) rememberRun({ endpoint: subject.name ?? SQL_RUN, hash: writeAddress(readAddress(location.hash)) });
    else if (given.failure.status === 401) onNoKey(given.failure);
    setState((last) => {
      const ended = { ...last, since: undefined, question };
      if (own.signal.aborted) return { ...ended, trouble: { kind: 'cancelled' } };
      if ('result' in given) return { ...ended, result: given.result, key, trouble: undefined, offersAnother: true };
      return { ...ended, result: last.key === key ? last.result : undefined, trouble: troubleOf(given.failure) };
    });
    if (own.signal.aborted || !('result' in given) || given.result.rows.rows.length > 0) return;
    if (!info.oversees || question.sql !== undefined) return;
    const why = await server.whyEmpty({ endpoint: subject.name ?? '', values: question.values });
    if (current.current === own) setState((last) => ({ ...last, trouble: { kind: 'empty', ...why } }));
  };

  useLayoutEffect(() => {
    if (key === undefined) setState(NOT_RUN);
    else void run(false);
    return () => {
      const own = current.current;
      current.current = undefined;
      own?.abort();
    };
  }, [key, requests]);

  useLayoutEffect(() => {
    if (address.live === undefined || key === undefined || state.since !== undefined) return undefined;
    // A page that nobody looks at asks nothing.
    const timer = setInterval(() => document.hidden || void run(false), address.live * 1000);
    return () => clearInterval(timer);
  }, [address.live, key, state.since]);

  return {
    ...state,
    again: (isFresh) => void run(isFresh),
    cancel: () => current.current?.abort(),
    report: (failure) => setState((last) => ({ ...last, trouble: { kind: 'failure', failure, mayRetry: false } })),
  };
}

const keyOf = ({ values, sql, types, rows }: Address): string => JSON.stringify([sorted(values), sql ?? '', sorted(types), rows]);

const sorted = (values: object) => Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));

interface AnswerOptions {
  readonly subject: Subject;
  readonly server: Server;
  readonly question: Question;
  readonly isFresh: boolean;
  readonly signal: AbortSignal;
}

type Answer = { readonly result: Result } | { readonly failure: Failure };

/** Returns what came of a question; rejects only once its signal has aborted. */
export async function answerTo(options: AnswerOptions): Promise<Answer> {
  const { server, question, isFresh, signal } = options;
  try {
    const [given, columns] = await Promise.all([server.ask({ ...question, fresh: isFresh, signal }), columnsOf(options)]);
    return 'failure' in given ? given : { result: { rows: readRows(given.got.text, columns), reply: given.got } };
  } catch (error) {
    const reason = messageOf(error);
    return { failure: { status: 0, code: 'reply', message: `the reply cannot be read: ${reason}` } };
  }
}

async function columnsOf({ subject, server, question, signal }: AnswerOptions): Promise<Subject['columns']> {
  const { endpoint, sql, parameters } = question;
  if (sql === undefined) return subject.columns;
  const given = await server.sql({ endpoint, sql, parameters }, signal);
  return 'got' in given ? given.got.columns : undefined;
}

/** What the caller must change stays wrong however often it is asked. */
function troubleOf(failure: Failure): TroubleKind {
  const mayRetry = failure.status === 0 || failure.status >= 429 || failure.code === 'query';
  return { kind: 'failure', failure, mayRetry };
}
