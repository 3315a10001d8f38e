// What quern.yaml says of a source that is files: `file:` and the settings beside it.
import { type FileFormat, FORMATS, formatOf } from './formats.ts';
import { type FileOptions, readFileOptions } from './options.ts';

/** Files as a source. */
export interface FilesDefinition extends FileOptions {
  /** As written: paths, patterns and addresses. A source has either paths or addresses. */
  readonly patterns: readonly string[];
  readonly format: FileFormat;
  /** Folders `key=value` are columns. */
  readonly hivePartitions: boolean;
  /** The user has typed the path: no project asks for it, so none has to be trusted. */
  readonly byUser?: true;
  /** All rows of text and JSON say what columns hold, and not only the first ones. */
  readonly byAllRows?: boolean;
}

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
  const options = readFileOptions(raw, format, (name, message, hint) => report([...at, name], message, hint));
  const hive = raw['hive_partitions'] ?? false;
  if (typeof hive !== 'boolean') return report([...at, 'hive_partitions'], 'must be true or false');
  if (options === undefined) return undefined;
  if (options.encoding !== undefined && patterns.some(isAddress))
    return report([...at, 'encoding'], 'only applies to files on this machine', 'copy the file here, or convert it to UTF-8');
  return { patterns, format, ...options, hivePartitions: hive };
}

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
