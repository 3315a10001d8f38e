// The history of runs: a line for each in a file next to the cache, which processes append to, and which never grows beyond its bound.
import { appendFileSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { takeLock } from '../files/lock-file.ts';
import { makeFolder } from '../files/make-folder.ts';
import type { State } from './outcome.ts';

interface PastAssertion {
  readonly name: string;
  readonly state: State;
  /** The number of rows that broke it. */
  readonly failing?: number;
  /** The value that the next run is compared with. */
  readonly value?: number;
}

interface PastCheck {
  readonly query: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly rows?: number;
  readonly assertions: readonly PastAssertion[];
}

export interface PastRun {
  /** When it began, `2026-01-15T12:00:00.000Z`. */
  readonly at: string;
  /** Folder of the project. */
  readonly project: string;
  /** The store, or the server. */
  readonly place: string;
  readonly checks: readonly PastCheck[];
}

/** The file is begun anew then, and the one before it kept. */
const MAX_BYTES = 4 * 2 ** 20;
const NAME = 'checks';

export type History = ReturnType<typeof openHistory>;

/** In `folder`. What cannot be read or written is as if it were not there: it costs the history and never a check. */
export function openHistory(folder: string, onTrouble: (why: string) => void, maxBytes = MAX_BYTES) {
  const [file, older] = [join(folder, `${NAME}.ndjson`), join(folder, `${NAME}.1.ndjson`)];
  return {
    append(run: PastRun) {
      const line = `${JSON.stringify(run)}\n`;
      try {
        makeFolder(folder, 0o700);
        if (sizeOf(file) + Buffer.byteLength(line) > maxBytes) turnOver(file, older, maxBytes);
        // One write at the end of the file: lines of several processes do not mix.
        appendFileSync(file, line, { mode: 0o600 });
      } catch (cause) {
        onTrouble((cause as NodeJS.ErrnoException).code ?? String(cause)); // the file system throws these
      }
    },
    /** Returns the runs of a project, the oldest first. */
    runsOf: (project: string) => [older, file].flatMap(linesOf).flatMap((line) => runIn(line, project) ?? []),
  };
}

/** Whoever finds the lock taken appends to what is there. */
function turnOver(file: string, older: string, maxBytes: number): void {
  const release = takeLock(`${file}.lock`);
  if (release === undefined) return;
  try {
    if (sizeOf(file) > maxBytes / 2) renameSync(file, older);
  } finally {
    release();
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Undefined for a run of another project, and for a line that was cut or that another version of quern wrote. */
function runIn(line: string, project: string): PastRun | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const run: Partial<PastRun> = JSON.parse(line);
    const whole = typeof run.at === 'string' && typeof run.place === 'string' && Array.isArray(run.checks);
    return whole && run.project === project ? (run as PastRun) : undefined; // as append wrote it
  } catch {
    return undefined;
  }
}
