// What the engine says of a file that it cannot read, as people would say it: the file, the row, the column, and what is wrong there.
import { QuernError, SEE_ENGINES_TEXT } from '../../base/errors.ts';

export const CHECK_PERMISSIONS = 'check its permissions, and those of the folders above it';

const UNDECODABLE = /inflate|ZSTD|LZMA|lzma|brotli|[Dd]ecompress|Unknown codec/;

/** Whether the engine could not unpack compressed data. */
export const isUndecodable = (error: unknown): boolean => error instanceof QuernError && UNDECODABLE.test(engineText(error));

/** What is wrong with files whose text is not told from bytes. */
export const bytesInText = (file: string): string => `${file} has bytes that are not UTF-8 in a text column`;

interface Reason {
  readonly when: RegExp;
  /** Which column was read there says nothing. */
  readonly ofLine?: true;
  /** Where the column is known, people know more than by these words. */
  readonly vague?: true;
  readonly say: (found: RegExpExecArray) => string;
  readonly hint?: (found: RegExpExecArray) => string;
}

/** Of files at an address: nobody answers there, for now. */
const SILENCE: readonly Reason[] = [
  {
    // What the engine says of a store that has accepted the connection and then said nothing: no status, or the timeout of its library.
    when: /^no answer within|HTTP response code: 18446744073709551615|Poco::Exception\. Code: 1000, e\.code\(\) = 0, Timeout/,
    say: () => 'its server does not answer',
    hint: () => LATER,
  },
  {
    when: /Not found address of host: ([^\s:]+)/,
    say: ([, host = '']) => `there is no host ${host}`,
    hint: () => 'check the address, and the connection of this machine',
  },
  {
    when: /Connection refused|No route to host|Network is unreachable|Timeout: connect timed out|connect timed out|Connection reset/,
    say: () => 'its server cannot be reached',
    hint: () => LATER,
  },
];

/** What happened on the way to them. */
const ON_THE_WAY: readonly Reason[] = [
  ...SILENCE,
  {
    when: /SSL ?Exception|certificate verify failed/,
    say: () => 'its server has no certificate that this machine trusts',
    hint: () => 'if it is signed by an authority of your own, name a PEM file with its certificate in the environment: SSL_CERT_FILE',
  },
  {
    when: /HTTP (?:status|response) code: 40[13]|Access ?Denied|InvalidAccessKeyId|SignatureDoesNotMatch|(?:Invalid|Expired) ?Token/,
    say: () => 'its server does not let you read it',
    hint: () => 'check the address, and the keys in the environment',
  },
  {
    when: /HTTP (?:status|response) code: 4(?:04|10)|NoSuch(?:Key|Bucket)|specified (?:key|bucket) does not exist/,
    say: () => 'there is no such file',
    hint: () => 'check the address',
  },
  {
    when: /Too many redirects|HTTP response code: 30[1278]/,
    say: () => 'its server says that it is elsewhere, and keys are sent nowhere else',
    hint: () => 'name the place where it is: AWS_REGION for a bucket in another region, or AWS_ENDPOINT_URL for another store',
  },
  {
    when: /HTTP (?:status|response) code: (\d+)(?: '([\w -]+)')?/,
    say: ([, status = '', words]) => `its server answered ${status}${words === undefined ? '' : ` ${words}`}`,
    hint: () => LATER,
  },
];

const LATER = 'check the address, or try again later';

const GONE: Reason = { when: /errno: 2\b|No such file/, say: () => 'it is no longer there', hint: () => 'run the query again' };

/** In the order in which they are tried: what the engine says first may be vague. */
const REASONS: readonly Reason[] = [
  ...ON_THE_WAY,
  {
    when: /errno: 13\b|Permission denied/,
    say: () => 'permission denied',
    hint: () => CHECK_PERMISSIONS,
  },
  GONE,
  {
    when: /Unsupported compression method/,
    say: () => 'it is compressed with bzip2, which the embedded engine can only read in files on this machine',
    hint: () => 'copy it here, or compress it with gzip, xz or zstd',
  },
  {
    when: /out of allowed Date32 range.*column: (\S+?):/,
    say: ([, column]) => `${column} has dates outside the years 1900 to 2299`,
    hint: ([, column]) => `declare it as a DATE, so that all years can be read: schema: ${column}:DATE`,
  },
  {
    when: /Not a Parquet file|wrong magic bytes|Not an? (?:ORC|Arrow|Avro)|Invalid data file|Avro.*magic|cannot be extracted from a Avro|Invalid ORC|not (?:an? )?(?:Arrow|Avro|ORC)/i,
    say: () => 'it is not a file of that format',
    hint: () => WHOLE,
  },
  { when: /Unexpected EOF|Unexpected end of (?:file|stream)/, say: () => 'it ends in the middle of a value', hint: () => WHOLE },
  {
    when: /Bad metadata size in parquet|[Pp]arquet.*(?:truncated|corrupt|too (?:short|small))|Unexpected end of .*(?:Arrow|ORC|Avro)|Expected to read \d+ /s,
    say: () => 'it is incomplete',
    hint: () => WHOLE,
  },
  {
    when: /less columns than expected|Line feed found where delimiter/,
    say: () => 'a line has fewer values than there are columns',
    ofLine: true,
    hint: () => LINE,
  },
  { when: /more columns than expected/, say: () => 'a line has more values than there are columns', ofLine: true, hint: () => LINE },
  {
    when: /garbage after (?:Nullable\()?(\w+)\)?: "((?:[^"\\]|\\.)*)"/,
    say: ([, type = '', text = '']) => `${JSON.stringify(text.split(/[,;|]|<[A-Z ]+>/)[0]?.slice(0, 40))} is not ${READ_AS[type] ?? type}`,
    hint: () => 'if the file is right, declare the type of the column: `schema: name:STRING`',
  },
  {
    when: /surrogate pair/,
    say: () => 'a text is not UTF-8: it has half of a character',
    hint: () => LINE,
  },
  {
    when: UNDECODABLE,
    say: () => 'it is damaged, or its compression does not match its name',
    hint: () => WHOLE,
  },
  {
    when: /(?:the file is|Cannot read rows from|All files are) ?(?:empty|the data)/,
    say: () => NO_COLUMNS,
    hint: () => HEADER_AT_LEAST,
  },
  { when: /expected '\{' before: '\]/, say: () => NO_COLUMNS, hint: () => HEADER_AT_LEAST },
  {
    when: /expected (.+?) before: '((?:[^'\\]|\\.)*)'/,
    say: ([, wanted = '', text = '']) => `${wanted} was expected before ${JSON.stringify(text.replace(/(?:\\[nr])+$/, '').slice(0, 40))}`,
    hint: () => LINE,
    vague: true,
  },
];

const UNFIT = 'a value in it does not fit its type';

/** What is wrong with a file without anything in it. */
export const NO_COLUMNS = 'it is empty, so its columns are unknown';
const HEADER_AT_LEAST = 'leave the file out; CSV without rows has columns if it has a header';
const WHOLE =
  'check that the file is complete and has the format that its name suggests; a source in quern.yaml can set another: format: csv';
const LINE = 'fix that line of the file, or remove it';

/** GoogleSQL's names of types, by what the engine reads of their values. */
const READ_AS: Readonly<Record<string, string>> = {
  Int128: 'INT64',
  Int64: 'INT64',
  Float64: 'FLOAT64',
  Bool: 'BOOL',
  String: 'STRING',
};

/** What the engine calls a column that the query does not read. */
const PASSED_OVER = '<SKIPPED COLUMN>';

const FILE = /\(in file\/uri ([^)]*(?:\)[^):]*)*?)\)(?::|\.? |$)|While reading from: (\S+?):/;

/** All that the engine said. */
export function engineText({ message, details: { cause } }: QuernError): string {
  if (cause instanceof Error) return cause.message;
  return typeof cause === 'string' ? cause : message;
}

/** Whether nobody answered: it says nothing of the files. */
export const isSilence = (error: unknown): boolean =>
  error instanceof QuernError && SILENCE.some(({ when }) => when.test(engineText(error)));

/** What the engine could not read, and where. */
export interface FileTrouble {
  /** As the engine knows the file. */
  readonly path: string;
  /** Counted from 1. Where the engine reads a file in parts, it may be one too high. */
  readonly row: number | undefined;
  readonly column: string | undefined;
  readonly why: string;
  readonly details: QuernError['details'];
}

interface Known {
  /** Of which files the failure is. */
  readonly address?: string | undefined;
  /** What a query reads, where `address` is not known: it could not get one of them. */
  readonly addresses?: readonly string[];
}

/** What the failure says of a file; undefined for one that is not about a file. */
export function findTrouble(error: unknown, { address, addresses = [] }: Known = {}): FileTrouble | undefined {
  if (!(error instanceof QuernError) || (error.code !== 'engine' && error.code !== 'data')) return undefined;
  const { cause, engineCode } = error.details;
  const text = engineText(error);
  const [, first, second] = FILE.exec(text) ?? [];
  const onTheWay = addresses.length > 0 && ON_THE_WAY.some(({ when }) => when.test(text)) ? addresses.join(' or ') : undefined;
  const path = address ?? first ?? second ?? onTheWay;
  if (path === undefined) return undefined;
  const row = /\(at row (\d+)\)/.exec(text)?.[1];
  const column =
    [...text.matchAll(/name: (.+?), +type: [^\n]*\n(?=ERROR)/g)].at(-1)?.[1] ?? /while reading the value of key (\S+?)\)/.exec(text)?.[1];
  const [reason, found] = REASONS.flatMap((one) => {
    const match = one.when.exec(text);
    return match === null ? [] : ([[one, match]] as const);
  })[0] ?? [undefined, undefined];
  const isOfLine = column === undefined || column === PASSED_OVER || reason?.ofLine === true;
  const said = reason === undefined ? innermost(text) : reason.say(found);
  const isVague = reason === undefined || reason.vague === true;
  return {
    path,
    row: row === undefined ? undefined : Number(row),
    column: isOfLine ? undefined : column,
    why: isVague && !isOfLine ? UNFIT : said,
    details: {
      hint: reason === undefined ? SEE_ENGINES_TEXT : reason.hint?.(found),
      engineCode,
      cause,
      ...(reason !== undefined && [...ON_THE_WAY, GONE].includes(reason) ? { ofSource: true } : {}),
    },
  };
}

/** The failure told of the file; undefined for one that is not about a file. `shown` is how people know the path. */
export function fileTrouble(error: unknown, shown: (path: string) => string, known: Known = {}): QuernError | undefined {
  const trouble = findTrouble(error, known);
  if (trouble === undefined) return undefined;
  const { path, row, column, why, details } = trouble;
  const place = [...(row === undefined ? [] : [`row ${row}`]), ...(column === undefined ? [] : [`column ${column}`])].join(', ');
  return new QuernError('data', `${shown(path)} cannot be read${place === '' ? '' : ` at ${place}`}: ${why}`, details);
}

/** The first sentence of what the engine began with, before it said what it was doing. */
function innermost(text: string): string {
  const said = [...text.matchAll(/DB::\w*Exception: ([^\n]+)/g)].at(-1)?.[1] ?? text;
  return said
    .replace(/: (?:While|\(in file).*$/, '')
    .replace(/ \((?:[A-Z_]+|version [^)]*)\)/g, '')
    .replace(/\.?:?\s*$/, '');
}
