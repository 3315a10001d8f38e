// What the app says: rows on standard output or in a file, notes and errors on standard error.
import { resolve } from 'node:path';
import type { Settings } from '../config/load.ts';
import type { Io, Output } from '../io.ts';
import { printResult } from '../output/print.ts';
import { visible } from '../output/visible.ts';
import type { GlobalFlags } from './flags.ts';
import type { App } from './interface.ts';

export interface SpeechOptions {
  readonly io: Io;
  readonly flags: () => GlobalFlags;
  settings(): Promise<Settings>;
}

export function createSpeech({
  io,
  flags,
  settings,
}: SpeechOptions): Pick<App, 'print' | 'note' | 'warn' | 'progressTerminal' | 'showError'> {
  const line = (text: string) => io.stderr.write(`${visible(text)}\n`);
  const note = async (text: string) => (flags().quiet === true ? undefined : line(text));
  const colour = (output: Output) => output.isTerminal && flags().color !== false && (io.env['NO_COLOR'] ?? '') === '';
  return {
    note,
    warn: line,
    progressTerminal: () => (flags().quiet === true ? undefined : io.stderr.terminal),
    async print(result, options = {}) {
      const { values } = await settings();
      await printResult(result, {
        format: options.format ?? (options.output === undefined ? values.format : undefined),
        file: options.output === undefined ? undefined : resolve(io.cwd, options.output),
        output: io.stdout,
        colour: colour(io.stdout) && !values.no_color,
        pageWidth: options.pageWidth,
        whole: options.whole,
        mostBlocks: options.mostBlocks,
        onNote: (text) => note(`note: ${text}`),
      });
    },
    async showError(error) {
      if (flags().jsonErrors === true) {
        const { errorBody } = await import('../output/error-body.ts');
        await io.stderr.write(`${JSON.stringify(errorBody(error))}\n`);
        return;
      }
      const { renderError } = await import('../output/error.ts');
      const verbose = flags().verbose === true || error.code === 'internal';
      await io.stderr.write(renderError(error, { colour: colour(io.stderr), verbose }));
    },
  };
}
