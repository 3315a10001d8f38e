// The walls of the house: which folder of src/ may import which, the same for the rooms of src/sql/, and who may use which package. Equal to
// docs/architecture.md.
import { describe, expect, test } from 'vitest';
import { type Import, importsOf, textsOf } from './support/source-imports.ts';

type Layers = Readonly<Record<string, readonly string[]>>;

/** Files at the bottom, which everybody may import. */
const ground = ['clickhouse', 'base', 'fields', 'files', 'package-file'];

/** From top to bottom; `:type` allows `import type` only. */
const layers: Layers = {
  docs: ['cli', 'config', 'sources', 'sql'],
  cli: [
    'lsp',
    'mcp',
    'services',
    'server',
    'checks',
    'migrate',
    'verify',
    'doctor',
    'connection',
    'config',
    'output',
    'suggest',
    'execution',
    'queries',
    'sources',
    'cache',
    'engine',
    'process-io',
  ],
  index: ['library', 'translate', 'sql'],
  library: ['services', 'checks', 'output', 'execution', 'queries', 'sources:type', 'sql', 'process-io'],
  lsp: ['services:type', 'checks', 'execution', 'queries', 'sources', 'suggest', 'sql'],
  services: ['connection', 'config', 'output', 'store', 'execution', 'queries', 'sources:type', 'cache'],
  // translate is loaded by the playground, in a browser.
  server: ['translate', 'mcp', 'execution', 'queries', 'cache', 'output', 'engine', 'suggest', 'sources:type', 'sql:type'],
  translate: ['suggest', 'sources', 'sql'],
  mcp: ['services:type', 'output', 'execution', 'queries', 'sources', 'sql'],
  checks: ['services:type', 'output', 'execution', 'queries', 'sql'],
  migrate: ['output', 'execution', 'queries', 'sources', 'sql'],
  verify: ['output', 'queries', 'engine', 'sql'],
  doctor: ['config:type', 'connection:type', 'queries:type', 'sources:type'],
  connection: ['config', 'output', 'store', 'execution', 'sources', 'cache', 'engine', 'sql'],
  config: [],
  output: [],
  store: ['engine', 'sources'],
  execution: ['queries', 'sql', 'sources', 'engine', 'cache'],
  queries: ['sql', 'sources', 'engine:type'],
  sources: ['sql', 'cache', 'engine'],
  cache: ['sql:type', 'engine:type'],
  engine: ['sql:type'],
  suggest: ['sql'],
  sql: [],
  'process-io': [],
  'package-file': [],
  clickhouse: [],
  base: ['sql:type'],
  fields: [],
  files: [],
};

/** The translator's own, which all of its rooms may import: types of values, civil time, and how it fails. */
const groundOfSql = ['base'];

/** From top to bottom; what functions write is the target's tree, so that the target lies below them. */
const roomsOfSql: Layers = {
  index: ['compile', 'lint', 'translation', 'syntax'],
  compile: ['lower', 'optimizer', 'analyzer', 'functions', 'translation', 'source:type', 'logical', 'target', 'syntax'],
  lint: ['functions', 'syntax:type'],
  lower: ['functions', 'translation', 'logical', 'source:type', 'layouts', 'target'],
  optimizer: ['functions', 'translation', 'logical', 'source:type', 'layouts'],
  analyzer: ['functions', 'translation', 'logical', 'source:type', 'syntax'],
  functions: ['logical:type', 'target'],
  translation: ['source:type'],
  logical: ['source:type', 'layouts', 'target:type'],
  source: ['layouts:type'],
  layouts: ['target'],
  target: [],
  syntax: [],
  base: [],
};

/** What the rest of src/ may import of sql/: the translator by its door, and without it what costs nothing to load. */
const doorsOfSql = [
  'index',
  'compile/specialize',
  'base/types',
  'base/type-text',
  'base/decimal-text',
  'base/interval',
  'base/json-canonical',
  'base/positional',
  'source',
  'layouts/index',
  'layouts/records',
  'translation',
  'base/civil',
  'target/quote',
  'lint/page',
];

/** Package → where it may be imported. Packages that are not listed may be imported nowhere. */
const fences: Layers = {
  commander: ['cli', 'docs'],
  'cli-progress': ['cli'],
  fastify: ['server'],
  '@fastify/cors': ['server'],
  ioredis: ['server'],
  jose: ['server'],
  pino: ['server'],
  'prom-client': ['server'],
  'lru-cache': ['server'],
  '@opentelemetry/api': ['server'],
  '@opentelemetry/core': ['server'],
  '@opentelemetry/exporter-metrics-otlp-http': ['server'],
  '@opentelemetry/exporter-metrics-otlp-proto': ['server'],
  '@opentelemetry/exporter-trace-otlp-http': ['server'],
  '@opentelemetry/exporter-trace-otlp-proto': ['server'],
  '@opentelemetry/resources': ['server'],
  '@opentelemetry/sdk-metrics': ['server'],
  '@opentelemetry/sdk-trace-base': ['server'],
  'apache-arrow/ipc/metadata/file': ['execution'],
  'apache-arrow/ipc/metadata/message': ['execution'],
  'apache-arrow/schema': ['execution'],
  'apache-arrow/type': ['execution'],
  chdb: ['engine'],
  '@resvg/resvg-js': ['output'],
  '@clickhouse/client': ['engine'],
  conf: ['config'],
  chalk: ['output'],
  'cli-table3': ['output'],
  'string-width': ['output'],
  yaml: ['config', 'queries', 'fields'],
  '@modelcontextprotocol/sdk/server/index.js': ['mcp'],
  '@modelcontextprotocol/sdk/server/stdio.js': ['mcp'],
  '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js': ['mcp'],
  '@modelcontextprotocol/sdk/types.js': ['mcp'],
  'vscode-languageserver': ['lsp'],
  'vscode-languageserver/node': ['lsp'],
  'vscode-languageserver-textdocument': ['lsp'],
  '@codemirror/commands': ['server'],
  '@codemirror/autocomplete': ['server'],
  '@codemirror/state': ['server'],
  '@codemirror/view': ['server'],
  '@codemirror/language': ['server'],
  '@lezer/highlight': ['server'],
  preact: ['server'],
  'preact/hooks': ['server'],
};

const texts = textsOf('src');
const imports = importsOf(texts);

/** The part of `folder` that a file is in: its folder there, or its own name. */
const partOf = (folder: string, file: string): string =>
  file
    .slice(folder.length)
    .split('/')[0]
    ?.replace(/\.tsx?$/, '') ?? '';

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
