// Turns a module that rolldown has written into CommonJS. Its imports and its export stand one in a line, and nothing that it exports changes later.

/** These take milliseconds to load, which `--help` does without: each of their functions that it might call loads them when it is called. */
const LOADED_LATER = new Set(['node:crypto']);

/** Otherwise in CommonJS than in modules. bin/load.js has an `importHere`; a file that `require` loads has import(). */
const IMPORT = 'const importHere = module.importHere ?? ((id) => import(id));\n';
const URL_OF_FILE = "require('node:url').pathToFileURL(__filename)";

export function asCommonJs(code, { startsCommands }) {
  const laterOf = startsCommands ? LOADED_LATER : new Set();
  const changed = code
    .replace(/^import (\w+)(?:, (\{ .* \}))? from "(node:.*)";$/gm, (_, whole, names, from) =>
      [`const ${whole} = require("${from}");`, ...(names === undefined ? [] : [`import ${names} from "${from}";`])].join('\n'),
    )
    .replace(/^import \{ (.*) \} from "(.*)";$/gm, (_, names, from) => imported(names, from, laterOf))
    .replace(/^import \* as (\w+) from "(.*)";$/gm, 'const $1 = require("$2");')
    .replace(/^import "(.*)";$/gm, 'require("$1");')
    .replace(/^export \{ (.*) \}(?: from "(.*)")?;$/m, (_, names, from) => exported(names, from))
    .replaceAll('createRequire(import.meta.url)', 'require')
    .replaceAll('import.meta.url', URL_OF_FILE)
    .replace(/\bimport\("/g, 'importHere("');
  const left = /^(?:import|export)\b.*|import\.meta.*/m.exec(changed);
  if (left !== null) throw new Error(`CommonJS has nothing for: ${left[0].slice(0, 200)}`);
  return changed.includes('importHere(') ? IMPORT + changed : changed;
}

/** `a as b, c` as pairs. */
const pairsOf = (names) =>
  names
    .split(', ')
    .map((name) => name.split(' as '))
    .map(([one, other = one]) => [one, other]);

function imported(names, from, laterOf) {
  if (!laterOf.has(from)) return `const { ${names.replaceAll(' as ', ': ')} } = require("${from}");`;
  return pairsOf(names)
    .map(([name, here]) => `const ${here} = (...args) => require("${from}").${name}(...args);`)
    .join('\n');
}

function exported(names, from) {
  const values = pairsOf(names).map(([here, name]) => `${name}: ${from === undefined ? here : `from.${here}`}`);
  return `${from === undefined ? '' : `const from = require("${from}");\n`}module.exports = { ${values.join(', ')} };`;
}

/**
 * Returns a module with the exports of the CommonJS file `from`, for modules: importing the file itself would make Node read all of its text for
 * names, which takes 27 milliseconds, and compile it without its code cache.
 */
export const asModule = (names, from) =>
  [
    `import { createRequire } from "node:module";`,
    `const { ${names.map((name) => `${name}: _${name}`).join(', ')} } = createRequire(import.meta.url)("../bin/load.js").load("${from}");`,
    `export { ${names.map((name) => `_${name} as ${name}`).join(', ')} };`,
  ].join('\n');
