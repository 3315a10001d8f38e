// Builds dist/: the bundled command line and library, their type declarations, and the licences of what is bundled.
// `--no-types` leaves the declarations out, `--watch` rebuilds on every change.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { rolldown, watch } from 'rolldown';
import { asCommonJs, asModule } from './common-js.mjs';
import { buildForBrowsers } from './console.mjs';
import { writeLicences } from './licences.mjs';
import { writeTypes } from './types.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const flags = new Set(process.argv.slice(2));

/** A hash of the sources and of the packages they are bundled with. */
function buildId() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).sort()) {
    if (/\.tsx?$/.test(file)) hash.update(file).update(readFileSync(join(root, 'src', file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * What a run answered from the cache passes through, beside the entry and what that imports on its way. With all that they import statically
 * they are one file, since reading many small ones takes a sixth of such a run (156 ms of processor time, 130 ms in one file).
 */
const ON_THE_WAY = ['src/cli/main.ts', 'src/cli/commands/run/run.ts', 'src/output/json.ts'];

/** What SQL that ran before passes through beyond that, to read a file with the embedded engine. As files of their own these took a sixth of the time beside the engine's. */
const TO_THE_ENGINE = [
  'cli/commands/query/query.ts',
  'cli/commands/query/given-sql.ts',
  'cli/commands/query/run-one-off.ts',
  'connection/typed-files.ts',
  'connection/hide-secrets.ts',
  'sources/kinds.ts',
  'sources/derived.ts',
  'sources/files/file-sources.ts',
  'sources/files/list-files.ts',
  'sources/files/engine-files.ts',
  'cli/commands/run/export-rows.ts',
  'output/delimited.ts',
  'engine/embedded/embedded.ts',
  'store/without-store.ts',
].map((file) => `src/${file}`);

const core = new Set();
const engine = new Set();
/** What the translator alone is made of: threads of the server load it without the rest. */
const translator = new Set();
const collectCore = {
  name: 'collect-core',
  buildEnd() {
    const add = (to) => (id) => {
      const found = this.getModuleInfo(id);
      if (found === null) throw new Error(`the build has no module ${id}`);
      if (to.has(id)) return;
      to.add(id);
      found.importedIds.filter(isAbsolute).forEach(add(to));
    };
    ON_THE_WAY.map((file) => join(root, file)).forEach(add(core));
    TO_THE_ENGINE.map((file) => join(root, file)).forEach(add(engine));
    add(translator)(join(root, 'src/sql/index.ts'));
  },
};

/**
 * The files that become CommonJS: bin/load.js loads these with code caches, which Node 20 has for CommonJS alone. Modules that import one find
 * it under its own name, as a module. What imports a package, or itself by way of others, stays a module, and so does what imports such a file.
 */
function commonJsFiles(files) {
  const chunks = Object.values(files).filter(({ type, fileName }) => type === 'chunk' && /^(?:cli|chunk-.*)\.js$/.test(fileName));
  const found = new Set(chunks.map(({ fileName }) => fileName));
  const reaches = (from, to, seen = new Set()) =>
    files[from].imports.some(
      (other) => other === to || (files[other] !== undefined && !seen.has(other) && reaches(other, to, seen.add(other))),
    );
  const isPlain = (other) => found.has(other) || other.startsWith('node:');
  for (const { fileName } of chunks) if (reaches(fileName, fileName)) found.delete(fileName);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const fileName of found) if (!files[fileName].imports.every(isPlain)) found.delete(fileName);
  }
  return found;
}

const nameOf = (fileName, common) => (common.has(fileName) ? fileName.replace(/\.js$/, '.cjs') : fileName);

/** Small, but in lines: Node shows the line that an error comes from, and a trace names it. Escapes keep V8 from storing two bytes for each character. */
const inLines = {
  name: 'in-lines',
  async generateBundle(_, files) {
    const commons = commonJsFiles(files);
    const modules = Object.values(files).filter(({ fileName }) => !commons.has(fileName));
    const fromModules = new Set(modules.flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports]));
    for (const file of Object.values(files).filter(({ type }) => type === 'chunk')) {
      const { fileName, exports } = file;
      const small = async (code) => (await transform(code, { minifyWhitespace: true, lineLimit: 120, target: 'node20.19' })).code;
      if (!commons.has(fileName)) {
        file.code = await small(file.code);
        continue;
      }
      const common = nameOf(fileName, commons);
      const startsCommands = /^(?:cli|chunk-(?:core|ground)-.*)\.js$/.test(fileName);
      const named = asCommonJs(file.code, { startsCommands }).replace(
        /\b(require|importHere)\("\.\/([\w-]+\.js)"\)/g,
        (_, how, other) => `${how}("./${nameOf(other, commons)}")`,
      );
      file.code = escaped(await small(named));
      file.fileName = common;
      if (fromModules.has(fileName)) this.emitFile({ type: 'asset', fileName, source: await small(asModule(exports, common)) });
    }
  },
};

/** Escapes what is left in regular expressions. */
const escaped = (code) => code.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Commander starts subcommands that are programs of their own with it. There are none, and it takes three milliseconds to load. */
const noSubprocesses = {
  name: 'no-subprocesses',
  resolveId: (source, importer) => (source === 'node:child_process' && importer?.includes('/commander/') ? '\0none' : null),
  load: (id) => (id === '\0none' ? { code: 'module.exports = {};', moduleType: 'js' } : null),
};

const input = {
  cwd: root,
  input: {
    cli: 'src/cli/main.ts',
    index: 'src/index.ts',
    // Entries, so that who imports them when needed takes them by their names: of a part of a file rolldown makes an object.
    sql: 'src/sql/index.ts',
    specialize: 'src/sql/compile/specialize.ts',
    'translation-worker': 'src/server/translation/worker.ts',
    'unpack-worker': 'src/files/unpack-worker.ts',
  },
  platform: 'node',
  // Native code, and packages that are large and rarely used, stay where npm puts them.
  external: [
    'chdb',
    '@resvg/resvg-js',
    '@clickhouse/client',
    'conf',
    'cli-progress',
    'fastify',
    '@fastify/cors',
    'pino',
    'prom-client',
    'ioredis',
    /^node:(?!child_process$)/,
  ],
  // Modules lose what is not used of them: OpenTelemetry's packages are a third of their size that way.
  resolve: { mainFields: ['module', 'main'] },
  transform: { target: 'node20.19', define: { VERSION: JSON.stringify(version), BUILD_ID: JSON.stringify(buildId()) } },
  checks: { ineffectiveDynamicImport: false },
  plugins: [noSubprocesses, collectCore, inLines],
};

const output = {
  dir: dist,
  format: 'esm',
  minify: { mangle: false, compress: true, codegen: false },
  entryFileNames: '[name].js',
  chunkFileNames: 'chunk-[name]-[hash].js',
  codeSplitting: {
    groups: [
      { name: 'ground', test: (id) => core.has(id) && translator.has(id), priority: 3 },
      { name: 'core', test: (id) => core.has(id), priority: 2 },
      { name: 'types', test: (id) => engine.has(id) && translator.has(id), priority: 1 },
      { name: 'engine', test: (id) => engine.has(id) },
    ],
  },
};

const browserFiles = await buildForBrowsers(root, dist);
if (flags.has('--watch')) {
  watch({ ...input, output });
} else {
  const bundle = await rolldown(input);
  const { output: files } = await bundle.write(output);
  await bundle.close();
  removeStale(files);
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/code-cache.mjs')], { stdio: 'inherit' });
  if (status !== 0) console.error('built without code caches: commands start slower');
  writeLicences([...files, ...browserFiles], join(dist, 'LICENSES.txt'));
  if (!flags.has('--no-types')) writeTypes(root, dist);
}

/** Chunks of earlier builds; removed last, so that a command that is starting meanwhile finds its files. */
function removeStale(files) {
  const written = new Set(files.map((file) => file.fileName));
  for (const folder of ['chunks', 'translate']) rmSync(join(dist, folder), { recursive: true, force: true });
  for (const file of readdirSync(dist))
    if (/^chunk-|^cli\.js$|\.cache(?:\.new)?$/.test(file) && !written.has(file)) rmSync(join(dist, file));
}
