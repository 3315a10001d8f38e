// The `sources:` section of quern.yaml: which table stands for a source, and where its columns are.
import { resolve } from 'node:path';
import { messageAbout, nearest, type Problem, QuernError } from '../base/errors.ts';
import { positionAt, type SourceText, type Span } from '../base/source-text.ts';
import {
  FILE_FIELDS,
  isMapping,
  LAYOUT_SETTINGS,
  OF_RECORDS,
  type Path,
  type RawFields,
  type Report,
  SOURCE_FIELD_NAMES,
  SOURCE_FIELDS,
  SOURCE_NAME,
} from './fields.ts';
import { isAddress, readFilesDefinition } from './files/definition.ts';
import { FORMATS, formatOf } from './files/formats.ts';
import { FILE_OPTION_NAMES, type RawFileOptions, takesOption } from './files/options.ts';
import { suffixOfFiles } from './files/suffix.ts';
import type { SourceDefinition } from './source-definition.ts';

export type { SourceDefinition } from './source-definition.ts';

/** A section of a YAML file: its value, and where in the file the value at a path stands. */
export interface Section {
  readonly value: unknown;
  readonly source?: SourceText | undefined;
  spanAt?(path: readonly string[]): Span | undefined;
}

/** The sections of quern.yaml that say what names in FROM are. Whatever is remembered of tables and queries is remembered for all of them as they were read. */
export type Sections = Readonly<Partial<Record<'sources' | 'names', Section>>>;

interface Problems {
  readonly report: Report;
  readonly found: { readonly path: Path; readonly message: string; readonly hint: string | undefined }[];
}

function problems(): Problems {
  const found: Problems['found'] = [];
  return {
    found,
    report(path, message, hint) {
      found.push({ path, message, hint });
      return undefined;
    },
  };
}

/** The definitions of a section. Throws QuernError `config` with every problem and its place. */
export function readDefinitions(section: Section): readonly SourceDefinition[] {
  const { report, found } = problems();
  const { value } = section;
  const isAbsent = value === undefined || value === null;
  if (!isAbsent && !isMapping(value)) report([], 'must be a mapping of source names to tables');
  const definitions = Object.entries(isMapping(value) ? value : {}).flatMap(([name, raw]) => readDefinition(name, raw, report) ?? []);
  refuseTwins(definitions, report);
  if (found.length > 0) throw problemsIn(section, found);
  return definitions;
}

function refuseTwins(definitions: readonly SourceDefinition[], report: Report): void {
  const owners = new Map<string, string>();
  for (const { name, aliases } of definitions) {
    for (const known of [name, ...aliases]) {
      const owner = owners.get(known.toLowerCase());
      if (owner !== undefined) report([name], `uses the name ${known}, which the source ${owner} already has`);
      owners.set(known.toLowerCase(), name);
    }
  }
}

/** All problems as one error, at the place of the first. */
function problemsIn(section: Section, found: Problems['found']): QuernError {
  const startOf = ({ path }: { readonly path: Path }): number => section.spanAt?.(path)?.start ?? 0;
  const [first = { path: [], message: '', hint: undefined }] = found.sort((a, b) => startOf(a) - startOf(b));
  const named = (path: Path): string => ['sources', ...path].join('.').replace(/\.(\d+)(?=\.|$)/g, '[$1]');
  const span = section.spanAt?.(first.path);
  const place = section.source === undefined || span === undefined ? {} : { source: section.source, span };
  if (found.length === 1) return new QuernError('config', messageAbout(named(first.path), first.message), { ...place, hint: first.hint });
  return new QuernError('config', `the sources have ${found.length} problems`, {
    ...place,
    problems: found.map(({ path, message, hint }): Problem => {
      const at = section.spanAt?.(path);
      const kind = section.source === undefined || at === undefined ? 'invalid' : `line ${positionAt(section.source.text, at.start).line}`;
      return { kind, name: named(path), message: `${message}${hint === undefined ? '' : ` (${hint})`}` };
    }),
  });
}

function readDefinition(name: string, raw: unknown, report: Report): SourceDefinition | undefined {
  const at = [name];
  if (!SOURCE_NAME.test(name))
    report(at, 'is not a valid source name', 'use letters, digits, dots, dashes and underscores, with * at the end for a wildcard');
  if (!isMapping(raw)) return report(at, 'must be a mapping with a table or a file', `write ${name}: { table: database.table }`);
  refuseOthers(raw, at, report);
  const table = raw['file'] === undefined ? tableOf(raw, at, report) : filesOf(name, raw, at, report);
  const get = <K extends keyof typeof SOURCE_FIELDS>(key: K) =>
    raw[key] === undefined
      ? undefined
      : (SOURCE_FIELDS[key].read(raw[key], [...at, key], report) as ReturnType<(typeof SOURCE_FIELDS)[K]['read']>);
  const files = table !== undefined && 'files' in table ? table.files : undefined;
  const read = {
    suffix: get('suffix') ?? (files === undefined ? undefined : suffixOfFiles(files.patterns)),
    partition: get('partition'),
    cluster: get('cluster'),
    kind: get('kind'),
    layout: get('layout'),
    records: get('records'),
    columns: get('columns') ?? {},
    fields: get('fields') ?? {},
    sameAs: get('same_as') ?? {},
    rows: get('rows') ?? {},
  };
  const schema = get('schema');
  const aliases = get('aliases') ?? [];
  const many = files === undefined && table?.table.endsWith('*') === true;
  checkWildcard({ name, isFiles: files !== undefined, isTable: table !== undefined, many, ...read }, at, report);
  if (read.kind === 'table') {
    for (const key of OF_RECORDS) {
      if (raw[key] !== undefined) report([...at, key], 'only applies to records of log events', `leave it out, or write "kind: logs"`);
    }
  }
  const layoutSettings = readLayoutSettings(raw, read.layout, at, report);
  if (table === undefined) return undefined;
  return {
    name,
    aliases,
    ...table,
    ...(many ? { table: table.table.slice(0, -1), wildcard: true as const } : {}),
    ...read,
    ...(layoutSettings.length === 0 ? {} : { layoutSettings: Object.fromEntries(layoutSettings) }),
    ...(schema === undefined ? {} : { schema }),
  };
}

function refuseOthers(raw: RawFields, at: Path, report: Report): void {
  for (const key of Object.keys(raw)) {
    if (SOURCE_FIELD_NAMES.includes(key)) continue;
    const near = nearest(key, SOURCE_FIELD_NAMES);
    const hint = near === undefined ? `the fields are ${SOURCE_FIELD_NAMES.join(', ')}` : `did you mean ${near}?`;
    report([...at, key], 'is not a field of a source', hint);
  }
}

function tableOf(raw: RawFields, at: Path, report: Report): { readonly database?: string; readonly table: string } | undefined {
  for (const key of FILE_FIELDS) if (raw[key] !== undefined) report([...at, key], 'only applies to files', 'write file: data/orders.csv');
  const isMisspelt = Object.keys(raw).some((key) => ['table', 'file'].includes(nearest(key, SOURCE_FIELD_NAMES) ?? ''));
  if (!('table' in raw) && isMisspelt) return undefined;
  if (!('table' in raw)) return report(at, 'names neither a table nor files', 'write `table: database.table` or `file: data/orders.csv`');
  const path = [...at, 'table'];
  const written = SOURCE_FIELDS.table.read(raw['table'], path, report);
  if (written === undefined) return undefined;
  return tableParts(written) ?? report(path, `${JSON.stringify(written)} is not table or database.table`);
}

function filesOf(name: string, raw: RawFields, at: Path, report: Report) {
  const files = readFilesDefinition(raw, at, report);
  return files === undefined ? undefined : { table: fileTable(name), files };
}

interface Wildcard extends Pick<SourceDefinition, 'name' | 'suffix' | 'cluster'> {
  readonly isFiles: boolean;
  readonly isTable: boolean;
  /** Its table stands for all whose names begin so. */
  readonly many: boolean;
}

function checkWildcard({ name, suffix, cluster, isFiles, isTable, many }: Wildcard, at: Path, report: Report): void {
  if (many && suffix !== undefined)
    report([...at, 'suffix'], 'only applies to a single table', 'leave it out: the suffix is that of each table');
  if (many && cluster !== undefined)
    report([...at, 'cluster'], 'only applies to a single table', 'create a Distributed table for each of them');
  if (!name.endsWith('*') || many || suffix !== undefined || !(isTable || isFiles)) return;
  if (isFiles)
    report(
      at,
      'ends with *, but its files do not have exactly one * to take the suffix from',
      `set it, such as suffix: REGEXP_EXTRACT(_FILE_NAME, r'${name.slice(0, -1).split('.').at(-1)}([0-9]+)')`,
    );
  else
    report(
      at,
      'ends with *, but its table does not',
      'write `table: database.events_*`, or set `suffix` to the column that holds _TABLE_SUFFIX',
    );
}

function readLayoutSettings(raw: RawFields, layout: string | undefined, at: Path, report: Report): readonly (readonly [string, string])[] {
  return LAYOUT_SETTINGS.flatMap(({ layout: owner, setting }) => {
    const value = raw[setting];
    if (value === undefined) return [];
    const path = [...at, setting];
    if (layout !== owner) report(path, `only applies to the layout ${owner}`, `add "layout: ${owner}", or leave out ${setting}`);
    if (typeof value === 'string' && value !== '') return [[setting, value] as const];
    report(path, 'must be text');
    return [];
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

const PART = /(?:`((?:[^`\\]|\\.)+)`|([^.`\s]+))/.source;

function tableParts(text: string): { readonly database?: string; readonly table: string } | undefined {
  const match = new RegExp(`^(?:${PART}\\.)?${PART}$`).exec(text);
  if (match === null) return undefined;
  const [, quotedDatabase, database = quotedDatabase, quotedTable, table = quotedTable] = match;
  if (table === undefined) return undefined;
  return database === undefined ? { table } : { database, table };
}
