// The `sources:` section of quern.yaml: which table stands for a source, and where its columns are.
import { resolve } from 'node:path';
import { didYouMean, nearest, QuernError } from '../base/errors.ts';
import { readFields } from '../fields/field.ts';
import { isMapping, readSection, refuseOthers, type Section, ValueAt } from '../fields/value-at.ts';
import {
  FILE_FIELDS,
  LAYOUT_FIELDS,
  LAYOUT_SETTINGS,
  OF_RECORDS,
  PRESET_FIELDS,
  SOURCE_FIELD_NAMES,
  SOURCE_FIELDS,
  SOURCE_NAME,
} from './fields.ts';
import { isAddress, readFilesDefinition } from './files/definition.ts';
import { FORMATS, formatOf } from './files/formats.ts';
import { FILE_OPTION_NAMES, type RawFileOptions, takesOption } from './files/options.ts';
import { suffixOfFiles } from './files/suffix.ts';
import { presetDefinitions } from './presets/preset.ts';
import { PRESETS } from './presets/presets.ts';
import { bareDefinition, type SourceDefinition } from './source-definition.ts';

export type { SourceDefinition } from './source-definition.ts';

/** The sections of quern.yaml that say what names in FROM are. Whatever is remembered of tables and queries is remembered for all of them as they were read. */
export type Sections = Readonly<Partial<Record<'sources' | 'names', Section>>>;

/** The definitions of a section. Throws QuernError `config` with every problem and its place. */
export const readDefinitions = (section: Section): readonly SourceDefinition[] =>
  readSection(section, { what: 'the section sources', above: ['sources'] }, (sources) => {
    const { value } = sources;
    if (value !== undefined && value !== null && !isMapping(value)) sources.problem('must be a mapping of source names to tables');
    const preset = readPreset(sources);
    const others = preset === undefined ? sources.names : sources.names.filter((name) => !PRESET_FIELDS.includes(name));
    const own = others.flatMap((name) => readDefinition(name, sources.at(name)) ?? []);
    const definitions = [...own, ...(preset ?? []).filter(({ name }) => !own.some((one) => one.name === name))];
    refuseTwins(definitions, sources);
    return definitions;
  });

/** The log sources of `preset: supabase` with the `table` beside it; undefined where the section names no preset: a source may be called so. */
function readPreset(sources: ValueAt): readonly SourceDefinition[] | undefined {
  const value = sources.at('preset');
  if (!sources.has('preset') || isMapping(value.value)) return undefined;
  const preset = PRESETS.find(({ name }) => name === value.value);
  const names = PRESETS.map(({ name }) => name);
  if (preset === undefined) {
    return value.problem(`is not one of: ${names.join(', ')}`, didYouMean(String(value.value), names)) ?? [];
  }
  const table = sources.at('table');
  if (!sources.has('table')) return sources.problem('has a preset and no table', 'write table: database.table next to it') ?? [];
  const written = SOURCE_FIELDS.table.read(table);
  const parts = written === undefined ? undefined : (tableParts(written) ?? notTable(table, written));
  return parts === undefined ? [] : presetDefinitions(preset, parts);
}

const notTable = (table: ValueAt, written: string): undefined => table.problem(`${JSON.stringify(written)} is not table or database.table`);

function refuseTwins(definitions: readonly SourceDefinition[], sources: ValueAt): void {
  const owners = new Map<string, string>();
  for (const { name, aliases } of definitions) {
    for (const known of [name, ...aliases]) {
      const owner = owners.get(known.toLowerCase());
      if (owner !== undefined) sources.at(name).problem(`uses the name ${known}, which the source ${owner} already has`);
      owners.set(known.toLowerCase(), name);
    }
  }
}

function readDefinition(name: string, value: ValueAt): SourceDefinition | undefined {
  if (!SOURCE_NAME.test(name))
    value.problem('is not a valid source name', 'use letters, digits, dots, dashes and underscores, with * at the end for a wildcard');
  if (!isMapping(value.value)) return value.problem('must be a mapping with a table or a file', `write ${name}: { table: database.table }`);
  refuseOthers(value, 'a field of a source', SOURCE_FIELD_NAMES);
  const table = value.has('file') ? filesOf(name, value) : tableOf(value);
  const { table: _, ...others } = SOURCE_FIELDS;
  const known = readFields(value, others);
  const files = table !== undefined && 'files' in table ? table.files : undefined;
  const { columns = {}, fields = {}, same_as: sameAs = {}, rows = {}, aliases = [], schema, sharding_key: shardingKey, ...plain } = known;
  const suffix = plain.suffix ?? (files === undefined ? undefined : suffixOfFiles(files.patterns));
  const many = files === undefined && table?.table.endsWith('*') === true;
  checkWildcard(
    { name, isFiles: files !== undefined, isTable: table !== undefined, many, suffix, cluster: plain.cluster, shardingKey },
    value,
  );
  if (plain.kind === 'table') {
    for (const key of OF_RECORDS.filter((field) => value.has(field)))
      value.at(key).problem('only applies to records of log events', `leave it out, or write "kind: logs"`);
  }
  const layoutSettings = readLayoutSettings(value, plain.layout);
  if (table === undefined) return undefined;
  return {
    name,
    aliases,
    ...table,
    ...(many ? { table: table.table.slice(0, -1), wildcard: true as const } : {}),
    ...plain,
    suffix,
    columns,
    fields,
    sameAs,
    rows,
    ...(layoutSettings === undefined ? {} : { layoutSettings }),
    ...(shardingKey === undefined ? {} : { shardingKey }),
    ...(schema === undefined ? {} : { schema }),
  };
}

function tableOf(source: ValueAt): { readonly database?: string; readonly table: string } | undefined {
  for (const key of FILE_FIELDS.filter((field) => source.has(field)))
    source.at(key).problem('only applies to files', 'write file: data/orders.csv');
  const isMisspelt = source.names.some((key) => ['table', 'file'].includes(nearest(key, SOURCE_FIELD_NAMES) ?? ''));
  if (!source.has('table') && isMisspelt) return undefined;
  if (!source.has('table'))
    return source.problem('names neither a table nor files', 'write `table: database.table` or `file: data/orders.csv`');
  const table = source.at('table');
  const written = SOURCE_FIELDS.table.read(table);
  if (written === undefined) return undefined;
  return tableParts(written) ?? notTable(table, written);
}

function filesOf(name: string, source: ValueAt) {
  const files = readFilesDefinition(source);
  return files === undefined ? undefined : { table: fileTable(name), files };
}

interface Wildcard extends Pick<SourceDefinition, 'name' | 'suffix' | 'cluster' | 'shardingKey'> {
  readonly isFiles: boolean;
  readonly isTable: boolean;
  /** Its table stands for all whose names begin so. */
  readonly many: boolean;
}

function checkWildcard({ name, suffix, cluster, shardingKey, isFiles, isTable, many }: Wildcard, source: ValueAt): void {
  if (many && suffix !== undefined)
    source.at('suffix').problem('only applies to a single table', 'leave it out: the suffix is that of each table');
  if (many && cluster !== undefined)
    source.at('cluster').problem('only applies to a single table', 'create a Distributed table for each of them');
  if (many && shardingKey !== undefined) source.at('sharding_key').problem('only applies to a single table', 'leave it out');
  if (!name.endsWith('*') || many || suffix !== undefined || !(isTable || isFiles)) return;
  if (isFiles)
    source.problem(
      'ends with *, but its files do not have exactly one * to take the suffix from',
      `set it, such as suffix: REGEXP_EXTRACT(_FILE_NAME, r'${name.slice(0, -1).split('.').at(-1)}([0-9]+)')`,
    );
  else
    source.problem(
      'ends with *, but its table does not',
      'write `table: database.events_*`, or set `suffix` to the column that holds _TABLE_SUFFIX',
    );
}

function readLayoutSettings(source: ValueAt, layout: string | undefined): Readonly<Record<string, string>> | undefined {
  for (const { layout: owner, setting } of LAYOUT_SETTINGS) {
    if (source.has(setting) && layout !== owner)
      source.at(setting).problem(`only applies to the layout ${owner}`, `add "layout: ${owner}", or leave out ${setting}`);
  }
  const known = Object.entries(readFields(source, LAYOUT_FIELDS)).filter((one): one is [string, string] => one[1] !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/**
 * The source that a path in FROM stands for, which the user has typed at a terminal: `` from `data/orders.parquet` ``. Hand it to the embedded connection
 * as one of its `typed` sources; it is described, run and cached there like those of quern.yaml. Callers of a server, sandboxes and saved queries must never
 * come here: what they write would name files. `folder` is where a relative path begins, for one with `~/` the user's own, `options` say how the files are read, as far as they take them. Throws QuernError `usage` for a path that cannot be a source.
 */
export function definitionOfPath(path: string, folder: string, options: RawFileOptions = {}): SourceDefinition {
  const format = formatOf(path);
  if (format === undefined)
    throw new QuernError('usage', `${path}: its extension is not a known format`, {
      hint: `files in FROM end in ${ENDINGS}; for others, declare a source with format: in quern.yaml`,
    });
  const problems: QuernError[] = [];
  const taken = Object.fromEntries(FILE_OPTION_NAMES.flatMap((name) => (takesOption(format, name) ? [[name, options[name]]] : [])));
  const source = new ValueAt(
    { file: isAddress(path) ? path : resolve(folder, path.replace(/^~\//, '')), ...taken },
    {
      report({ path: [key], message, hint }) {
        const place = key === undefined || key === 'file' ? '' : `${key} `;
        problems.push(new QuernError('usage', `${path}: ${place}${message}`, { hint }));
      },
    },
  );
  const files = readFilesDefinition(source);
  const [problem] = problems;
  if (problem !== undefined || files === undefined) throw problem ?? new RangeError('a definition or a problem');
  return {
    ...bareDefinition(path, { table: fileTable(path) }),
    files: { ...files, byUser: true },
    suffix: suffixOfFiles(files.patterns),
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
