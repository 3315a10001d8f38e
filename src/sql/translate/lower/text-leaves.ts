// Values in records that are JSON text, all that a query shows of one text by one parse.
import type { Ch } from '../../clickhouse/ast.ts';
import { and, array, call, element, ident, iff, infix, lambda, lit, not, tuple } from '../../clickhouse/build.ts';
import type { Fresh, Names } from './record-reader.ts';
import { holdsRecord, rawAt, severalRecords, startsArray } from './record-text.ts';

export type Path = readonly string[];

/** A key of a record with the keys below it: none where its value is read. */
interface Branch {
  readonly key: string;
  readonly below: readonly Branch[];
}

/**
 * The values at `paths` as texts: strings without their quotes, null and absent as NULL. No path leads through another one's value.
 *
 * A parse costs most: JSONExtractRaw five times a typed JSONExtract, and an array that is looked for in an object six, for the making of a message
 * that nobody reads. So the text itself chooses between the two usual forms, objects at every level and arrays of one at every level; the rest is
 * looked through level by level. Branches that are not taken cost nothing, but what two of them share is worked out in each: all that is about arrays
 * stands in a lambda, one without lambdas in it, whose analysis would double with each. And each function costs its analysis, 50 us, whatever the rows.
 * Measured over texts of 300 bytes, two values take 1.8 times as long as JSONExtractString of one from objects, and 2.3 times as that from arrays.
 */
export function textLeaves(column: Ch, name: string, paths: readonly Path[], names: Names): readonly Ch[] {
  const branches = branchesOf(paths);
  const shape = (value: (path: Path) => Ch): Ch => shaped(branches, paths, value);
  // JSONExtract makes no array, and no tuple of the same type, of NULL.
  const text = call('ifNull', column, lit(''));
  const ofObjects = paths.length === 1 ? extract(column, paths[0] ?? [], TEXT) : extract(text, [], tupleType(branches));
  const inArrays = (event: Ch): Ch => {
    const records = extract(event, [], arrayType(branches));
    if (recordsOf(branches).length === 0) {
      // An array whose records all are without a value that is read is taken for an empty one.
      // Objects come here too, where a filter and a result both read the value: the engine then works out all branches for all rows.
      const isLong = infix('>', call('JSONLength', event), lit(1));
      const several = and(infix('!=', call('length', records), lit(1)), startsArray(event), isLong);
      const record = call('arrayElement', records, infix('+', lit(1), call('throwIf', several, lit(severalRecords(name)))));
      return paths.length === 1 ? element(record, 1) : record;
    }
    const isUsual = and(...arraysOfOne(records, branches));
    return iff(
      isUsual,
      shape((path) => valueAt(records, path, branches)),
      levelByLevel(event, name, paths, branches),
    );
  };
  const found = iff(holdsObjects(column, branches), ofObjects, applied(names.fresh('event'), inArrays, text));
  if (paths.length === 1) return [found];
  const fields = names.name('fields', found);
  return paths.map((path) => places(branches, path).reduce((of, at) => element(of, at), fields));
}

const TEXT = 'Nullable(String)';

/** Whether no record that is read is in an array: the fields of a tuple would also be the elements of an array. */
function holdsObjects(text: Ch, branches: readonly Branch[]): Ch {
  const isNoArray = (path: Path): Ch => infix('!=', call('JSONType', text, ...path.map((key) => lit(key))), lit('Array'));
  return infix('OR', hasNoArray(text), and(not(startsArray(text)), ...recordsOf(branches).map(isNoArray)));
}

/** Looking for one character takes a hundredth of the time of a parse. */
const hasNoArray = (text: Ch): Ch => infix('=', call('position', text, lit('[')), lit(0));

const extract = (text: Ch, path: Path, type: string): Ch => call('JSONExtract', text, ...path.map((key) => lit(key)), lit(type));

/** `body` of the value, worked out once. */
const applied = (name: string, body: (value: Ch) => Ch, value: Ch): Ch =>
  call('arrayElement', call('arrayMap', lambda([name], body(ident(name))), array(value)), lit(1));

function branchesOf(paths: readonly Path[]): readonly Branch[] {
  const rests = new Map<string, Path[]>();
  for (const [key = '', ...rest] of paths) rests.set(key, [...(rests.get(key) ?? []), ...(rest.length === 0 ? [] : [rest])]);
  return [...rests].map(([key, below]) => ({ key, below: branchesOf(below) }));
}

const quoted = (key: string): string => `\`${key.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;

/** `Tuple(request Tuple(path Nullable(String), url Nullable(String)))`. */
function tupleType(branches: readonly Branch[], wrapped: (type: string) => string = (type) => type): string {
  const fields = branches.map(({ key, below }) => `${quoted(key)} ${below.length === 0 ? TEXT : tupleType(below, wrapped)}`);
  return wrapped(`Tuple(${fields.join(', ')})`);
}

/** `Array(Tuple(request Array(Tuple(path Nullable(String)))))`. */
const arrayType = (branches: readonly Branch[]): string => tupleType(branches, (type) => `Array(${type})`);

/** Paths of the records that hold what is read. */
const recordsOf = (branches: readonly Branch[], prefix: Path = []): readonly Path[] =>
  branches.flatMap(({ key, below }) => (below.length === 0 ? [] : [[...prefix, key], ...recordsOf(below, [...prefix, key])]));

/** One value, or a tuple with a tuple for each record, as JSONExtract makes it. */
function shaped(branches: readonly Branch[], paths: readonly Path[], value: (path: Path) => Ch, prefix: Path = []): Ch {
  if (paths.length === 1) return value(paths[0] ?? []);
  return tuple(
    ...branches.map(({ key, below }) => {
      const path = [...prefix, key];
      return below.length === 0 ? value(path) : shaped(below, paths, value, path);
    }),
  );
}

/** The places of the path's keys in the tuples. */
function places(branches: readonly Branch[], [key, ...rest]: Path): readonly number[] {
  const at = branches.findIndex((b) => b.key === key);
  const below = branches[at]?.below ?? [];
  return [at + 1, ...(rest.length === 0 ? [] : places(below, rest))];
}

/** That each of the arrays, from the outermost on, holds one record. */
function arraysOfOne(records: Ch, branches: readonly Branch[]): readonly Ch[] {
  const below = branches.flatMap((branch, i) =>
    branch.below.length === 0 ? [] : arraysOfOne(element(first(records), i + 1), branch.below),
  );
  return [infix('=', call('length', records), lit(1)), ...below];
}

const first = (list: Ch): Ch => call('arrayElement', list, lit(1));
const valueAt = (records: Ch, path: Path, branches: readonly Branch[]): Ch =>
  places(branches, path).reduce((array, at) => element(first(array), at), records);

/** The records of the text at a path, each taken out of the one around it, as an array: an object stands in one of its own. */
function recordsAt(event: Ch, path: Path): Ch {
  const key = path.at(-1);
  const text = key === undefined ? event : call('JSONExtractRaw', recordsAt(event, path.slice(0, -1)), lit(1), lit(key));
  return call('replaceRegexpOne', text, lit('(?s)^\\s*\\[?(.*?)\\]?\\s*$'), lit('[\\1]'));
}

const isSame = (a: Path, b: Path): boolean => a.length === b.length && a.every((key, i) => key === b[i]);

/** The values, level by level. The first one's place is where a second element of an array on the way fails. */
function levelByLevel(event: Ch, name: string, paths: readonly Path[], branches: readonly Branch[]): Ch {
  const checks = [[], ...recordsOf(branches)].map((path) =>
    call('throwIf', infix('>', call('JSONLength', recordsAt(event, path)), lit(1)), lit(severalRecords([name, ...path].join('.')))),
  );
  const checked = checks.reduce((sum, check) => infix('+', sum, check), lit(1));
  return shaped(branches, paths, (path) => {
    const key = lit(path.at(-1) ?? '');
    return call('JSONExtract', recordsAt(event, path.slice(0, -1)), isSame(path, paths[0] ?? []) ? checked : lit(1), key, lit(TEXT));
  });
}

/**
 * Whether the text has the record at `path`: by the types of what stands there, which cost a fifth of its text; that is looked at where neither
 * usual form has it.
 */
export function textHolds(stored: Ch, column: string, path: Path, fresh: Fresh): Ch {
  const text = call('ifNull', stored, lit(''));
  const is = (type: string, at: readonly Ch[]): Ch => infix('=', call('JSONType', text, ...at), lit(type));
  const isOne = (at: readonly Ch[]): Ch => infix('=', call('JSONLength', text, ...at), lit(1));
  const keys = path.map((key) => lit(key));
  const elements = path.map((_key, i) => path.slice(0, i + 1).flatMap((key) => [lit(1), lit(key)]));
  const parents = elements.slice(0, -1).flatMap((at) => [is('Array', at), isOne(at)]);
  const inArrays = and(isOne([]), ...parents, is('Object', [...(elements.at(-1) ?? []), lit(1)]));
  const found = iff(startsArray(text), inArrays, is('Object', keys));
  const held = fresh('held');
  const others = applied(fresh('event'), (event) => applied(held, holdsRecord, rawAt(event, column, path)), text);
  return iff(infix('OR', found, hasNoArray(text)), found, others);
}
