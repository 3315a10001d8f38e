// What the app says: rows on standard output or in a file, notes and errors on standard error.
import { resolve } from 'node:path';
import type { Settings } from '../config/load.ts';
import type { Io, Output } from '../io.ts';
import type { PagedOutput } from '../output/pager.ts';
import { printResult } from '../output/print.ts';
import { visible } from '../output/visible.ts';
import type { GlobalFlags } from './flags.ts';
import type { App } from './interface.ts';

interface SpeechOptions {
  readonly io: Io;
  readonly flags: () => GlobalFlags;
  settings(): Promise<Settings>;
}

export function createSpeech({
  io,
  flags,
  settings,
}: SpeechOptions): Pick<App, 'print' | 'note' | 'warn' | 'progressTerminal' | 'colours' | 'asciiOnly' | 'showError'> {
  const line = (text: string) => io.stderr.write(`${visible(text)}\n`);
  const note = async (text: string) => (flags().quiet === true ? undefined : line(text));
  const colour = (output: Output) => output.isTerminal && flags().color !== false && (io.env['NO_COLOR'] ?? '') === '';
  return {
    note,
    warn: line,
    colours: async () => colour(io.stdout) && !(await settings()).values.no_color,
    asciiOnly: () => asciiOnly(io.env),
    progressTerminal: () => (flags().quiet === true ? undefined : io.stderr.terminal),
    async print(result, options = {}) {
      const { values } = await settings();
      const output = options.pager === true ? await pagerFor(io) : undefined;
      await printResult(result, {
        format: options.format ?? (options.output === undefined ? values.format : undefined),
        file: options.output === undefined ? undefined : resolve(io.cwd, options.output),
        output: output ?? io.stdout,
        colour: colour(io.stdout) && !values.no_color,
        pageWidth: options.pageWidth,
        whole: options.whole,
        mostBlocks: options.mostBlocks,
        chart: options.chart,
        sparklines: options.sparklines,
        ascii: asciiOnly(io.env),
        formulas: values.csv_formulas,
        onNote: (text) => note(`note: ${text}`),
      });
      await output?.end();
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

/** The first of the variables that is set names the character set; where none is, UTF-8 is taken for granted. */
function asciiOnly(env: Io['env']): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((text) => text !== undefined && text !== '');
  return locale !== undefined && !/utf-?8/i.test(locale);
}

/** undefined where there is no terminal, or no pager of the user's. */
async function pagerFor({ stdout, env }: Io): Promise<PagedOutput | undefined> {
  const command = env['QUERN_PAGER'] ?? env['PAGER'] ?? '';
  if (stdout.terminal === undefined || command === '' || command === 'cat') return undefined;
  const { openPager } = await import('../output/pager.ts');
  return openPager(stdout, { command, rows: stdout.terminal.rows, env });
}
