// The log of a server as people read it on a terminal: where it listens first, what it serves, and a line for each request.
import { paint } from '../../../output/paint.ts';
import { visible } from '../../../output/visible.ts';
import type { RequestLine } from '../../../server/observe/log.ts';

/** The properties of a line of the log that are shown; see observe/log.ts. */
interface LogLine extends Partial<RequestLine> {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  /** A command of another process, and where that was typed. */
  readonly command?: string;
  readonly cwd?: string;
  readonly added?: readonly string[];
  readonly changed?: readonly string[];
  readonly removed?: readonly string[];
  readonly error?: {
    readonly message: string;
    readonly hint?: string;
    readonly position?: { readonly line: number; readonly column: number };
  };
}

export function terminalLog(write: (text: string) => void, colour: boolean) {
  const { faint, good, caution, bad, strong } = paint(colour);
  let before: LogLine[] | undefined = [];
  const print = (text: string): void => write(`${text}\n`);
  const show = (line: LogLine): void => {
    const text = line.status === undefined ? eventText(line) : requestText(line, ofStatus(line.status));
    if (text === undefined) return;
    print(line.status === undefined && line.level === 'error' ? bad(text) : text);
  };
  const ofStatus = (status: number): ((text: string) => string) => {
    if (status >= 500) return bad;
    return status >= 400 ? caution : good;
  };
  const flush = (): void => {
    for (const line of before ?? []) show(line);
    before = undefined;
  };
  return {
    /** Takes a line of the log, a JSON object. */
    write(text: string) {
      const line = JSON.parse(text) as LogLine; // as observe/log.ts writes it
      if (before === undefined) show(line);
      else before.push(line);
    },
    /** Prints where the server listens, and what was written before. */
    begin(address: string) {
      print(`listening on ${strong(address)}`);
      flush();
      print(faint('open the address in a browser, or ask for a saved query; Ctrl-C stops the server'));
    },
    /** Prints what was written, where the server has not come to listen. */
    end: flush,
  };
}

function requestText(line: LogLine, ofStatus: (text: string) => string): string {
  const { time, method = '', endpoint = '', path, status = 0, ms = 0, cache, rows, code, error } = line;
  const of = path ?? endpoint;
  const facts = [
    `${ms < 10 ? ms : Math.round(ms)} ms`,
    ...(rows === undefined ? [] : [`${rows} ${rows === 1 ? 'row' : 'rows'}`]),
    ...(cache === 'hit' || cache === 'stale' ? ['from the cache'] : []),
    ...(error === undefined ? [] : [error.message]),
    ...(error === undefined && code !== undefined ? [code] : []),
  ];
  return `${clock(time)}  ${ofStatus(String(status))}  ${visible(`${method} ${of}  ${facts.join(', ')}`)}`;
}

/** Undefined for what the first lines have said. */
function eventText({ time, msg, endpoint, error, command, cwd = '', added = [], changed = [], removed = [] }: LogLine): string | undefined {
  if (msg === 'serving') return undefined;
  if (command !== undefined) return visible(`${clock(time)}       quern ${command}  for another process, in ${cwd}`);
  if (msg === 'saved queries read') {
    const counts = [
      [added, ''],
      [changed, ' changed'],
      [removed, ' removed'],
    ] as const;
    return counts
      .flatMap(([names, what]) => (names.length === 0 ? [] : [`${names.length} saved ${names.length === 1 ? 'query' : 'queries'}${what}`]))
      .join(', ');
  }
  const place = error?.position === undefined ? '' : `:${error.position.line}:${error.position.column}`;
  const hint = error?.hint === undefined ? '' : ` (${error.hint})`;
  const what = error === undefined ? '' : `: ${error.message}${hint}`;
  return visible(endpoint === undefined ? `${msg}${what}` : `${endpoint}${place}: ${msg}${what}`);
}

const clock = (time: string): string => new Date(time).toTimeString().slice(0, 8);
