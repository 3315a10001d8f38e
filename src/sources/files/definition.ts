// What quern.yaml says of a source that is files: `file:` and the settings beside it.
import { type FileFormat, FORMATS, formatOf, TEXT_FORMATS } from './formats.ts';

/** Files as a source. */
export interface FilesDefinition {
  /** As written: paths, patterns and addresses. A source has either paths or addresses. */
  readonly patterns: readonly string[];
  readonly format: FileFormat;
  /** Of CSV and TSV; undefined: what the file shows. */
  readonly delimiter?: string | undefined;
  /** Whether the first line of CSV and TSV holds names; undefined: what the file shows. */
  readonly header?: boolean | undefined;
  /** Lines of CSV and TSV in front of the rows; the last of them is the header, where there is one. */
  readonly skipLeadingRows?: number | undefined;
  /** Folders `key=value` are columns. */
  readonly hivePartitions: boolean;
  /** The user has typed the path: no project asks for it, so none has to be trusted. */
  readonly byUser?: true;
}

/** Settings of files, beside those that every source may have. */
export const FILE_FIELDS = ['file', 'format', 'delimiter', 'header', 'skip_leading_rows', 'hive_partitions'] as const;

type Path = readonly string[];
type Report = (path: Path, message: string, hint?: string) => undefined;
type Fields = Readonly<Record<string, unknown>>;

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
const SCHEMES: readonly string[] = ['https', 's3', 'gs'];

/** True for `https://…`, `s3://…`, `gs://…`. */
export const isAddress = (pattern: string): boolean => SCHEME.test(pattern);

/** The files of `raw`, the settings of a source; undefined, and reported, where they cannot be. */
export function readFilesDefinition(raw: Fields, at: Path, report: Report): FilesDefinition | undefined {
  const patterns = patternsOf(raw['file'], [...at, 'file'], report);
  if (patterns === undefined) return undefined;
  for (const key of ['table', 'cluster'] as const) {
    if (raw[key] !== undefined) report([...at, key], 'cannot be combined with file', `leave out ${key}, or file`);
  }
  const format = readFormat(raw['format'], patterns, at, report);
  if (format === undefined) return undefined;
  const isText = TEXT_FORMATS.includes(format);
  for (const key of ['delimiter', 'header', 'skip_leading_rows'] as const) {
    if (raw[key] !== undefined && !isText)
      report([...at, key], `only applies to CSV and TSV, and these files are ${FORMATS[format].label}`);
  }
  const hive = raw['hive_partitions'] ?? false;
  const header = raw['header'];
  const delimiter = raw['delimiter'];
  const skip = raw['skip_leading_rows'];
  if (typeof hive !== 'boolean') return report([...at, 'hive_partitions'], 'must be true or false');
  if (header !== undefined && typeof header !== 'boolean') return report([...at, 'header'], 'must be true or false');
  if (skip !== undefined && !(Number.isSafeInteger(skip) && Number(skip) >= 0))
    return report([...at, 'skip_leading_rows'], 'must be a number of lines', 'write 0 if the first line is a row');
  if (header === true && skip === 0)
    return report([...at, 'skip_leading_rows'], 'is 0, but a header takes up a line', 'leave it out, or write header: false');
  if (delimiter !== undefined && !isDelimiter(delimiter))
    return report([...at, 'delimiter'], 'must be a single character', "write ';', '|' or \"\\t\"");
  return { patterns, format, delimiter, header, skipLeadingRows: skip === undefined ? undefined : Number(skip), hivePartitions: hive };
}

/** ClickHouse takes a single byte. */
const isDelimiter = (value: unknown): value is string => typeof value === 'string' && /^[\t\x20-\x7e]$/.test(value) && value !== '"';

function patternsOf(raw: unknown, path: Path, report: Report): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const patterns = list.filter((item): item is string => typeof item === 'string' && item.trim() !== '');
  if (patterns.length === 0 || patterns.length !== list.length)
    return report(path, 'must be a path, a pattern, or a list of these', 'write file: data/orders/*.parquet');
  const remote = patterns.filter(isAddress);
  for (const address of remote) {
    const scheme = SCHEME.exec(address)?.[1]?.toLowerCase() ?? '';
    if (scheme === 'http') return report(path, `${address} is not encrypted`, 'write https://');
    if (!SCHEMES.includes(scheme))
      return report(
        path,
        `starts with ${scheme}://, which quern cannot read`,
        `write a path, or one of: ${SCHEMES.map((s) => `${s}://`).join(', ')}`,
      );
    if (scheme === 'https' && /[*{}]/.test(address))
      return report(
        path,
        `${address} is a pattern, but files at an https address cannot be listed`,
        'name one file, or a bucket: s3://, gs://',
      );
    if (/^[^/]*:\/\/[^/]*@/.test(address))
      return report(path, 'must not contain a user or a password', 'put credentials in the environment');
  }
  if (remote.length > 0 && patterns.length > 1)
    return report(path, 'names several addresses, but a source can have only one', 'define a source for each');
  return patterns;
}

function readFormat(raw: unknown, patterns: readonly string[], at: Path, report: Report): FileFormat | undefined {
  const names = Object.keys(FORMATS) as FileFormat[];
  if (raw !== undefined) {
    const found = names.find((name) => name === raw);
    return found ?? report([...at, 'format'], `${JSON.stringify(raw)} is not one of: ${names.join(', ')}`);
  }
  const found = patterns.map(formatOf);
  const [first] = found;
  const odd = found.indexOf(undefined);
  if (odd >= 0 || first === undefined)
    return report(
      [...at, 'file'],
      `names ${patterns[odd] ?? ''}, whose extension is not a known format`,
      `add format:, one of ${names.join(', ')}`,
    );
  const other = found.find((format) => format !== first);
  if (other === undefined) return first;
  return report(
    [...at, 'file'],
    `names files in different formats, ${first} and ${other}`,
    'define a source for each, and UNION ALL them in a query',
  );
}
