// The progress bar of `quern load`: on a terminal only, on standard error.
import { formatNumber } from '../../../base/quantity.ts';
import type { Terminal } from '../../terminal.ts';

interface Progress {
  readonly bytesRead: number;
  readonly totalBytes: number | undefined;
  readonly rows: number;
  readonly badLines: number;
}

interface ProgressBar {
  update(progress: Progress): void;
  /** Removes the bar; may be called twice. */
  stop(): void;
}

const silent: ProgressBar = { update: () => undefined, stop: () => undefined };

export async function progressBar(terminal: Terminal, name: string): Promise<ProgressBar> {
  const stream = terminal.progressTerminal();
  if (stream === undefined) return silent;
  const { default: progress } = await import('cli-progress');
  const bar = new progress.SingleBar({
    stream,
    format: '{name} {bar} {percentage}% | {rows} events{bad}',
    ...(terminal.asciiOnly() ? { barCompleteChar: '#', barIncompleteChar: '.' } : { barCompleteChar: '█', barIncompleteChar: '░' }),
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    // The command itself handles Ctrl-C.
    gracefulExit: false,
  });
  let started = false;
  return {
    update({ bytesRead, totalBytes, rows, badLines }) {
      const payload = { name, rows: formatNumber(rows), bad: badLines === 0 ? '' : `, ${badLines} bad lines` };
      // A stream has no known size: its bar follows the bytes that were read.
      const total = totalBytes ?? bytesRead;
      if (!started) bar.start(total, bytesRead, payload);
      else {
        bar.setTotal(total);
        bar.update(bytesRead, payload);
      }
      started = true;
    },
    stop() {
      if (started) bar.stop();
      started = false;
    },
  };
}
