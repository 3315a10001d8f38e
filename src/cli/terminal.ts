// Prints the output of the command line: rows to standard output or a file, notes and errors to standard error.
import { resolve } from 'node:path';
import type { QuernError } from '../base/errors.ts';
import type { Io, Output } from '../base/io.ts';
import type { QueryResult } from '../base/result.ts';
import type { DrawOptions } from '../output/format.ts';
import type { PagedOutput } from '../output/pager.ts';
import { printResult } from '../output/print.ts';
import { visible } from '../output/visible.ts';
import type { Services } from '../services.ts';
import { asciiOnly, asciiOutput } from './ascii.ts';

interface PrintOptions extends DrawOptions {
  /** Text of `--format`. */
  readonly format?: string | undefined;
  /** File of `--output`. */
  readonly output?: string | undefined;
  /** The width of a drawing where no terminal has one; without it nothing is cut there. */
  readonly pageWidth?: number | undefined;
  /** Sends output that is longer than the terminal through the user's pager, if there is one. */
  readonly pager?: boolean | undefined;
}

export type Terminal = ReturnType<typeof createTerminal>;

export function createTerminal({ io, flags, settings }: Pick<Services, 'io' | 'flags' | 'settings'>) {
  const line = (text: string) => io.stderr.write(`${visible(text)}\n`);
  const note = async (text: string) => (flags().quiet === true ? undefined : line(text));
  const colour = (output: Output) =>
    output.isTerminal && flags().color !== false && (io.env['NO_COLOR'] ?? '') === '' && io.env['TERM'] !== 'dumb';
  return {
    /** Prints a line on standard error that `--quiet` leaves out. */
    note,
    /** Prints a line on standard error. */
    warn: line,
    /** Prints a faint line on standard error, on a terminal only. */
    async aside(text: string) {
      if (!io.stderr.isTerminal || flags().quiet === true) return;
      const { paint } = await import('../output/paint.ts');
      await io.stderr.write(`${paint(colour(io.stderr)).faint(visible(text))}\n`);
    },
    /** True if standard output is a terminal that shows colours. */
    colours: async () => colour(io.stdout) && !(await settings()).values.no_color,
    /** True if the user's terminal shows nothing beyond ASCII. */
    asciiOnly: () => asciiOnly(io.env),
    /** Returns the terminal that a progress bar may use. */
    progressTerminal: () => (flags().quiet === true ? undefined : io.stderr.terminal),
    /** Prints rows in the wanted format: by default a table on a terminal and NDJSON elsewhere. */
    async print(result: QueryResult, { format, output: file, pager, ...drawing }: PrintOptions = {}) {
      const { values } = await settings();
      const paged = pager === true ? await pagerFor(io) : undefined;
      await printResult(result, {
        ...drawing,
        format: format ?? (file === undefined ? values.format : undefined),
        file: file === undefined ? undefined : resolve(io.cwd, file),
        output: paged ?? io.stdout,
        colour: colour(io.stdout) && !values.no_color,
        ascii: asciiOnly(io.env),
        formulas: values.csv_formulas,
        onNote: (text) => note(`note: ${text}`),
      });
      await paged?.end();
    },
    async showError(error: QuernError) {
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

/** Returns undefined where there is no terminal, or no pager of the user's. */
async function pagerFor({ stdout, env }: Io): Promise<PagedOutput | undefined> {
  const command = env['QUERN_PAGER'] ?? env['PAGER'] ?? '';
  if (stdout.terminal === undefined || command === '' || command === 'cat') return undefined;
  const { openPager } = await import('../output/pager.ts');
  const paged = openPager(stdout, { command, rows: stdout.terminal.rows, env });
  return asciiOnly(env) ? asciiOutput(paged) : paged;
}
