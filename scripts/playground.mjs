// The playground as files that any server can give: npm run playground -- FOLDER
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildForBrowsers } from './console.mjs';
import { writeFolder } from './write-folder.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [given = 'playground', ...others] = process.argv.slice(2);
if (given.startsWith('-') || others.length > 0) {
  console.error('usage: npm run playground -- FOLDER');
  process.exit(2);
}
const folder = resolve(given);

const isPlayground = () => {
  const file = join(folder, 'index.html');
  return existsSync(file) && readFileSync(file, 'utf8').includes('<title>Playground · quern</title>');
};
if (existsSync(folder) && !isPlayground()) {
  console.error(`${given} is there already, and is no playground: name another folder`);
  process.exit(2);
}

/** What the server says in a header stands in the page here. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

// Not in dist/, from which others may be reading.
const dist = mkdtempSync(join(tmpdir(), 'quern-playground-'));
process.on('exit', () => rmSync(dist, { recursive: true, force: true }));
const browserFiles = await buildForBrowsers(root, dist);
/** What the script of the page replaces, where a browser loads it. */
const UNTIL_THEN =
  '<p>Loading… If this stays, open the page through a web server: browsers load its scripts from there only, not from a folder.</p>';
const page = readFileSync(join(dist, 'console/playground.html'), 'utf8')
  .replace('<meta charset="utf-8">', `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${POLICY}">`)
  .replace('</main>', `${UNTIL_THEN}</main>`);
const read = (name) => [name, readFileSync(join(dist, name.startsWith('translate-') ? 'translate.js' : `console/${name}`))];
const stylesheet = /console\/([\w-]+\.css)/.exec(page)[1];
writeFolder(join(folder, 'console'), new Map([...scriptsOf('playground'), stylesheet].map(read)));
writeFolder(folder, new Map([['index.html', page]]), ['console']);
console.log(`${given}: index.html and what it loads. Open it through a web server, such as: npx serve ${given}`);

/** Names of the files that a page's script loads, at once or later. */
function scriptsOf(name) {
  const scripts = new Map(browserFiles.map((file) => [file.fileName, file]));
  const needed = new Set([browserFiles.find((file) => file.isEntry && file.name === name).fileName]);
  for (const file of needed) {
    const { imports = [], dynamicImports = [] } = scripts.get(file) ?? {};
    for (const other of [...imports, ...dynamicImports]) needed.add(other.replace('./', ''));
  }
  return needed;
}
