// The walls of the house: which folder of src/ may import which, and which may use which package. Equal to docs/architecture.md.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const src = new URL('../src/', import.meta.url).pathname;

/** Files at the bottom, which everybody may import. */
const ground = ['errors', 'source-text', 'result', 'quantity', 'io', 'make-folder', 'replace-file', 'lock-file', 'json-schema'];

/** From top to bottom; `:type` allows `import type` only. */
const layers: Readonly<Record<string, readonly string[]>> = {
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
    'saved-query:type',
    'sources:type',
  ],
  http: ['connection:type', 'saved-query', 'keys', 'cache', 'output', 'engine', 'sql:type'],
  app: [
    'config',
    'output',
    'doctor',
    'checks',
    'migrate',
    'connection',
    'store',
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
  checks: ['output', 'saved-query', 'sql'],
  migrate: ['output', 'saved-query', 'sql'],
  verify: ['output', 'saved-query', 'engine', 'sql'],
  config: [],
  output: [],
  doctor: ['config:type', 'connection:type', 'saved-query:type', 'sources:type'],
  connection: ['config:type', 'store', 'saved-query:type', 'sources', 'cache', 'engine', 'sql'],
  store: ['engine', 'sources'],
  'saved-query': ['sql', 'sources', 'engine', 'cache'],
  sources: ['sql', 'engine:type'],
  cache: ['sql:type', 'engine:type'],
  engine: ['sql:type'],
  sql: [],
  'package-file': [],
  'process-io': [],
  errors: [],
  'source-text': [],
  result: ['sql:type'],
  quantity: [],
  io: [],
  'make-folder': [],
  'replace-file': [],
  'lock-file': [],
  'json-schema': [],
};

/** Package → where it may be imported. Packages that are not listed may be imported nowhere. */
const fences: Readonly<Record<string, readonly string[]>> = {
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

interface Import {
  readonly file: string;
  readonly specifier: string;
  readonly typeOnly: boolean;
}

const statement = /^(?:import|export)\s(type\s)?[^'"`;]*?from\s+'([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm;

const imports: readonly Import[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(statement)].map(([, type, from, dynamic, bare]) => ({
      file,
      specifier: from ?? dynamic ?? bare ?? '',
      typeOnly: type !== undefined,
    })),
  );

const layerOf = (file: string): string => file.split('/')[0]?.replace(/\.ts$/, '') ?? '';

function allowed({ file, specifier, typeOnly }: Import): boolean {
  const from = layerOf(file);
  if (specifier.startsWith('node:')) return from !== 'sql';
  if (!specifier.startsWith('.')) return fences[specifier]?.includes(from) === true;
  const to = layerOf(relative(src, join(src, dirname(file), specifier)));
  const may = layers[from] ?? [];
  // `typeof import(…)` and `import type` cost nothing at run time.
  return to === from || ground.includes(to) || may.includes(to) || (typeOnly && may.includes(`${to}:type`));
}

describe('the layers of src/', () => {
  test('every import points down the list of layers or to a package that the folder may use', () => {
    expect(imports.filter((one) => !allowed(one)).map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  test('every file and folder of src/ is a layer', () => {
    expect(
      readdirSync(src)
        .map(layerOf)
        .filter((name) => layers[name] === undefined),
    ).toEqual([]);
  });

  test('a layer imports only layers below it', () => {
    const order = Object.keys(layers);
    const upward = Object.entries(layers).flatMap(([layer, may]) =>
      may.filter((name) => !name.endsWith(':type') && order.indexOf(name) <= order.indexOf(layer)).map((name) => `${layer} → ${name}`),
    );
    expect(upward).toEqual([]);
  });
});
