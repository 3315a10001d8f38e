// Builds dist/translate/: the translator for browsers, in parts. What most queries need is in the first; a module of the others is replaced there by one
// that has the same functions, of which each throws NotLoaded (src/later.ts) until its part is loaded.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { writeFolder } from './write-folder.mjs';

/**
 * Files of src/sql/ by the part that they are in, with all that only they import. Of such a file the others can have functions, and nothing else. Each part
 * costs a text that needs it one more request, and a second look at the text.
 */
const PARTS = {
  // Families that many queries call, beside those that most do.
  functions: [
    'functions/aggregate/aggregate-array.ts',
    'functions/aggregate/approximate.ts',
    'functions/aggregate/percentile.ts',
    'functions/aggregate/statistics.ts',
    'functions/aggregate/window.ts',
    'functions/array.ts',
    'functions/assert.ts',
    'functions/decimal.ts',
    'functions/held-to.ts',
    'functions/json/json-canonical.ts',
    'functions/json/json-convert.ts',
    'functions/json/json.ts',
    'functions/math.ts',
    'functions/rounding.ts',
    'functions/stored-value.ts',
    'functions/text/regexp.ts',
    'functions/text/substring.ts',
    'functions/text/trim.ts',
    'functions/time/civil-fields.ts',
    'functions/time/datetime.ts',
    'functions/time/extract.ts',
    'functions/time/format-time.ts',
    'functions/time/interval.ts',
    'functions/time/parse-time.ts',
    'functions/time/stored-time.ts',
    'functions/time/time-text.ts',
    'functions/time/time.ts',
  ],
  // All other families, and formats of casts.
  'rare-functions': [
    'functions/aggregate/hyperloglog.ts',
    'functions/aggregate/kll.ts',
    'functions/json/json-change.ts',
    'functions/json/json-edit.ts',
    'functions/json/json-keys.ts',
    'functions/json/json-lax.ts',
    'functions/json/json-make.ts',
    'functions/bytes-bits.ts',
    'functions/convert.ts',
    'functions/text/code-point.ts',
    'functions/text/encoding.ts',
    'functions/text/format.ts',
    'functions/text/net.ts',
    'functions/text/regexp-instr.ts',
    'functions/text/search.ts',
    'functions/time/bucket.ts',
    'functions/time/cast-format.ts',
    'lower/cast-format-number.ts',
    'functions/time/interval-text.ts',
    'lower/cast-format-bytes.ts',
  ],
  // What is written more seldom than SELECT, joins and groups: pipes, PIVOT, recursion, windows, temporary functions, subqueries of outer rows.
  clauses: [
    'analyzer/gap-fill-text.ts',
    'analyzer/gap-fill.ts',
    'analyzer/order-after-distinct.ts',
    'analyzer/pipe.ts',
    'analyzer/pivot.ts',
    'analyzer/recursive-cte.ts',
    'analyzer/recursive-reference.ts',
    'analyzer/set-operation-names.ts',
    'analyzer/table-call.ts',
    'analyzer/table-function.ts',
    'analyzer/temporary-function.ts',
    'analyzer/unpivot.ts',
    'analyzer/window-call.ts',
    'lower/array-query.ts',
    'lower/null-elements.ts',
    'lower/recursive.ts',
    'lower/window.ts',
    'optimizer/attach-subquery.ts',
    'optimizer/dependent.ts',
    'optimizer/domain.ts',
    'optimizer/null-arrays/calls.ts',
    'optimizer/null-arrays/expressions.ts',
    'optimizer/null-arrays/flags.ts',
    'optimizer/null-arrays/relations.ts',
    'syntax/parser/parse-function.ts',
    'syntax/parser/parse-pipe.ts',
    'syntax/parser/parse-table-call.ts',
    'syntax/parser/parse-table-definition.ts',
    'syntax/parser/parse-table-operator.ts',
    'syntax/parser/parse-variable.ts',
    'syntax/parser/parse-window.ts',
  ],
  // Layouts of log records, and what recognises columns.
  records: [
    '../catalog/created-tables.ts',
    '../catalog/table-source.ts',
    'layouts/column/by-parts.ts',
    'layouts/column/recognise.ts',
    'layouts/nested/record-type.ts',
    'layouts/records.ts',
  ],
  // What looks at a text without translating it, what may be written in it, and what it is told of functions that there are not.
  tools: [
    'analyzer/column-hint.ts',
    'analyzer/unknown-function.ts',
    'functions/absent.ts',
    'functions/other-dialects.ts',
    'lint/comparisons.ts',
    'lint/fidelity-notes.ts',
    'lint/function-list.ts',
    'lint/warnings.ts',
    'logical/explain.ts',
    'lower/cast-instead.ts',
    'syntax/formatter/format.ts',
    'syntax/parser/refuse-statement.ts',
    '../suggest/suggest.ts',
  ],
};

/** What only runs import, which browsers have none of: what it needs is in no part for its sake. */
const FOR_RUNS = 'src/sql/compile-for-runs.ts';

const STUB = '\0later:';
const PART = '\0part:';
const RUNTIME = '\0parts';

function loadedLater(root) {
  const filesOf = (part) => PARTS[part].map((file) => join(root, 'src/sql', file));
  const slots = new Map();
  const partOf = new Map(Object.keys(PARTS).flatMap((part) => filesOf(part).map((file) => [file, part])));
  return {
    name: 'loaded-later',
    async resolveId(source, importer) {
      if (source.startsWith('\0')) return source;
      if (importer === undefined) return null;
      const found = await this.resolve(source, importer.startsWith('\0') ? undefined : importer, { skipSelf: true });
      const part = found === null ? undefined : partOf.get(found.id);
      if (part === undefined || importer.startsWith('\0') || partOf.get(importer) === part) return found;
      return STUB + found.id;
    },
    async load(id) {
      if (id === RUNTIME) return { code: runtime(root), moduleType: 'js' };
      if (id.startsWith(PART)) return { code: await exportsOf(id.slice(PART.length)), moduleType: 'js' };
      if (!id.startsWith(STUB)) return null;
      const file = id.slice(STUB.length);
      const part = partOf.get(file);
      const names = (await slotsOf(part)).get(file);
      const stubs = [...names].map(([name, slot]) => `export const ${name} = /* @__PURE__ */ later(${JSON.stringify(part)}, '${slot}');`);
      return { code: [`import { later } from ${JSON.stringify(RUNTIME)};`, ...stubs].join('\n'), moduleType: 'js' };
    },
  };

  /** What a part gives: a short name for each function of its files, as bundlers keep the names of what is loaded later. */
  async function slotsOf(part) {
    slots.set(part, slots.get(part) ?? newSlots(filesOf(part)));
    return slots.get(part);
  }

  async function exportsOf(part) {
    return [...(await slotsOf(part))]
      .map(
        ([file, names]) => `export { ${[...names].map(([name, slot]) => `${name} as ${slot}`).join(', ')} } from ${JSON.stringify(file)};`,
      )
      .join('\n');
  }
}

/** By file, and in that by name. */
async function newSlots(files) {
  const names = await Promise.all(files.map(functionsOf));
  let slot = 0;
  return new Map(files.map((file, i) => [file, new Map(names[i].map((name) => [name, `_${(slot++).toString(36)}`]))]));
}

function runtime(root) {
  const loaders = Object.keys(PARTS).map((part) => `${JSON.stringify(part)}: () => import(${JSON.stringify(PART + part)})`);
  return `import { NotLoaded } from ${JSON.stringify(join(root, 'src/later.ts'))};
const loaders = { ${loaders.join(', ')} };
const loaded = {};
const load = async (name) => { loaded[name] = await loaders[name](); };
export const later = (part, slot) => (...args) => {
  const found = loaded[part];
  if (found === undefined) throw new NotLoaded(() => load(part));
  return found[slot](...args);
};`;
}

/** Names of the functions that a file exports. What else it exports can't be had later: whoever imports that fails the build. */
async function functionsOf(file) {
  const { code } = await transform(readFileSync(file, 'utf8'), { loader: 'ts', target: 'es2022' });
  const { body } = parseAst(code);
  const functions = new Set(body.flatMap(declaredFunctions));
  return body.flatMap(exportedNames).filter((name) => functions.has(name));
}

function exportedNames({ type, declaration, specifiers }) {
  if (type !== 'ExportNamedDeclaration') return [];
  if (declaration === null) return specifiers.map(({ exported }) => exported.name);
  return declaration.declarations?.map(({ id }) => id.name) ?? [declaration.id.name];
}

function declaredFunctions({ type, id, declarations, declaration }) {
  if (type === 'ExportNamedDeclaration' && declaration !== null) return declaredFunctions(declaration);
  if (type === 'FunctionDeclaration') return [id.name];
  if (type !== 'VariableDeclaration') return [];
  return declarations.filter(({ init }) => init?.type === 'ArrowFunctionExpression').map((one) => one.id.name);
}

/** Gives the modules that were bundled. */
export async function buildTranslator(root, dist) {
  const first = new Set();
  const collectFirst = {
    name: 'collect-first',
    buildEnd() {
      const add = (id) => {
        if (first.has(id) || id === join(root, FOR_RUNS)) return;
        first.add(id);
        this.getModuleInfo(id)?.importedIds.forEach(add);
      };
      add(join(root, 'src/translate.ts'));
    },
  };
  const bundle = await rolldown({
    cwd: root,
    input: { translate: 'src/translate.ts' },
    platform: 'browser',
    transform: { target: 'es2022' },
    plugins: [loadedLater(root), collectFirst],
  });
  const { output } = await bundle.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) => `${name.replace(/^_?part_/, '')}-[hash].js`,
    codeSplitting: { groups: [{ name: 'translator', test: (id) => first.has(id) }] },
  });
  await bundle.close();
  // The first file comes last, so that it never names files that are not there.
  writeFolder(join(dist, 'translate'), new Map(output.map((file) => [file.fileName, file.code]).reverse()));
  return output;
}
