// Loads CommonJS files of dist/ together with what V8 has compiled of them at the build (scripts/code-cache.mjs), which is a fifth of the time that a
// cached `quern run` takes. A V8 of another version, or with other flags, rejects that and compiles the file itself.
const { readFileSync } = require('node:fs');
const { Module } = require('node:module');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');

const dist = join(dirname(__dirname), 'dist');
/** The script of each file that was loaded, for who makes the code caches. */
const scripts = new Map();

function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/** What import() is to the files: Node 20 knows none in a script with a code cache. */
async function importHere(id) {
  if (id.endsWith('.cjs')) return load(id.slice('./'.length));
  return import(id.startsWith('./') ? pathToFileURL(join(dist, id)) : id);
}

/** What require() is to them. They name packages as this file would. */
const requireHere = (id) => (id.endsWith('.cjs') ? load(id.slice('./'.length)) : require(id));

/** What a file of dist/ exports. Modules that import it later get the same: it is registered where `require` looks. */
function load(name) {
  const filename = join(dist, name);
  const loaded = require.cache[filename];
  if (loaded !== undefined) return loaded.exports;
  const source = readFileSync(filename, 'latin1'); // all of it is ASCII
  const script = new Script(Module.wrap(source), { filename, cachedData: readIfThere(`${filename}.cache`) });
  scripts.set(filename, script);
  const module = Object.assign(new Module(filename), { filename, importHere });
  require.cache[filename] = module;
  script.runInThisContext().call(module.exports, module.exports, requireHere, module, filename, dist);
  module.loaded = true;
  return module.exports;
}

module.exports = { load, scripts };
