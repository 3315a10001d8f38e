// The interface of reporters, which turn checks into text.
import type { QuernError } from '../../base/errors.ts';
import type { CheckReport } from '../check-all.ts';
import type { CheckOutcome } from '../outcome.ts';

export interface ReporterOptions {
  /** Columns of the terminal; undefined when there is none. */
  readonly width: number | undefined;
  readonly colour: boolean;
  /** The number of failing rows that are shown for an assertion. */
  readonly rows: number;
  /** Folder that the command runs in. */
  readonly cwd: string;
  /** Top folder of the repository, from which continuous integration knows files; where there is none, `cwd`. */
  readonly root: string;
  /** Warnings are failures. */
  readonly failOnWarn: boolean;
}

export interface Reporter {
  /** Returns the text about one check as soon as it is done. */
  readonly check?: (outcome: CheckOutcome) => string;
  /** Returns the text about an error for which nothing has run. */
  readonly error?: (error: QuernError) => string;
  /** Returns the text at the end. */
  readonly end: (report: CheckReport) => string;
}

export type MakeReporter = (options: ReporterOptions) => Reporter;
