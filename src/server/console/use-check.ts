// What the server finds wrong with a text, as one types: it translates the text and runs nothing.
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ConsoleParameter, ConsoleWarning } from './contract.ts';
import type { Mark } from './editor.tsx';
import { usePage } from './page.ts';
import type { Failure } from './server.ts';

/** Between letters. */
const PAUSE_MS = 350;

/** What is wrong with a text, and where. */
export interface Finding extends ConsoleWarning {
  readonly severity: 'error' | 'warning' | 'note';
}

interface Check {
  readonly findings: readonly Finding[];
  readonly marks: readonly Mark[];
}

const NOTHING: Check = { findings: [], marks: [] };

export function useCheck(sql: string, parameters: readonly ConsoleParameter[]): Check {
  const { server } = usePage();
  const [check, setCheck] = useState(NOTHING);
  useLayoutEffect(() => {
    if (sql.trim() === '') {
      setCheck(NOTHING);
      return undefined;
    }
    const stop = new AbortController();
    const look = async () => {
      const given = await server.sql({ sql, parameters }, stop.signal);
      if (!stop.signal.aborted) setCheck('failure' in given ? checkOf(sql, given.failure) : checkWith(given.got.warnings ?? []));
    };
    const waiting = setTimeout(() => void look().catch(() => undefined), PAUSE_MS);
    return () => {
      clearTimeout(waiting);
      stop.abort();
    };
  }, [sql, parameters]);
  return check;
}

const checkWith = (warnings: readonly ConsoleWarning[]): Check => ({
  findings: warnings.map((one) => ({ severity: 'warning', ...one })),
  marks: warnings.map(({ span, message }) => ({ ...span, kind: 'warning', text: message })),
});

/** Returns what a failure says of the text; one without a place, such as that of a server that is busy, says nothing. */
export function checkOf(sql: string, failure: Failure | undefined): Check {
  if (failure?.position === undefined) return NOTHING;
  const { message, hint, position } = failure;
  const { line, column } = position;
  const begin = sql.split('\n', line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  const start = Math.min(sql.length, begin + column - 1);
  const end = start + Math.max(1, /^(?:`[^`\n]*`|@?\w+)/.exec(sql.slice(start))?.[0].length ?? 1);
  const finding: Finding = { severity: 'error', message, hint, line, column, span: { start, end } };
  return { findings: [finding], marks: [{ start, end, kind: 'error', text: message }] };
}
