// Whether it pays to keep what the rows of a query are made of: told by what its runs took. It decides which way a run takes, and nothing about its rows.
import type { Worth } from '../../cache/kept-buckets.ts';

/** Of the fastest whole run, what a run with kept rows may take. Of a cluster, all replicas are asked, which its time does not show. */
export const CLEARLY_FASTER = { oneServer: 0.8, cluster: 0.5 };

/** Runs on one way before the other is tried: at first, and at most. */
const SPELL = { first: 4, most: 32 };

/** One slow run may have been chance. */
const SLOW_RUNS = 2;

/** Before anything is known. */
export const UNTRIED: Worth = { wholeMs: [], slow: 0, paused: false, spell: SPELL.first, left: SPELL.first };

/** Whether the next run is one of the whole: what is kept rests, or it is time to measure what it saves. */
export const isWholeNext = ({ paused, left }: Worth): boolean => (paused ? left > 0 : left === 0);

/** After a run of the whole. */
export function afterWhole(worth: Worth, ms: number): Worth {
  const { paused, left } = worth;
  // Noise only adds: of the last two, the faster counts.
  const measured = { ...worth, wholeMs: [ms, ...worth.wholeMs.slice(0, 1)] };
  if (paused) return { ...measured, left: Math.max(0, left - 1) };
  return left === 0 ? { ...measured, ...longer(worth) } : measured;
}

/** After a run that could use what was kept, with all that was asked beside it; or could not, and `why`. */
export function afterKept({ why: _, ...worth }: Worth, ms: number, clearlyFaster: number, why?: string): Worth {
  const { wholeMs, paused, left, slow } = worth;
  if (ms < clearlyFaster * Math.min(...wholeMs)) {
    return paused ? { ...UNTRIED, wholeMs } : { ...worth, slow: 0, left: Math.max(0, left - 1) };
  }
  if (slow + 1 < SLOW_RUNS) return { ...worth, slow: slow + 1 };
  const next = paused ? longer(worth) : { spell: SPELL.first, left: SPELL.first };
  return { ...worth, ...next, paused: true, slow: 0, why };
}

/** What was tried has changed nothing: it is tried less often. */
function longer({ spell }: Worth): Pick<Worth, 'spell' | 'left'> {
  const next = Math.min(spell * 2, SPELL.most);
  return { spell: next, left: next };
}

/** Why a run that could have used what is kept is one of the whole. */
export function whyWhole({ paused, left, why = 'reading everything takes about as long' }: Worth): string {
  if (!paused) return 'a run that reads everything shows from time to time what they save';
  return `${why}; ${left === 1 ? 'the next run tries again' : `tried again after ${left - 1} more ${left === 2 ? 'run' : 'runs'}`}`;
}
