// What quern.yaml says of a source that is files: `file:` and the settings beside it.
import { field } from '../../fields/field.ts';
import { oneOf } from '../../fields/kinds.ts';
import type { ValueAt } from '../../fields/value-at.ts';
import { type FileFormat, FORMATS, formatOf } from './formats.ts';
import { type FileOptions, type RawFileOptions, readFileOptions } from './options.ts';

/** Files as a source. */
export interface FilesDefinition extends FileOptions {
  /** As written: paths, patterns and addresses. A source has either paths or addresses. */
  readonly patterns: readonly string[];
  readonly format: FileFormat;
  /** Folders `key=value` are columns. */
  readonly hivePartitions: boolean;
  /** The user has typed the path: no project asks for it, so none has to be trusted. */
  readonly byUser?: true;
}

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;
const SCHEMES: readonly string[] = ['https', 's3', 'gs'];

/** True for `https://…`, `s3://…`, `gs://…`. */
export const isAddress = (pattern: string): boolean => SCHEME.test(pattern);

/** The files of a source, by its settings; undefined, and reported, where they cannot be. */
export function readFilesDefinition(source: ValueAt): FilesDefinition | undefined {
  const patterns = patternsOf(source.at('file'));
  if (patterns === undefined) return undefined;
  for (const key of ['table', 'cluster', 'sharding_key'].filter((field) => source.has(field)))
    source.at(key).problem('cannot be combined with file', `leave out ${key}, or file`);
  const format = source.has('format') ? FORMAT.read(source.at('format')) : formatOfAll(patterns, source.at('file'));
  if (format === undefined) return undefined;
  const options = readFileOptions(source.value as RawFileOptions, format, (name, ...problem) => source.at(name).problem(...problem));
  const { value: hive } = source.at('hive_partitions');
  if (hive !== undefined && hive !== null && typeof hive !== 'boolean')
    return source.at('hive_partitions').problem('must be true or false');
  if (options === undefined) return undefined;
  if (options.encoding !== undefined && patterns.some(isAddress))
    return source.at('encoding').problem('only applies to files on this machine', 'copy the file here, or convert it to UTF-8');
  return { patterns, format, ...options, hivePartitions: hive ?? false };
}

const FORMAT = field(oneOf(Object.keys(FORMATS) as FileFormat[]));

function patternsOf(file: ValueAt): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(file.value) ? file.value : [file.value];
  const patterns = list.filter((item): item is string => typeof item === 'string' && item.trim() !== '');
  if (patterns.length === 0 || patterns.length !== list.length)
    return file.problem('must be a path, a pattern, or a list of these', 'write file: data/orders/*.parquet');
  const remote = patterns.filter(isAddress);
  for (const address of remote) {
    const scheme = SCHEME.exec(address)?.[1]?.toLowerCase() ?? '';
    if (scheme === 'http') return file.problem(`${address} is not encrypted`, 'write https://');
    if (!SCHEMES.includes(scheme))
      return file.problem(
        `starts with ${scheme}://, which quern cannot read`,
        `write a path, or one of: ${SCHEMES.map((s) => `${s}://`).join(', ')}`,
      );
    if (scheme === 'https' && /[*{}]/.test(address))
      return file.problem(
        `${address} is a pattern, but files at an https address cannot be listed`,
        'name one file, or a bucket: s3://, gs://',
      );
    if (/^[^/]*:\/\/[^/]*@/.test(address))
      return file.problem('must not contain a user or a password', 'put credentials in the environment');
  }
  if (remote.length > 0 && patterns.length > 1)
    return file.problem('names several addresses, but a source can have only one', 'define a source for each');
  return patterns;
}

/** Returns the format that the names of the files tell. */
function formatOfAll(patterns: readonly string[], file: ValueAt): FileFormat | undefined {
  const found = patterns.map(formatOf);
  const [first] = found;
  const odd = found.indexOf(undefined);
  if (odd >= 0 || first === undefined)
    return file.problem(
      `names ${patterns[odd] ?? ''}, whose extension is not a known format`,
      `add format:, one of ${Object.keys(FORMATS).join(', ')}`,
    );
  const other = found.find((format) => format !== first);
  if (other === undefined) return first;
  return file.problem(`names files in different formats, ${first} and ${other}`, 'define a source for each, and UNION ALL them in a query');
}
