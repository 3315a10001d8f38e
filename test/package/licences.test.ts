// Licences: every package that quern uses is under one that lets others use quern freely, and what is bundled brings its text along.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pack } from './packed.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly resolved?: string;
}
const lock = JSON.parse(read('package-lock.json')) as { readonly packages: Readonly<Record<string, Locked>> }; // npm writes it
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

/** They ask for their text to be kept, and for nothing of the code around them. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);
/** Asks for changes of its own files to be published: fine for tools that never leave this repository. */
const TOOLS = new Set([...PERMISSIVE, 'MPL-2.0']);

/** `(MIT OR CC0-1.0)` leaves the choice, `(MIT AND Zlib)` asks for both. */
function fits(expression: string, allowed: ReadonlySet<string>): boolean {
  const words = expression.replace(/[()]/g, '');
  return words.split(' OR ').some((choice) => choice.split(' AND ').every((one) => allowed.has(one.trim())));
}

/** As the package itself says where it is installed, else as the lock file does; packages for other machines are parts of those for this one. */
function licenceOf(path: string, { license }: Locked): string {
  const manifest = join(path, 'package.json');
  const own: unknown = existsSync(join(root, manifest)) ? JSON.parse(read(manifest)).license : undefined;
  const platform = /^node_modules\/(@biomejs\/cli|@chdb\/lib)-/.exec(path)?.[1];
  if (typeof own === 'string') return own;
  if (license !== undefined || platform === undefined) return license ?? 'no licence';
  return JSON.parse(read(platform === '@chdb/lib' ? 'node_modules/chdb/package.json' : 'node_modules/@biomejs/biome/package.json')).license;
}

const invalid = (chosen: readonly (readonly [string, Locked])[], allowed: ReadonlySet<string>) =>
  chosen.map(([path, locked]) => [path, licenceOf(path, locked)] as const).filter(([, licence]) => !fits(licence, allowed));

test('every package that is installed with quern is under a permissive licence', () => {
  expect(
    invalid(
      packages.filter(([, { dev }]) => dev !== true),
      PERMISSIVE,
    ),
  ).toEqual([]);
});

test('every package that quern is made with is under a licence that asks nothing of what is made', () => {
  expect(invalid(packages, TOOLS)).toEqual([]);
});

test('the lock file names no place where packages are fetched from', () => {
  expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

test('the lock file has the engine, the formatter and the compiler for every machine that quern runs on', () => {
  const of = (prefix: string) => packages.map(([path]) => path).filter((path) => path.startsWith(`node_modules/${prefix}`));
  expect(of('@chdb/lib-')).toEqual(
    ['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu', 'linux-x64-gnu'].map((one) => `node_modules/@chdb/lib-${one}`),
  );
  for (const prefix of ['@biomejs/cli-', '@esbuild/', '@typescript/typescript-']) {
    for (const machine of ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'])
      expect(of(prefix)).toContain(`node_modules/${prefix}${machine}`);
  }
});

test('what is bundled brings its licence along, and each is permissive', () => {
  const notices = read('dist/LICENSES.txt').split(`\n${'-'.repeat(100)}\n\n`);
  const bundled = notices.map((text) => /^(\S+) (\S+) \((.*)\)\n\n([\s\S]*)$/.exec(text)?.slice(1) ?? []);
  expect([...new Set(bundled.map(([name]) => name))]).toEqual([
    '@codemirror/autocomplete',
    '@codemirror/commands',
    '@codemirror/language',
    '@codemirror/state',
    '@codemirror/streamparser',
    '@codemirror/view',
    '@colors/colors',
    '@lezer/common',
    '@lezer/highlight',
    '@marijn/find-cluster-break',
    '@modelcontextprotocol/sdk',
    '@opentelemetry/api',
    '@opentelemetry/core',
    '@opentelemetry/exporter-metrics-otlp-http',
    '@opentelemetry/exporter-metrics-otlp-proto',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/otlp-exporter-base',
    '@opentelemetry/otlp-transformer',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-metrics',
    '@opentelemetry/sdk-trace',
    '@opentelemetry/sdk-trace-base',
    '@opentelemetry/semantic-conventions',
    'ajv',
    'ajv-formats',
    'ansi-regex',
    'apache-arrow',
    'chalk',
    'cli-table3',
    'string-width',
    'strip-ansi',
    'commander',
    'content-type',
    'emoji-regex',
    'fast-deep-equal',
    'fast-uri',
    'flatbuffers',
    'get-east-asian-width',
    'is-fullwidth-code-point',
    'jose',
    'json-schema-traverse',
    'lru-cache',
    'preact',
    'style-mod',
    'vscode-jsonrpc',
    'vscode-languageserver',
    'vscode-languageserver-protocol',
    'vscode-languageserver-textdocument',
    'vscode-languageserver-types',
    'w3c-keyname',
    'yaml',
    'zod',
  ]);
  for (const [name, version, licence = '', text = ''] of bundled) {
    const locked = packages.filter(([path]) => path.endsWith(`node_modules/${name}`)).map(([, one]) => one.version);
    expect([name, locked.includes(version ?? ''), fits(licence, PERMISSIVE), text.length > 300]).toEqual([name, true, true, true]);
  }
});

test('the licences travel with the package', () => {
  const packed = pack();
  try {
    expect(packed.files.filter((file) => /licen[cs]e/i.test(file))).toEqual(['LICENSE', 'dist/LICENSES.txt']);
  } finally {
    packed.remove();
  }
});
