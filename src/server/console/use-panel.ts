// The runs of a panel of a board: one when the board is opened, and again when its range changes or somebody wants it.
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ConsoleEndpoint } from './contract.ts';
import type { Result } from './outcome.tsx';
import { usePage } from './page.ts';
import type { Failure, Question } from './server.ts';
import { answerTo } from './use-run.ts';

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
      const given = await answerTo({ subject: endpoint, server, question, isFresh: false, signal: stop.signal });
      if (stop.signal.aborted) return;
      if ('failure' in given && given.failure.status === 401) onNoKey(given.failure);
      else setState({ isRunning: false, ...given });
    };
    setState((last) => ({ ...last, isRunning: true }));
    void run();
    return () => stop.abort();
  }, [key]);
  return state;
}
