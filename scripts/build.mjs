// Builds dist/: the bundled command line and library, their type declarations, and the licences of what is bundled.
// `--no-types` leaves the declarations out, `--watch` rebuilds on every change.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const flags = new Set(process.argv.slice(2));

/** A hash of the sources and of the packages they are bundled with. */
function buildId() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.ts')) hash.update(file).update(readFileSync(join(root, 'src', file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Bundled and split, so that a command reads only the files it needs: start-up is most of what a cached query costs. */
const options = {
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli.ts', index: 'src/index.ts' },
  outdir: dist,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  keepNames: false,
  // Native code, and packages that are large and rarely used, stay where npm puts them.
  external: ['chdb', '@clickhouse/client', 'conf', 'cli-progress'],
  // The CommonJS packages among the bundled ones call require() for Node's own modules.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  define: { BUILD_ID: JSON.stringify(buildId()) },
  metafile: true,
  logLevel: 'warning',
};

if (flags.has('--watch')) {
  const watching = await context(options);
  await watching.watch();
} else {
  const { metafile } = await build(options);
  removeStale(metafile);
  writeLicences(metafile);
  if (!flags.has('--no-types')) writeTypes();
}

/** Chunks of earlier builds; removed last, so that a command that is starting meanwhile finds its files. */
function removeStale({ outputs }) {
  const chunks = join(dist, 'chunks');
  for (const file of readdirSync(chunks)) {
    if (outputs[`dist/chunks/${file}`] === undefined) rmSync(join(chunks, file));
  }
}

/** Declarations by the compiler; their imports must name the .js files that a consumer's compiler looks for. */
function writeTypes() {
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
  const types = join(dist, 'types');
  for (const file of readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'))) {
    const path = join(types, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/((?:from|import\()\s*'\.[^']*)\.ts'/g, "$1.js'"));
  }
}

/** The bundled packages are under licences that ask for their text to travel along. */
function writeLicences(metafile) {
  const folders = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (folder !== undefined) folders.add(folder);
  }
  const texts = [...folders].sort().map((folder) => {
    const path = join(root, folder);
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file, but is bundled (${dirname(folder)})`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(path, file), 'utf8').trim()}\n`;
  });
  writeFileSync(join(dist, 'LICENSES.txt'), texts.join(`\n${'-'.repeat(100)}\n\n`));
}
