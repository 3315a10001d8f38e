// How long a thread has been at work, as Linux tells it: on a busy machine the clock says more of others than of the thread.
import { readFileSync, readlinkSync } from 'node:fs';

/** The calling thread, as others may ask for it; undefined on systems without such names. */
export function ownThread(): string | undefined {
  try {
    return readlinkSync('/proc/thread-self');
  } catch {
    return undefined;
  }
}

/** Of a tick, in which Linux counts for programs. */
const TICK_MS = 10;

/** Milliseconds of processor time of the thread so far; undefined where nobody tells. */
export function processorMs(thread: string | undefined): number | undefined {
  if (thread === undefined) return undefined;
  try {
    const text = readFileSync(`/proc/${thread}/stat`, 'latin1');
    // Behind the name, which may hold anything: the state is the third field, the times are the fourteenth and the fifteenth.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}
