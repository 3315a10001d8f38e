// The one error class. It knows what is wrong and where, never exit codes or HTTP statuses: cli/main.ts and server/http/ map `code`.
import type { SourceText, Span } from './source-text.ts';

export type ErrorCode =
  | 'usage' // wrong flags or arguments of a command
  | 'unknown-query' // no saved query of that name or UUID
  | 'parameter' // missing, invalid or undeclared parameters; `problems` lists all of them
  | 'syntax' // text outside the grammar
  | 'unknown-function'
  | 'unknown-column'
  | 'unknown-source'
  | 'type' // known construct, operands or clauses that do not fit
  | 'unsupported' // valid BigQuery that ClickHouse cannot follow; refused
  | 'too-complex' // valid, but larger or deeper than what quern translates; `message` names what is too much
  | 'config' // quern.yaml, settings, query headers
  | 'load' // files that cannot be loaded into the store
  | 'result' // the rows are not what the command needs: cut off, or not one value
  | 'check' // what must hold of a result does not
  | 'data' // a value that the query cannot compute with, in its data or made of them
  | 'limit' // the query needs more rows, bytes or memory than it may have
  | 'engine' // the engine reported another error
  | 'unreachable' // the engine cannot be reached, is in use elsewhere, or refuses the login
  | 'busy' // too much is being asked of the engine at once; asking again later helps
  | 'budget' // the caller has used up what its runs may cost for now
  | 'timeout'
  | 'interrupted'
  | 'internal';

/** One of several problems reported together, for example one per parameter. */
export interface Problem {
  /** The kind of problem: `missing`, `invalid`, `unknown`. */
  readonly kind: string;
  /** The user's own thing, e.g. the parameter's name. */
  readonly name: string;
  readonly message: string;
}

/** @internal A value that the engine could not take. */
export interface RejectedValue {
  /** Continues after the value, `is not a time zone`; says everything where the value is not known. */
  readonly why: string;
  readonly value?: string;
  /** The parameter that it was given for, where the engine names it. */
  readonly parameter?: string;
  /** Parameters that alone decide about the part of the query that failed. */
  readonly among?: readonly string[];
}

export interface ErrorDetails {
  readonly span?: Span | undefined;
  readonly source?: SourceText | undefined;
  readonly hint?: string | undefined;
  readonly notes?: readonly string[] | undefined;
  readonly problems?: readonly Problem[] | undefined;
  /** @internal True if a source cannot be read for now: nothing is wrong with the query. */
  readonly ofSource?: true | undefined;
  /** @internal True if the caller's key does not allow it: another key may. */
  readonly ofKey?: true | undefined;
  /** ClickHouse's error number. */
  readonly engineCode?: number | undefined;
  /** @internal The engine's name for the error, where `message` is the engine's own text. */
  readonly engineWords?: string | undefined;
  /** @internal The value that the engine rejected, where it names one. */
  readonly rejected?: RejectedValue | undefined;
  /** Seconds after which asking again may help. */
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** @internal Part of a hint: quern has no words of its own for what ClickHouse says. Callers of a server cannot do it, its log can. */
export const SEE_ENGINES_TEXT = 'add --verbose to see the message of ClickHouse';

/** Everything quern reports to its user. `message` names the user's own thing; `hint` says what to do next. */
export class QuernError extends Error {
  /** @internal What traces call it, whatever a bundle calls the class. */
  static override readonly name = 'QuernError';
  override readonly name = 'QuernError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.details = details;
  }

  /** @internal The same error with the text its span points into, for layers that do not know the file. */
  in(source: SourceText): QuernError {
    if (this.details.source !== undefined || this.details.span === undefined) return this;
    return new QuernError(this.code, this.message, { ...this.details, source });
  }
}

/** The message of whatever was thrown. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** What was thrown as an error of quern's; any other than its own is a fault in it, about which `hint` says what to do. */
export const asQuernError = (cause: unknown, hint?: string): QuernError =>
  cause instanceof QuernError ? cause : new QuernError('internal', messageOf(cause), { hint, cause });

/** The nearest of `candidates` to what the user typed, or undefined when nothing is near enough to be a typo. */
export function nearest(typed: string, candidates: Iterable<string>, most = Math.max(2, Math.floor(typed.length / 3))): string | undefined {
  const wanted = typed.toLowerCase();
  let best: string | undefined;
  let bestDistance = most + 1;
  for (const candidate of candidates) {
    // Two changes turn a short word into any other.
    if (wanted.length <= 3 && candidate[0]?.toLowerCase() !== wanted[0]) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The hint that names the nearest of `candidates`, or undefined where none is near. */
export function didYouMean(typed: string, candidates: Iterable<string>): string | undefined {
  const near = nearest(typed, candidates);
  return near === undefined ? undefined : `did you mean ${near}?`;
}

/** Levenshtein distance in which two neighbours that changed places are one step, given up (returning `limit`) once it cannot stay below `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : limit;
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swap));
    }
    if (Math.min(...next) >= limit && Math.min(...row) >= limit) return limit;
    [before, row] = [row, next];
  }
  return row[b.length] ?? limit;
}

/** `timeout is not a setting`, but `timeout: "soon" is not a duration`: a message that begins with a verb goes on after the name of what it is about. */
export const messageAbout = (name: string, message: string): string =>
  /^(?!(?:true|false|null|its|the|there|nothing|no|an?) )[a-z]+ /.test(message) ? `${name} ${message}` : `${name}: ${message}`;
