// What a reporter is: checks in, text out.
import type { QuernError } from '../../base/errors.ts';
import type { CheckReport } from '../check-all.ts';
import type { CheckOutcome } from '../outcome.ts';

export interface ReporterOptions {
  /** Columns of the terminal; undefined when there is none. */
  readonly width: number | undefined;
  readonly colour: boolean;
  /** How many failing rows are shown of an assertion. */
  readonly rows: number;
  /** Folder that the command runs in. */
  readonly cwd: string;
  /** Top folder of the repository, from which continuous integration knows files; where there is none, `cwd`. */
  readonly root: string;
  /** Warnings are failures. */
  readonly failOnWarn: boolean;
}

export interface Reporter {
  /** What there is to say of one check as soon as it is done. */
  readonly check?: (outcome: CheckOutcome) => string;
  /** What there is to say of an error for which nothing has run. */
  readonly error?: (error: QuernError) => string;
  /** What there is to say in the end. */
  readonly end: (report: CheckReport) => string;
}

export type MakeReporter = (options: ReporterOptions) => Reporter;
