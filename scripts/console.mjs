// Builds what browsers load: quern/translate in one file, dist/translate.js, and the web console in dist/console/: files with a hash in their names, and
// the pages that name them. The playground loads quern/translate, under a name with a hash, where the server finds it (console-files.ts).
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { rolldown } from 'rolldown';
import { writeFolder } from './write-folder.mjs';

const PAGES = [
  { name: 'index.html', script: 'main' },
  { name: 'playground.html', script: 'playground' },
];

const FOR_BROWSERS = { platform: 'browser', transform: { target: 'es2022' } };

/** Returns the files of the bundles, which say what they are made of. */
export async function buildForBrowsers(root, dist) {
  const bundle = await rolldown({ cwd: root, input: 'src/translate.ts', ...FOR_BROWSERS });
  const { output } = await bundle.write({ file: join(dist, 'translate.js'), format: 'esm', minify: true });
  await bundle.close();
  return [...output, ...(await buildConsole(root, dist, `translate-${hashOf(output[0].code)}.js`))];
}

async function buildConsole(root, dist, translator) {
  const source = join(root, 'src/server/console');
  const folder = join(dist, 'console');
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(PAGES.map(({ script }) => [script, join(source, `${script}.tsx`)])),
    plugins: [
      { name: 'translator', resolveId: (name) => (name.endsWith('/translate.ts') ? { id: `./${translator}`, external: true } : null) },
    ],
    ...FOR_BROWSERS,
  });
  const { output } = await bundle.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
  const files = new Map(output.map((file) => [file.fileName, file.code]));
  const css = await stylesheet(source);
  const cssName = `main-${hashOf(css)}.css`;
  files.set(cssName, css);
  for (const { name, script } of PAGES) {
    const { fileName } = output.find((file) => file.isEntry && file.name === script);
    const page = readFileSync(join(source, name), 'utf8');
    files.set(name, page.replace('main.css', cssName).replace(`${script}.js`, fileName));
  }
  writeFolder(folder, files);
  return output;
}

async function stylesheet(source) {
  const own = readdirSync(source)
    .filter((name) => name.endsWith('.css'))
    .sort()
    .map((name) => join(source, name));
  const texts = own.map((file) => readFileSync(file, 'utf8'));
  return (await transform(texts.join('\n'), { loader: 'css', minify: true, target: 'es2022' })).code;
}

const hashOf = (text) => createHash('sha256').update(text).digest('base64url').slice(0, 8);
