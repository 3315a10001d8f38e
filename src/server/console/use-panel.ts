// The runs of a panel of a board: one when the board is opened, and again when its range changes or somebody wants it.
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ConsoleEndpoint } from './contract.ts';
import type { Result } from './outcome.tsx';
import { usePage } from './page.ts';
import { readRows } from './rows.ts';
import type { Failure, Question } from './server.ts';

interface PanelState {
  readonly isRunning: boolean;
  readonly result?: Result | undefined;
  readonly failure?: Failure | undefined;
}

/** `turn` counts how often the rows were wanted again; the rows of before stay until others come. */
export function usePanel(endpoint: ConsoleEndpoint, question: Question, turn: number): PanelState {
  const { server, onNoKey } = usePage();
  const [state, setState] = useState<PanelState>({ isRunning: true });
  const key = JSON.stringify([question.values, turn]);
  useLayoutEffect(() => {
    const stop = new AbortController();
    const run = async () => {
      const given = await server.ask({ ...question, signal: stop.signal });
      if (stop.signal.aborted) return;
      if ('got' in given) {
        const result = { rows: readRows(given.got.text, endpoint.columns), reply: given.got };
        setState({ isRunning: false, result });
      } else if (given.failure.status === 401) onNoKey(given.failure);
      else setState({ isRunning: false, failure: given.failure });
    };
    setState((last) => ({ ...last, isRunning: true }));
    run().catch((error: unknown) => {
      if (!stop.signal.aborted) setState({ isRunning: false, failure: unreadable(error) });
    });
    return () => stop.abort();
  }, [key]);
  return state;
}

const unreadable = (error: unknown): Failure => ({
  status: 0,
  code: 'reply',
  message: `the reply cannot be read: ${error instanceof Error ? error.message : String(error)}`,
});
