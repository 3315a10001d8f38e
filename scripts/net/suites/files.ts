// Files as `query` reads them, and as a table holds them that `load` made of the same file: types and values, where people can read them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { QuernError } from '../../../src/base/errors.ts';
import type { QueryResult } from '../../../src/base/result.ts';
import { schemaFlag } from '../../../src/cli/arguments/schema-flag.ts';
import { prepare } from '../../../src/execution/prepare.ts';
import { run } from '../../../src/execution/run.ts';
import { typeName } from '../../../src/sql/base/types.ts';
import { type OpenGroup, openGroup } from '../../collection/run-group.ts';
import { EXPORTED_FILES } from '../files/exported.ts';
import { type FileOptions, type NetFile, requestFor, writeFile } from '../files/file.ts';
import { TEXT_FILES } from '../files/texts.ts';
import { TYPED_FILES } from '../files/typed.ts';
import { hash, type Line } from '../line.ts';
import type { Suite } from '../suite.ts';

const FILES: Readonly<Record<string, readonly NetFile[]>> = { text: TEXT_FILES, typed: TYPED_FILES, exported: EXPORTED_FILES };

/** How a file comes back: its columns, or why it is refused. */
type Read = Columns | { readonly refused: string };
interface Columns {
  readonly columns: ReadonlyMap<string, { readonly type: string; readonly values: string }>;
}

export const files: Suite = {
  units: () => Object.keys(FILES),
  async lines(unit) {
    const some = FILES[unit] ?? [];
    const project = mkdtempSync(join(tmpdir(), 'quern-net-'));
    const sources = some.flatMap(({ name, options }) => (options === undefined ? [] : [[nameOf(name), { file: name, ...options }]]));
    writeFileSync(join(project, 'quern.yaml'), stringify({ sources: Object.fromEntries(sources) }));
    const opened = await openGroup({ folder: project, statements: [], events: {}, sandbox: undefined });
    try {
      for (const file of some) await writeFile(opened, file);
      const lines: Line[] = [];
      for (const file of some) lines.push(...linesOf(unit, file, await queried(opened, file), await loaded(opened, file)));
      return lines;
    } finally {
      await opened.close();
      rmSync(project, { recursive: true, force: true });
    }
  },
};

/** Of a source, or of a table. */
const nameOf = (file: string): string => file.replaceAll(/\W/g, '_');

const queried = (opened: OpenGroup, { name, options }: NetFile): Promise<Read> =>
  outcome(opened, () => rowsOf(opened, options === undefined ? name : nameOf(name)));

const loaded = (opened: OpenGroup, { name, options = {} }: NetFile): Promise<Read> =>
  outcome(opened, async () => {
    const store = await opened.services.store();
    const table = `loaded_${nameOf(name)}`;
    const { files: reports } = await store.loadTable(table, [join(opened.folder, name)], await loadOptions(options, opened.folder));
    const bad = reports.flatMap(({ badLines }) => badLines.first);
    if (bad.length > 0) throw new QuernError('load', `bad lines: ${bad.map(({ line, reason }) => `${line}: ${reason}`).join('; ')}`);
    return rowsOf(opened, table);
  });

const loadOptions = async ({ schema, delimiter, header, skip_leading_rows, encoding, null_text }: FileOptions, folder: string) => ({
  ...(schema === undefined ? {} : { schema: (await schemaFlag(schema, folder)).columns }),
  delimiter,
  header,
  skipLeadingRows: skip_leading_rows,
  encoding,
  nullText: null_text,
});

/** In the order of the first column: a table need not keep that of its file. */
async function rowsOf(opened: OpenGroup, from: string): Promise<QueryResult> {
  const request = await requestFor(opened, `select * from \`${from}\` order by 1`);
  const { result } = await opened.services.running(
    async (current) => run(await prepare(request, current), request, current),
    request.files,
  );
  return result;
}

async function outcome({ folder }: OpenGroup, read: () => Promise<QueryResult>): Promise<Read> {
  try {
    const { columns, rows } = await read();
    const valuesOf = (at: number): string => shortened(escaped(rows.map((row) => JSON.stringify(row[at], printable) ?? 'null').join(' ')));
    return { columns: new Map(columns.map(({ name, type }, at) => [name, { type: typeName(type), values: valuesOf(at) }])) };
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    const places = new RegExp(`${folder}/|${process.cwd()}/|\\/tmp\\/[^ ]*\\/`, 'g');
    return { refused: `${error.code}: ${error.message.replaceAll(places, '').replaceAll('\n', ' ')}` };
  }
}

/** Characters that editors do not show, as JSON writes them. */
const escaped = (text: string): string =>
  text.replace(/[\u007f-\u009f\u2028\u2029\ufffd]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

const printable = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? String(value) : value;

/** What is cut is compared by its hash. */
const LONGEST = 160;
const shortened = (values: string): string => (values.length > LONGEST ? `${values.slice(0, LONGEST)}… ${hash(values, 8)}` : values);

/** One for each column, and one for the file where it is refused in one of the ways. */
function linesOf(unit: string, file: NetFile, query: Read, load: Read): readonly Line[] {
  const { name } = file;
  const text = 'query' in file ? file.query : 'select' in file ? file.select : String(file.content);
  const line = (id: string, said: string): Line => ({ id: `${unit}/${id}`.replaceAll(/\s/g, '_'), text, outcome: said, whole: said });
  const oneWay = ({ columns }: Columns, way: string): readonly Line[] =>
    [...columns].map(([column, { type, values }]) => line(`${name}/${column}`, `${way} ${type}: ${values}`));
  if ('refused' in query)
    return 'refused' in load
      ? [line(name, both(query.refused, load.refused))]
      : [line(name, `query ${query.refused}`), ...oneWay(load, 'load')];
  if ('refused' in load) return [line(name, `load ${load.refused}`), ...oneWay(query, 'query')];
  return [...new Set([...query.columns.keys(), ...load.columns.keys()])].map((column) => {
    const [a, b] = [query.columns.get(column), load.columns.get(column)];
    return line(`${name}/${column}`, `${both(a?.type ?? 'no column', b?.type ?? 'no column')}: ${both(a?.values ?? '', b?.values ?? '')}`);
  });
}

const both = (query: string, load: string): string => (query === load ? query : `query ${query} · load ${load}`);
