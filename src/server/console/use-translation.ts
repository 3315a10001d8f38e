// The translation of what the playground holds, which follows it as one types; and the page's address, which follows it as well.

import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { messageOf } from '../../base/errors.ts';
import type { Translation } from '../../translate.ts';
import type { Mark } from './editor.tsx';
import { readWorkspace, type Workspace, writeWorkspace } from './playground-address.ts';
import { type Looked, look } from './playground-translator.ts';

/** Between letters. */
const PAUSE_MS = 120;

interface Found {
  /** What came of the last look; undefined before there was one. */
  readonly looked?: Looked;
  /** The last translation that there was. */
  readonly translation?: Translation;
  /** There is no query. */
  readonly isBlank: boolean;
  /** Why the translator could not be loaded. */
  readonly fault?: string;
}

export interface Looking extends Found {
  /** In a few words. */
  readonly state: string;
  /** Undefined where nothing can be said. */
  readonly isWrong: boolean | undefined;
  readonly marks: readonly Mark[];
  readonly tableMarks: readonly Mark[];
}

interface TranslationOptions {
  /** It is what the page began with, which is translated at once, and leaves the address as it is. */
  readonly isFirst: boolean;
  /** The reader has gone to an address with another text. */
  readonly onAddress: (workspace: Workspace) => void;
}

export function useTranslation(workspace: Workspace, { isFirst, onAddress }: TranslationOptions): Looking {
  const [found, setFound] = useState<Found>({ isBlank: false });
  useLayoutEffect(() => {
    let isCurrent = true;
    const refresh = async () => {
      if (!isFirst) history.replaceState(null, '', writeWorkspace(workspace));
      try {
        const looked = await look(workspace);
        const isBlank = workspace.sql.trim() === '';
        if (isCurrent)
          setFound((last) => ({ looked, isBlank, translation: isBlank ? undefined : (looked.translation ?? last.translation) }));
      } catch (error) {
        if (isCurrent) setFound((last) => ({ ...last, fault: messageOf(error) }));
      }
    };
    const waiting = setTimeout(() => void refresh(), isFirst ? 0 : PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(waiting);
    };
  }, [workspace]);
  useLayoutEffect(() => {
    const follow = () => {
      const next = readWorkspace(location.hash);
      if (next !== undefined && writeWorkspace(next) !== writeWorkspace(workspace)) onAddress(next);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [workspace]);
  const { looked } = found;
  const marks = useMemo(
    () =>
      looked?.findings.map(
        ({ span, severity, message, hint }): Mark => ({ ...span, kind: severity, text: [message, hint].filter(Boolean).join('\n') }),
      ) ?? [],
    [looked],
  );
  const tableMarks = useMemo(() => {
    const error = looked?.tableError;
    return error === undefined ? [] : [{ ...error.span, kind: 'error' as const, text: error.message }];
  }, [looked]);
  return { ...found, ...stateOf(found), marks, tableMarks };
}

function stateOf({ looked, isBlank, fault }: Found): Pick<Looking, 'state' | 'isWrong'> {
  if (fault !== undefined) return { state: `The translator could not be loaded: ${fault}`, isWrong: true };
  if (looked === undefined) return { state: 'Loading the translator…', isWrong: undefined };
  if (isBlank) return { state: 'Write a query on the left', isWrong: undefined };
  if (looked.translation === undefined) return { state: 'Not translated', isWrong: true };
  const { milliseconds, findings, tableError } = looked;
  const isWrong = tableError !== undefined || findings.some(({ severity }) => severity === 'error');
  return { state: `Translated in ${milliseconds < 0.95 ? '< 1' : milliseconds.toFixed(0)} ms`, isWrong };
}
