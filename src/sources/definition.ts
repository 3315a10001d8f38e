// The `sources:` section of quern.yaml: which table stands for a source, and where its columns are.
import { resolve } from 'node:path';
import { messageAbout, nearest, type Problem, QuernError } from '../errors.ts';
import { positionAt, type SourceText, type Span } from '../source-text.ts';
import type { LayoutName } from '../sql/layouts/index.ts';
import { RECORD_LAYOUTS } from '../sql/layouts/records.ts';
import { BOOL, FLOAT64, INT64, type ScalarType, STRING } from '../sql/types.ts';
import { FILE_FIELDS, isAddress, readFilesDefinition } from './files/definition.ts';
import { FORMATS, formatOf } from './files/formats.ts';
import { FILE_OPTION_NAMES, type RawFileOptions, takesOption } from './files/options.ts';
import { suffixOfFiles } from './files/suffix.ts';
import type { ColumnReference, SourceDefinition, SourceKind } from './source-definition.ts';
import { readSchema } from './table-schema.ts';

export type { SourceDefinition } from './source-definition.ts';

export const SOURCE_KINDS: readonly SourceKind[] = ['logs', 'table'];

/** A section of a YAML file: its value, and where in the file the value at a path stands. */
export interface Section {
  readonly value: unknown;
  readonly source?: SourceText | undefined;
  spanAt?(path: readonly string[]): Span | undefined;
}

/** The sections of quern.yaml that say what names in FROM are. Whatever is remembered of tables and queries is remembered for all of them as they were read. */
export type Sections = Readonly<Partial<Record<'sources' | 'names', Section>>>;

type Fields = Readonly<Record<string, unknown>>;
type Path = readonly string[];

const OF_EVERY_LAYOUT = [
  'table',
  ...FILE_FIELDS,
  'kind',
  'cluster',
  'layout',
  'records',
  'columns',
  'aliases',
  'same_as',
  'fields',
  'rows',
  'schema',
  'suffix',
  'partition',
] as const;
/** Those that say something of metadata, the record of a log event. */
const OF_RECORDS = ['layout', 'records', 'same_as', 'fields'] as const satisfies readonly (typeof OF_EVERY_LAYOUT)[number][];
/** Settings of a source, those that every layout has. */
export type SourceField = (typeof OF_EVERY_LAYOUT)[number];
/** Settings that belong to a layout, and what they say. */
export const LAYOUT_SETTINGS = RECORD_LAYOUTS.flatMap(({ name, settings = {} }) =>
  Object.entries(settings).map(([setting, description]) => ({ layout: name, setting, description })),
);
export const SOURCE_FIELDS: readonly string[] = [...OF_EVERY_LAYOUT, ...LAYOUT_SETTINGS.map(({ setting }) => setting)];
export const LAYOUTS: readonly LayoutName[] = RECORD_LAYOUTS.map(({ name }) => name);
export const FIELD_TYPES: Readonly<Record<string, ScalarType>> = { string: STRING, integer: INT64, float: FLOAT64, boolean: BOOL };
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*\*?$/;

/** The definitions of a section. Throws QuernError `config` with every problem and its place. */
export function readDefinitions(section: Section): readonly SourceDefinition[] {
  const problems: { readonly path: Path; readonly message: string; readonly hint: string | undefined }[] = [];
  const report = (path: Path, message: string, hint?: string): undefined => {
    problems.push({ path, message, hint });
    return undefined;
  };
  const mapping = (value: unknown, path: Path, what: string): Fields => {
    if (value === undefined || value === null) return {};
    if (isFields(value)) return value;
    report(path, `must be a mapping of ${what}`);
    return {};
  };
  const text = (value: unknown, path: Path, what: string): string | undefined =>
    typeof value === 'string' && value !== '' ? value : report(path, `must be ${what}`);
  const oneOf = <T extends string>(value: unknown, path: Path, allowed: readonly T[]): T | undefined =>
    value === undefined || value === null
      ? undefined
      : (allowed.find((a) => a === value) ?? report(path, `${JSON.stringify(value)} is not one of: ${allowed.join(', ')}`));

  const tableOf = (raw: Fields, at: Path) => {
    for (const key of FILE_FIELDS) if (raw[key] !== undefined) report([...at, key], 'only applies to files', 'write file: data/orders.csv');
    const isMisspelt = Object.keys(raw).some((key) => ['table', 'file'].includes(nearest(key, SOURCE_FIELDS) ?? ''));
    if (!('table' in raw) && isMisspelt) return undefined;
    if (!('table' in raw)) return report(at, 'names neither a table nor files', 'write `table: database.table` or `file: data/orders.csv`');
    const written = text(raw['table'], [...at, 'table'], 'the name of a table, such as database.table');
    if (written === undefined) return undefined;
    return tableParts(written) ?? report([...at, 'table'], `${JSON.stringify(written)} is not table or database.table`);
  };
  const filesOf = (name: string, raw: Fields, at: Path) => {
    const files = readFilesDefinition(raw, at, report);
    return files === undefined ? undefined : { table: fileTable(name), files };
  };

  const read = (name: string, raw: unknown): SourceDefinition | undefined => {
    const at = [name];
    if (!NAME.test(name))
      report(at, 'is not a valid source name', 'use letters, digits, dots, dashes and underscores, with * at the end for a wildcard');
    if (!isFields(raw)) return report(at, 'must be a mapping with a table or a file', `write ${name}: { table: database.table }`);
    for (const key of Object.keys(raw)) {
      if (SOURCE_FIELDS.some((known) => known === key)) continue;
      const near = nearest(key, SOURCE_FIELDS);
      report(
        [...at, key],
        'is not a field of a source',
        near === undefined ? `the fields are ${SOURCE_FIELDS.join(', ')}` : `did you mean ${near}?`,
      );
    }
    const table = raw['file'] === undefined ? tableOf(raw, at) : filesOf(name, raw, at);
    const cluster = raw['cluster'] === undefined ? undefined : text(raw['cluster'], [...at, 'cluster'], 'the name of a cluster');
    const expression = (key: string): string | undefined =>
      raw[key] === undefined ? undefined : text(raw[key], [...at, key], 'a column, or an expression over columns');
    const files = table !== undefined && 'files' in table ? table.files : undefined;
    const suffix = expression('suffix') ?? (files === undefined ? undefined : suffixOfFiles(files.patterns));
    const partition = expression('partition');
    const many = files === undefined && table?.table.endsWith('*') === true;
    if (many && suffix !== undefined)
      report([...at, 'suffix'], 'only applies to a single table', 'leave it out: the suffix is that of each table');
    if (many && cluster !== undefined)
      report([...at, 'cluster'], 'only applies to a single table', 'create a Distributed table for each of them');
    if (name.endsWith('*') && !many && suffix === undefined && table !== undefined)
      report(
        at,
        files === undefined
          ? 'ends with *, but its table does not'
          : 'ends with *, but its files do not have exactly one * to take the suffix from',
        files === undefined
          ? 'write `table: database.events_*`, or set `suffix` to the column that holds _TABLE_SUFFIX'
          : `set it, such as suffix: REGEXP_EXTRACT(_FILE_NAME, r'${name.slice(0, -1).split('.').at(-1)}([0-9]+)')`,
      );
    const kind = oneOf(raw['kind'], [...at, 'kind'], SOURCE_KINDS);
    if (kind === 'table') {
      for (const key of OF_RECORDS) {
        if (raw[key] !== undefined) report([...at, key], 'only applies to records of log events', `leave it out, or write "kind: logs"`);
      }
    }
    const layout = oneOf(raw['layout'], [...at, 'layout'], LAYOUTS);
    const layoutSettings = LAYOUT_SETTINGS.flatMap(({ layout: owner, setting }) => {
      if (raw[setting] === undefined) return [];
      if (layout !== owner)
        report([...at, setting], `only applies to the layout ${owner}`, `add "layout: ${owner}", or leave out ${setting}`);
      const value = text(raw[setting], [...at, setting], 'text');
      return value === undefined ? [] : [[setting, value] as const];
    });
    const records = oneOf(raw['records'], [...at, 'records'], ['one', 'several'] as const);
    const entries = <T>(
      key: string,
      what: string,
      each: (value: unknown, path: Path, name: string) => T | undefined,
    ): Record<string, T> => {
      const result: Record<string, T> = {};
      for (const [entry, value] of Object.entries(mapping(raw[key], [...at, key], what))) {
        const known = each(value, [...at, key, entry], entry);
        if (known !== undefined) result[entry] = known;
      }
      return result;
    };
    const columns = entries('columns', 'source columns to table columns', (value, path) => {
      const written = text(value, path, "the name of a column, or of a map's entry: Attributes['key']");
      if (written === undefined) return undefined;
      return (
        columnReference(written) ??
        report(path, `${JSON.stringify(written)} is neither a column nor an entry of a map`, "write Attributes['key']")
      );
    });
    const fields = entries('fields', 'paths in metadata to types', (value, path) => {
      const type = typeof value === 'string' ? FIELD_TYPES[value] : undefined;
      return type ?? report(path, `${JSON.stringify(value)} is not one of: ${Object.keys(FIELD_TYPES).join(', ')}`);
    });
    const sameAs = entries('same_as', 'columns to fields', (value, path) => {
      const parts = typeof value === 'string' ? value.split('.') : [];
      return parts.length > 1 && parts.every((part) => part !== '') ? parts : report(path, 'must be a field, such as metadata.project_ref');
    });
    const rows = entries('rows', 'table columns to text values', (value, path) =>
      typeof value === 'string' ? value : report(path, 'must be text in quotes'),
    );
    const schema = raw['schema'] === undefined ? undefined : readSchema(raw['schema'], [...at, 'schema'], report);
    const aliasList = raw['aliases'] ?? [];
    const aliases = Array.isArray(aliasList)
      ? aliasList.filter((alias): alias is string => typeof alias === 'string' && NAME.test(alias))
      : [];
    if (!Array.isArray(aliasList) || aliases.length !== aliasList.length) report([...at, 'aliases'], 'must be a list of names');
    if (table === undefined) return undefined;
    return {
      name,
      aliases,
      ...table,
      ...(many ? { table: table.table.slice(0, -1), wildcard: true as const } : {}),
      suffix,
      partition,
      cluster,
      kind,
      layout,
      ...(layoutSettings.length === 0 ? {} : { layoutSettings: Object.fromEntries(layoutSettings) }),
      records,
      columns,
      fields,
      sameAs,
      rows,
      ...(schema === undefined ? {} : { schema }),
    };
  };

  const sources = mapping(section.value, [], 'source names to tables');
  const definitions = Object.entries(sources).flatMap(([name, raw]) => read(name, raw) ?? []);
  const owners = new Map<string, string>();
  for (const { name, aliases } of definitions) {
    for (const known of [name, ...aliases]) {
      const owner = owners.get(known.toLowerCase());
      if (owner !== undefined) report([name], `uses the name ${known}, which the source ${owner} already has`);
      owners.set(known.toLowerCase(), name);
    }
  }
  const startOf = ({ path }: { readonly path: Path }): number => section.spanAt?.(path)?.start ?? 0;
  const [first] = problems.sort((a, b) => startOf(a) - startOf(b));
  if (first === undefined) return definitions;
  const named = (path: Path): string => ['sources', ...path].join('.').replace(/\.(\d+)(?=\.|$)/g, '[$1]');
  const span = section.spanAt?.(first.path);
  const place = section.source === undefined || span === undefined ? {} : { source: section.source, span };
  if (problems.length === 1) {
    throw new QuernError('config', messageAbout(named(first.path), first.message), {
      ...place,
      hint: first.hint,
    });
  }
  throw new QuernError('config', `the sources have ${problems.length} problems`, {
    ...place,
    problems: problems.map(({ path, message, hint }): Problem => {
      const at = section.spanAt?.(path);
      const kind = section.source === undefined || at === undefined ? 'invalid' : `line ${positionAt(section.source.text, at.start).line}`;
      return { kind, name: named(path), message: `${message}${hint === undefined ? '' : ` (${hint})`}` };
    }),
  });
}

/**
 * The source that a path in FROM stands for, which the user has typed at a terminal: `` from `data/orders.parquet` ``. Hand it to the embedded connection
 * as one of its `typed` sources; it is described, run and cached there like those of quern.yaml. Callers of a server, sandboxes and saved queries must never
 * come here: what they write would name files. `folder` is where a relative path begins, `options` say how the files are read, as far as they take them. Throws QuernError `usage` for a path that cannot be a source.
 */
export function definitionOfPath(path: string, folder: string, options: RawFileOptions = {}): SourceDefinition {
  const format = formatOf(path);
  if (format === undefined)
    throw new QuernError('usage', `${path}: its extension is not a known format`, {
      hint: `files in FROM end in ${ENDINGS}; for others, declare a source with format: in quern.yaml`,
    });
  const problems: QuernError[] = [];
  const taken = Object.fromEntries(FILE_OPTION_NAMES.flatMap((name) => (takesOption(format, name) ? [[name, options[name]]] : [])));
  const files = readFilesDefinition({ file: isAddress(path) ? path : resolve(folder, path), ...taken }, [], ([key], message, hint) => {
    const place = key === undefined || key === 'file' ? '' : `${key} `;
    problems.push(new QuernError('usage', `${path}: ${place}${message}`, { hint }));
    return undefined;
  });
  const [problem] = problems;
  if (problem !== undefined || files === undefined) throw problem ?? new RangeError('a definition or a problem');
  return {
    name: path,
    aliases: [],
    table: fileTable(path),
    files: { ...files, byUser: true },
    suffix: suffixOfFiles(files.patterns),
    columns: {},
    fields: {},
    sameAs: {},
    rows: {},
  };
}

const ENDINGS = `${Object.values(FORMATS)
  .map(({ endings: [first] }) => `.${first}`)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ')}, perhaps compressed`;

/** No table of the user's is called so. */
const fileTable = (name: string): string => `files.${name}`;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const PART = /(?:`((?:[^`\\]|\\.)+)`|([^.`\s]+))/.source;

function tableParts(text: string): { readonly database?: string; readonly table: string } | undefined {
  const match = new RegExp(`^(?:${PART}\\.)?${PART}$`).exec(text);
  if (match === null) return undefined;
  const [, quotedDatabase, database = quotedDatabase, quotedTable, table = quotedTable] = match;
  if (table === undefined) return undefined;
  return database === undefined ? { table } : { database, table };
}

/** `Body`, or `ResourceAttributes['project']`. */
function columnReference(text: string): ColumnReference | undefined {
  const match = /^([^[\]'"]+?)(?:\[\s*(?:'([^']*)'|"([^"]*)")\s*\])?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, column = '', single, double] = match;
  const key = single ?? double;
  return key === undefined ? { column } : { column, key };
}
