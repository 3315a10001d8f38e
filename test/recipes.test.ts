// The recipes of docs/architecture.md, all followed in one copy of src/: what they name is all that has to be touched.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'quern-recipes-')));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Puts `line` below the first that holds `below`. */
function addLine(file: string, below: string, line: string): void {
  const lines = readFileSync(join(copy, file), 'utf8').split('\n');
  const at = lines.findIndex((one) => one.includes(below));
  expect(at, `${file} has ${below}`).not.toBe(-1);
  writeFileSync(join(copy, file), lines.toSpliced(at + 1, 0, line).join('\n'));
}

const addFile = (file: string, text: string): void => writeFileSync(join(copy, file), text);

beforeAll(() => {
  for (const part of ['src', 'package.json']) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

  // A function: its entry.
  addLine(
    'src/sql/functions/conditional.ts',
    'export const conditional = (): Family => ({',
    "  TEN_TIMES: define('value INT64 -> INT64', ({ value }) => infix('*', value, { kind: 'lit', value: 10 }), { strict: 'any' }),",
  );

  // An aggregate: its entry.
  addLine(
    'src/sql/functions/aggregate/aggregate.ts',
    'export const aggregate = (): Family => ({',
    "  TEN_IF_ANY: defineAggregate('value INT64 -> INT64', ({ value }, c) => infix('*', c.aggregate('any', [value]), lit(10))),",
  );

  // A rule: a file and its line.
  addFile(
    'src/sql/optimizer/rules/drop-limits.ts',
    `import type { Rule } from '../rule.ts';

export const dropLimits: Rule = { name: 'drop-limits', changes: () => ({ relations: { order_limit: (rel) => rel.input } }) };
`,
  );
  addLine('src/sql/optimizer/rules/index.ts', "import type { Rule } from '../rule.ts';", "import { dropLimits } from './drop-limits.ts';");
  addLine('src/sql/optimizer/rules/index.ts', 'export const FITTING', '  dropLimits,');

  // A layout: a folder and its line. Nothing misses one that is taken away with its line.
  rmSync(join(copy, 'src/sql/layouts/flat'), { recursive: true });
  const layouts = join(copy, 'src/sql/layouts/records.ts');
  const without = readFileSync(layouts, 'utf8').replace(/^import .*flat\/layout.*\n/m, '');
  writeFileSync(layouts, without.replace(/, FLAT\b/, ''));

  // A kind of source: a folder and its line.
  mkdirSync(join(copy, 'src/sources/numbers'));
  addFile(
    'src/sources/numbers/numbers.ts',
    `// Numbers from 1: numbers_3 has three rows.
import type { SourceKind } from '../kind.ts';

export const numbersKind: SourceKind = {
  async find(name) {
    const last = /^numbers_(\\d+)$/.exec(name)?.[1];
    if (last === undefined) return undefined;
    const query = \`SELECT n FROM UNNEST(GENERATE_ARRAY(1, \${last})) AS n\`;
    return { read: () => ({ name, table: '', columns: [], query }) };
  },
};
`,
  );
  addLine('src/sources/kinds.ts', "from './log/log.ts'", "import { numbersKind } from './numbers/numbers.ts';");
  addLine('src/sources/kinds.ts', '  logKind(place),', '  numbersKind,');

  // A command: a file and its line.
  addFile(
    'src/cli/commands/greet.ts',
    `import type { Command } from 'commander';
import type { Parts } from '../parts.ts';

export function register(command: Command, { io, settings }: Parts): void {
  command.action(async () => io.stdout.write((await settings()).values.greeting));
}
`,
  );
  addLine(
    'src/cli/commands/index.ts',
    'export const commands',
    "  { name: 'greet', group: 'Ask', summary: 'greet somebody', load: () => import('./greet.ts') },",
  );

  // A setting, which is a flag of every command: its row.
  addLine(
    'src/config/settings.ts',
    'export const SETTINGS = withVariables({',
    "  greeting: setting<string>({ kind: FOLDER, fallback: () => '', env: 'GREETING', flag: 'greeting', everywhere: { value: 'word' }, help: 'how' }),",
  );

  // A kind of check: its entry.
  addLine(
    'src/queries/header/rules.ts',
    'export const RULES = {',
    "  positive: rule({ field: columnsOf('positive'), name: () => 'positive', sql: ({ columns }) => columns.join() }),",
  );

  // A format: its row, a file, and its line.
  addLine('src/base/formats.ts', 'export const FORMATS = {', "  list: { kind: 'whole', extensions: ['.list'] },");
  addFile(
    'src/output/list.ts',
    `import type { Format } from './format.ts';

export const list: Format = ({ rows }) => rows.map((row) => \`- \${row.join(', ')}\\n\`);
`,
  );
  addLine('src/output/index.ts', 'const writers', "  list: async () => (await import('./list.ts')).list,");
});

test('what the recipes name is all that the compiler asks for', () => {
  addFile(
    'tsconfig.json',
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { rootDir: copy, typeRoots: [join(root, 'node_modules/@types')] },
      include: ['src'],
      exclude: ['src/server/console'],
    }),
  );
  const { stdout, status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', copy], { encoding: 'utf8' });
  expect([stdout, status]).toEqual(['', 0]);
});

test('the function is translated, and stands on its page; the rule is applied; the layout is gone', async () => {
  const load = <T>(file: string): Promise<T> => import(join(copy, file));
  const { translate } = await load<typeof import('../src/sql/index.ts')>('src/sql/index.ts');
  const { sql } = translate('select ten_times(x) as n from unnest([4]) as x limit 3');
  expect(sql).toContain('* 10 AS n');
  expect(translate('select ten_if_any(x) as n from unnest([4]) as x').sql).toContain('anyOrNull(x) * 10');
  expect(sql).not.toContain('LIMIT');
  const { dialectPage } = await load<typeof import('../src/sql/lint/page.ts')>('src/sql/lint/page.ts');
  expect(dialectPage()).toContain('TEN_TIMES');
  const { RECORD_LAYOUTS } = await load<typeof import('../src/sql/layouts/records.ts')>('src/sql/layouts/records.ts');
  expect(RECORD_LAYOUTS.map(({ name }) => name)).toEqual(['json', 'nested', 'map', 'text']);
});

test('the kind of source is read', async () => {
  const load = <T>(file: string): Promise<T> => import(join(copy, file));
  const { openServices } = await load<typeof import('../src/services.ts')>('src/services.ts');
  const { prepareQuery } = await load<typeof import('../src/execution/prepared-query.ts')>('src/execution/prepared-query.ts');
  const { parseSavedQuery } = await load<typeof import('../src/queries/header/header.ts')>('src/queries/header/header.ts');
  const { quietIo } = await load<typeof import('../src/process-io.ts')>('src/process-io.ts');
  const flags = () => ({ store: join(copy, 'store'), cacheDir: join(copy, 'cache') });
  const services = openServices({ io: quietIo(() => undefined), signal: new AbortController().signal, flags });
  const query = parseSavedQuery({ name: 'q.sql', text: 'select sum(n) as n from numbers_3' }, 'q');
  expect((await prepareQuery(query, await services.preparing())).sources).toEqual(['numbers_3']);
});

test('the command runs with the flag of the setting, and has its page; the format is found by its name and its ending', async () => {
  const load = <T>(file: string): Promise<T> => import(join(copy, file));
  const { main } = await load<typeof import('../src/cli/main.ts')>('src/cli/main.ts');
  const { quietIo } = await load<typeof import('../src/process-io.ts')>('src/process-io.ts');
  const said: string[] = [];
  const io = quietIo((text) => void said.push(text));
  const stdout = { ...io.stdout, write: async (data: string | Uint8Array) => void said.push(String(data)) };
  expect([await main(['greet', '--greeting', '/hello'], { ...io, stdout }), said]).toEqual([0, ['/hello']]);
  const { madeFiles } = await load<typeof import('../src/docs/index.ts')>('src/docs/index.ts');
  const made = await madeFiles();
  expect(made.get('docs/commands/greet.md')).toContain('Greet somebody.');
  expect(made.get('docs/commands/README.md')).toContain('`--greeting <word>`');
  expect(made.get('docs/configuration.md')).toContain('`GREETING`');
  expect(made.get('schemas/project.json')).toContain('"greeting"');
  expect(made.get('schemas/checks.json')).toContain('"positive"');
  expect(made.get('docs/commands/run.md')).toContain('list, table, chart');
  const { loadFormat, readTarget } = await load<typeof import('../src/output/index.ts')>('src/output/index.ts');
  const { format } = readTarget(undefined, 'rows.list');
  const print = await loadFormat(format as 'json'); // its type does not know the copy's formats
  expect([format, ...print({ columns: [], rows: [[1, 'a']], truncated: false }, { width: undefined, colour: false })]).toEqual([
    'list',
    '- 1, a\n',
  ]);
});
