// The walls of the house: which folder of src/ may import which, the same for the rooms of src/sql/, and who may use which package. Equal to
// docs/architecture.md.
import { describe, expect, test } from 'vitest';
import { type Import, importsOf, textsOf } from './support/source-imports.ts';

type Layers = Readonly<Record<string, readonly string[]>>;

/** Files at the bottom, which everybody may import. */
const ground = [
  'clickhouse',
  'errors',
  'source-text',
  'result',
  'quantity',
  'formats',
  'io',
  'make-folder',
  'replace-file',
  'lock-file',
  'json-schema',
];

/** From top to bottom; `:type` allows `import type` only. */
const layers: Layers = {
  docs: ['cli', 'app', 'commands', 'config', 'sources', 'sql'],
  cli: ['app', 'commands', 'output', 'package-file', 'process-io'],
  index: ['app', 'sql', 'process-io'],
  commands: [
    'app:type',
    'completion',
    'checks',
    'http',
    'output',
    'demo',
    'doctor:type',
    'keys',
    'migrate',
    'verify',
    'execution:type',
    'saved-query:type',
    'sources:type',
  ],
  http: ['execution', 'saved-query', 'keys', 'cache', 'output', 'engine', 'sql:type'],
  app: [
    'config',
    'output',
    'doctor',
    'checks',
    'migrate',
    'connection',
    'store',
    'execution',
    'saved-query',
    'sources',
    'cache',
    'engine',
    'sql:type',
    'package-file',
  ],
  completion: [],
  demo: [],
  keys: [],
  checks: ['output', 'execution', 'saved-query', 'sql'],
  migrate: ['output', 'execution', 'saved-query', 'sql'],
  verify: ['output', 'saved-query', 'engine', 'sql'],
  config: [],
  output: [],
  doctor: ['config:type', 'connection:type', 'saved-query:type', 'sources:type'],
  connection: ['config:type', 'store', 'execution', 'sources', 'cache', 'engine', 'sql'],
  store: ['engine', 'sources'],
  execution: ['saved-query', 'sql', 'sources', 'engine', 'cache'],
  'saved-query': ['sql', 'sources', 'engine:type'],
  sources: ['sql', 'engine:type'],
  cache: ['sql:type', 'engine:type'],
  engine: ['sql:type'],
  sql: [],
  'package-file': [],
  'process-io': [],
  clickhouse: [],
  errors: [],
  'source-text': [],
  result: ['sql:type'],
  quantity: [],
  formats: [],
  io: [],
  'make-folder': [],
  'replace-file': [],
  'lock-file': [],
  'json-schema': [],
};

/** The translator's own: types of values, civil time, and how it fails. */
const groundOfSql = ['bounds', 'budget', 'fail', 'types', 'civil', 'size'];

/** From top to bottom; what functions write is the target's tree, so that the target lies below them. */
const roomsOfSql: Layers = {
  index: ['compile', 'lint', 'translation', 'syntax'],
  compile: ['for-arguments', 'lower', 'optimizer', 'analyzer', 'translation', 'logical', 'target', 'syntax'],
  'for-arguments': ['translation', 'target'],
  lint: ['functions', 'syntax:type'],
  lower: ['functions', 'translation', 'logical', 'source:type', 'layouts', 'target'],
  optimizer: ['functions', 'logical', 'source:type', 'layouts'],
  analyzer: ['functions', 'translation', 'logical', 'source:type', 'syntax'],
  functions: ['logical:type', 'target'],
  translation: ['source:type'],
  logical: ['source:type', 'layouts', 'target:type'],
  source: ['layouts:type'],
  layouts: ['target'],
  target: [],
  syntax: [],
  ...Object.fromEntries(groundOfSql.map((file) => [file, []])),
};

/** What the rest of src/ may import of sql/: the translator by its door, and without it what costs nothing to load. */
const doorsOfSql = ['index', 'for-arguments', 'types', 'source', 'layouts/index', 'translation', 'target/quote', 'lint/page'];

/** Package → where it may be imported. Packages that are not listed may be imported nowhere. */
const fences: Layers = {
  commander: ['cli', 'commands', 'docs'],
  'cli-progress': ['commands'],
  fastify: ['http'],
  '@fastify/cors': ['http'],
  pino: ['http'],
  'prom-client': ['http'],
  'lru-cache': ['http'],
  chdb: ['engine'],
  '@clickhouse/client': ['engine'],
  conf: ['config'],
  chalk: ['output'],
  'cli-table3': ['output'],
  'string-width': ['output'],
  yaml: ['config', 'saved-query', 'checks'],
  'junit-report-builder': ['checks'],
  uplot: ['http'],
  codemirror: ['http'],
  '@codemirror/lang-sql': ['http'],
  '@codemirror/language': ['http'],
  '@lezer/highlight': ['http'],
};

const texts = textsOf('src');
const imports = importsOf(texts);

/** The part of `folder` that a file is in: its folder there, or its own name. */
const partOf = (folder: string, file: string): string => file.slice(folder.length).split('/')[0]?.replace(/\.ts$/, '') ?? '';

function crossing(folder: string, walls: Layers, below: readonly string[]): readonly string[] {
  const allowed = ({ from, to, kind }: Import): boolean => {
    const [here, there] = [partOf(folder, from), partOf(folder, to)];
    const may = walls[here] ?? [];
    // `typeof import(…)` and `import type` cost nothing at run time.
    return there === here || below.includes(there) || may.includes(there) || (kind === 'type' && may.includes(`${there}:type`));
  };
  return imports
    .filter((one) => one.from.startsWith(folder) && one.to.startsWith(folder) && !allowed(one))
    .map(({ from, to }) => `${from} imports ${to}`);
}

function upward(walls: Layers, typesToo: boolean): readonly string[] {
  const order = Object.keys(walls);
  return Object.entries(walls).flatMap(([layer, may]) =>
    may
      .filter((name) => typesToo || !name.endsWith(':type'))
      .filter((name) => order.indexOf(name.replace(':type', '')) <= order.indexOf(layer))
      .map((name) => `${layer} → ${name}`),
  );
}

describe.each([
  ['src/', layers, ground],
  ['src/sql/', roomsOfSql, groundOfSql],
])('the layers of %s', (folder, walls, below) => {
  test('every import points down the list of layers', () => {
    expect(crossing(folder, walls, below)).toEqual([]);
  });

  test('every file and folder is a layer', () => {
    const parts = new Set([...texts.keys()].filter((file) => file.startsWith(folder)).map((file) => partOf(folder, file)));
    expect([...parts].filter((name) => walls[name] === undefined)).toEqual([]);
  });

  test('a layer imports only layers below it', () => {
    // What a layer knows of another by its types alone may stand above it, but not in the translator.
    expect(upward(walls, walls === roomsOfSql)).toEqual([]);
  });
});

test('a package is imported only where it may be, and the translator imports none, not even of Node', () => {
  const fenced = ({ from, to }: Import): boolean => {
    const layer = partOf('src/', from);
    return to.startsWith('node:') ? layer !== 'sql' : fences[to]?.includes(layer) === true;
  };
  const packages = imports.filter(({ to }) => !to.startsWith('src/') && to !== 'package.json');
  expect(packages.filter((one) => !fenced(one)).map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('the translator is used by its doors', () => {
  const past = imports.filter(
    ({ from, to }) =>
      !from.startsWith('src/sql/') && to.startsWith('src/sql/') && !doorsOfSql.includes(to.slice('src/sql/'.length, -'.ts'.length)),
  );
  expect(past.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});
