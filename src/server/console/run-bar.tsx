// The button that runs, and while it does the one that stops, with the time it has taken.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface RunBarProps {
  /** When the run that is under way began, by `performance.now()`. */
  readonly since: number | undefined;
  readonly onCancel: () => void;
}

export function RunBar({ since, onCancel }: RunBarProps) {
  const [elapsed, setElapsed] = useState('');
  const run = useRef<HTMLButtonElement>(null);
  const stop = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    setElapsed('');
    if (since === undefined) {
      // Focus on a button that goes away would be lost.
      if (document.activeElement === stop.current) run.current?.focus();
      return;
    }
    const tick = () => {
      const seconds = Math.floor((performance.now() - since) / 1000);
      setElapsed(seconds === 0 ? 'running…' : `running for ${seconds} s`);
    };
    const ticking = setInterval(tick, 250);
    return () => clearInterval(ticking);
  }, [since]);
  return (
    <div class="run-bar" aria-busy={since !== undefined || undefined}>
      <button type="submit" class="primary" ref={run}>
        Run
      </button>
      <button type="button" ref={stop} hidden={since === undefined} onClick={onCancel}>
        Cancel
      </button>
      <span class="soft elapsed">{elapsed}</span>
    </div>
  );
}
