// What stands between a form and its rows: how many there are and where from; or how the run failed, that it was cancelled, why there are none.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visible } from '../../output/visible.ts';
import { announce } from './announce.ts';
import { Button } from './button.tsx';
import type { ConsoleEmpty, ConsoleParameter } from './contract.ts';
import { FailureBox } from './failure-box.tsx';
import type { Rows } from './rows.ts';
import type { Failure, Reply } from './server.ts';

export type TroubleKind =
  | { readonly kind: 'failure'; readonly failure: Failure; readonly mayRetry: boolean }
  | { readonly kind: 'cancelled' }
  | ({ readonly kind: 'empty' } & ConsoleEmpty);

interface TroubleProps {
  /** Whose problems are shown by their fields. */
  readonly parameters: readonly Pick<ConsoleParameter, 'name'>[];
  readonly trouble: TroubleKind | undefined;
  readonly onRetry: () => void;
  /** Runs the query as of another instant. */
  readonly onInstant: (asOf: string) => void;
}

export function Trouble({ parameters, trouble, onRetry, onInstant }: TroubleProps) {
  const isElsewhere = (problem: { readonly name: string }) => !parameters.some(({ name }) => name === problem.name);
  return (
    <div class="trouble">
      {trouble?.kind === 'failure' && (
        <FailureBox
          failure={{ ...trouble.failure, problems: trouble.failure.problems?.filter(isElsewhere) }}
          onRetry={trouble.mayRetry ? onRetry : undefined}
        />
      )}
      {trouble?.kind === 'cancelled' && <p class="note">Cancelled: the server was told to stop.</p>}
      {trouble?.kind === 'empty' && trouble.reason !== undefined && <EmptyNote {...trouble} onInstant={onInstant} />}
    </div>
  );
}

function EmptyNote({ reason = '', asOf, onInstant }: ConsoleEmpty & Pick<TroubleProps, 'onInstant'>) {
  return (
    <div class="empty-note" role="status">
      <p>No rows: {visible(reason)}.</p>
      {asOf !== undefined && <Button onClick={() => onInstant(asOf)}>Run as of {asOf}</Button>}
    </div>
  );
}

export interface Result {
  readonly rows: Rows;
  readonly reply: Reply;
}

export function Summary({ result }: { readonly result: Result | undefined }) {
  const line = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => announce([...(line.current?.children ?? [])].map((part) => part.textContent).join(', ')), [result]);
  return (
    <p class="summary" ref={line}>
      {result && <Words {...result} />}
    </p>
  );
}

function Words({ rows: { rows, truncated }, reply }: Result) {
  const engine = reply.engineMs === undefined ? '' : `, ${duration(reply.engineMs)} in the engine`;
  return (
    <>
      <strong>{rows.length === 1 ? '1 row' : `${rows.length.toLocaleString('en')} rows`}</strong>
      {(truncated || reply.truncated) && <span class="tag warn">cut off by the row limit</span>}
      {reply.missingParts > 0 && <span class="tag warn">parts of the data did not answer</span>}
      <span class={`tag ${reply.cache}`}>{cacheWords(reply)}</span>
      <span class="soft">{`${duration(reply.totalMs)}${engine}`}</span>
    </>
  );
}

function cacheWords({ cache, cached, ageSeconds }: Reply): string {
  if (cache === 'hit') return `from the cache, ${age(ageSeconds)} old`;
  if (cache === 'revalidated') return 'from the cache, and a new run would give the same';
  if (cache === 'stale') return `stale: from the cache, ${age(ageSeconds)} old`;
  return cached ? 'fresh from the engine, now in the cache' : 'fresh from the engine, not cached';
}

function age(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

const duration = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
