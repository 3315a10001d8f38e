// What commands can ask of the app.
import type { Cache } from '../cache/cache.ts';
import type { CheckReport, CheckRequest } from '../checks/check-all.ts';
import type { Settings } from '../config/load.ts';
import type { Connection } from '../connection/connection.ts';
import type { Finding } from '../doctor/finding.ts';
import type { QuernError } from '../errors.ts';
import type { Plan } from '../execution/plan.ts';
import type { RunOutcome, RunRequest } from '../execution/run.ts';
import type { Io } from '../io.ts';
import type { ChartWishes } from '../output/format.ts';
import type { QueryResult, Row } from '../result.ts';
import type { CatalogListing, QueryCatalog } from '../saved-query/catalog.ts';
import type { SavedQuery } from '../saved-query/saved-query.ts';
import type { ListedSource } from '../sources/listing.ts';
import type { Manifest } from '../store/manifest.ts';
import type { Store } from '../store/store.ts';
import type { Authoring } from './authoring.ts';
import type { ExportOutcome, ExportRowsRequest } from './export.ts';

interface PrintOptions {
  /** Text of `--format`. */
  readonly format?: string | undefined;
  /** File of `--output`. */
  readonly output?: string | undefined;
  /** Columns of a drawing where no terminal says how wide it is; without it nothing is cut there. */
  readonly pageWidth?: number;
  /** Names of columns that a table does not cut, besides those of numbers and times. */
  readonly whole?: readonly string[];
  /** How many rows a table draws where each must be a block; all when absent. */
  readonly mostBlocks?: number;
  /** How `--format chart` draws. */
  readonly chart?: ChartWishes | undefined;
  /** Whether a table draws arrays of numbers. */
  readonly sparklines?: boolean | undefined;
  /** What is longer than the terminal goes through the user's pager, if there is one. */
  readonly pager?: boolean;
}

/** A run as a command asks for it; its query is a name, a UUID, or a path from the folder the command runs in. */
export interface AppRunRequest extends Omit<RunRequest, 'query' | 'signal'> {
  readonly reference: string;
  /** Fewer rows than the query's own bound. */
  readonly maxRows?: number;
}

/** The same; `sql` is for a query whose sandbox is enabled. */
export interface RowsRequest extends AppRunRequest {
  /** SQL in place of the query's own SELECT; `@file` for that of a file, `-` for that of standard input. */
  readonly sql?: string;
}

/** Where rows go that are not held. */
export interface StreamRequest extends Pick<ExportRowsRequest, 'format' | 'compression' | 'file' | 'columns' | 'check'> {
  readonly wanted: (plan: Plan) => boolean;
}

/** A run of checks as a command asks for it; how many run at once is by default for the place where the rows are. */
interface AppCheckRequest extends Omit<CheckRequest, 'jobs'> {
  readonly jobs?: number;
}

export interface App extends Authoring {
  /** Of the package. */
  readonly version: string;
  /** Where the files of the web console are. */
  readonly consoleFolder: () => string;
  /** The file of the thread that translates for `quern serve`. */
  readonly translationWorker: () => URL;
  readonly io: Io;
  readonly signal: AbortSignal;
  settings(): Promise<Settings>;
  cache(): Promise<Cache>;
  /** The cache for a process that says elsewhere what is wrong with its folder. */
  cacheWithNotes(onNote: (text: string) => void): Promise<Cache>;
  /** The sources that queries can read; `refresh` asks the engine again. */
  sources(options?: { readonly refresh?: boolean }): Promise<readonly ListedSource[]>;
  /** Looks at everything a run needs. */
  examine(): AsyncIterable<Finding>;
  /** Where queries run. */
  connection(): Promise<Connection>;
  store(): Promise<Store>;
  /** What the store holds, known without opening it. */
  manifest(): Promise<Manifest>;
  /** The same app on the demo's own store. */
  demo(): Promise<App>;
  /** Runs a saved query, from the cache where possible. */
  run(request: AppRunRequest): Promise<RunOutcome>;
  /** The same; but rows that are to be streamed go past the cache to where they are wanted, as they come. */
  runOrStream(request: RowsRequest, stream: StreamRequest | undefined): Promise<RunOutcome | ExportOutcome>;
  /** The translation of a saved query, and what running it takes; with `given` arguments, as it runs with these. */
  plan(reference: string, given?: Readonly<Record<string, unknown>>): Promise<Plan>;
  savedQuery(reference: string): Promise<SavedQuery>;
  /** Looks whether what must hold of the rows of saved queries does. */
  check(request: AppCheckRequest): Promise<CheckReport>;
  savedQueries(): Promise<CatalogListing>;
  catalog(): Promise<QueryCatalog>;
  /** Where the saved queries are: the ones that ship, and the user's. */
  queryFolders(): Promise<readonly string[]>;
  /** Rows of setting, value, origin, environment variable, meaning; secrets are hidden. */
  settingRows(): Promise<readonly Row[]>;
  /** The JSON object in a file, or in standard input for `-`; large integers keep their digits. */
  readParameters(file: string): Promise<Readonly<Record<string, unknown>>>;
  /** Prints rows in the format asked for: a table on a terminal and NDJSON elsewhere unless said otherwise. */
  print(result: QueryResult, options?: PrintOptions): Promise<void>;
  /** A line on standard error that `--quiet` leaves out. */
  note(text: string): Promise<void>;
  /** A line on standard error. */
  warn(text: string): Promise<void>;
  /** The terminal that a progress bar may use. */
  progressTerminal(): NodeJS.WriteStream | undefined;
  /** Whether standard output is a terminal that wants colours. */
  colours(): Promise<boolean>;
  /** Whether the user's terminal shows nothing beyond ASCII. */
  asciiOnly(): boolean;
  /** A path the user gave, from the folder the command runs in. */
  path(file: string): string;
  showError(error: QuernError): Promise<void>;
  close(): Promise<void>;
}
