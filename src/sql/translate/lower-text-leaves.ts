// Values in records that are JSON text, all that a query shows of one text by one parse.
import type { Ch } from '../clickhouse/ast.ts';
import { and, array, call, element, iff, infix, isNotNull, lambda, lit, NULL, tuple } from '../clickhouse/build.ts';
import { holdsRecord, isArray, oneElement, type RecordText, startsArray } from './lower-record-text.ts';
import type { Fresh, Names } from './record-reader.ts';

export type Path = readonly string[];

/** A key of a record with the keys below it: none where its value is read. */
interface Branch {
  readonly key: string;
  readonly below: readonly Branch[];
}

/**
 * The values at `paths` as texts: strings without their quotes, null and absent as NULL. No path leads through another one's value.
 *
 * A parse costs most: JSONExtractRaw five times a typed JSONExtract, and an array that is looked for in an object six times, for the making of a
 * message that nobody reads. So the first character chooses between the two usual forms, arrays of one record at every level and
 * objects at every level. Other events have what was not found looked for level by level, in a lambda: written in place, parts that they
 * share would be worked out for every row. Measured against JSONExtractString, one value of objects costs 1.1 times as much, of arrays 1.6; of
 * several values each but the first is nearly free.
 */
export function textLeaves(text: Ch, column: string, paths: readonly Path[], names: Names): readonly Ch[] {
  const branches = branchesOf(paths);
  const records = names.fresh('records');
  const inArrays = applied(
    records,
    (of) => shaped(branches, paths, (path) => throughArrays(of, path, branches)),
    extract(text, [], arrayType(branches)),
  );
  const oneByOne = shaped(branches, paths, (path) => extract(text, path, 'Nullable(String)'));
  // The fields of a tuple would also be the elements of an array.
  const inObjects = paths.length === 1 ? oneByOne : iff(hasNoArray(text), extract(text, [], tupleType(branches)), oneByOne);
  const form = iff(startsArray(text), inArrays, inObjects);
  const found = names.name(paths.length === 1 ? 'found' : 'fields', form);
  return paths.map((path) => {
    const value = paths.length === 1 ? found : places(branches, path).reduce((of, at) => element(of, at), found);
    const others = applied(
      names.fresh('event'),
      (event) =>
        levelByLevel({ text: event, array: startsArray(event) }, column, path, names.fresh, (of, at) =>
          call('JSONExtract', of, ...at, lit('Nullable(String)')),
        ),
      text,
    );
    return iff(infix('OR', isNotNull(value), hasNoArray(text)), value, others);
  });
}

/** Looking for one character takes a hundredth of the time of a parse. */
const hasNoArray = (text: Ch): Ch => infix('=', call('position', text, lit('[')), lit(0));

const extract = (text: Ch, path: Path, type: string): Ch => call('JSONExtract', text, ...path.map((key) => lit(key)), lit(type));

/** `body` of the value, worked out once. */
const applied = (name: string, body: (value: Ch) => Ch, value: Ch): Ch =>
  call('arrayElement', call('arrayMap', lambda([name], body({ kind: 'ident', parts: [name] })), array(value)), lit(1));

function branchesOf(paths: readonly Path[]): readonly Branch[] {
  const rests = new Map<string, Path[]>();
  for (const [key = '', ...rest] of paths) rests.set(key, [...(rests.get(key) ?? []), ...(rest.length === 0 ? [] : [rest])]);
  return [...rests].map(([key, below]) => ({ key, below: branchesOf(below) }));
}

const quoted = (key: string): string => `\`${key.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;

/** `Tuple(request Tuple(path Nullable(String), url Nullable(String)))`. */
function tupleType(branches: readonly Branch[], wrapped: (type: string) => string = (type) => type): string {
  const fields = branches.map(({ key, below }) => `${quoted(key)} ${below.length === 0 ? 'Nullable(String)' : tupleType(below, wrapped)}`);
  return wrapped(`Tuple(${fields.join(', ')})`);
}

/** `Array(Tuple(request Array(Tuple(path Nullable(String)))))`. */
const arrayType = (branches: readonly Branch[]): string => tupleType(branches, (type) => `Array(${type})`);

/** One value, or a tuple with a tuple for each record, as JSONExtract makes it. */
function shaped(branches: readonly Branch[], paths: readonly Path[], value: (path: Path) => Ch): Ch {
  if (paths.length === 1) return value(paths[0] ?? []);
  const nest = (within: readonly Branch[], prefix: Path): Ch =>
    tuple(
      ...within.map(({ key, below }) => {
        const path = [...prefix, key];
        return below.length === 0 ? value(path) : nest(below, path);
      }),
    );
  return nest(branches, []);
}

/** The places of the path's keys in the tuples. */
function places(branches: readonly Branch[], [key, ...rest]: Path): readonly number[] {
  const at = branches.findIndex((b) => b.key === key);
  const below = branches[at]?.below ?? [];
  return [at + 1, ...(rest.length === 0 ? [] : places(below, rest))];
}

/** The value in the innermost record, where each of the arrays holds one; else NULL. */
function throughArrays(records: Ch, path: Path, branches: readonly Branch[]): Ch {
  const conditions: Ch[] = [];
  const value = places(branches, path).reduce((array, at) => {
    conditions.push(infix('=', call('length', array), lit(1)));
    return element(call('arrayElement', array, lit(1)), at);
  }, records);
  return iff(
    conditions.reduce((all, one) => infix('AND', all, one)),
    value,
    NULL,
  );
}

/** The value that `read` has of the record which the path's last key is a field of. A second element of any array on the way fails. */
function levelByLevel(
  record: RecordText,
  name: string,
  [key = '', ...rest]: Path,
  fresh: Fresh,
  read: (text: Ch, at: readonly Ch[]) => Ch,
): Ch {
  const field = (then: (text: Ch, at: readonly Ch[]) => Ch): Ch =>
    oneElement(record, name, (text, place) => then(text, [...(place === null ? [] : [place]), lit(key)]));
  if (rest.length === 0) return field(read);
  const raw = field((text, at) => call('JSONExtractRaw', text, ...at));
  return applied(
    fresh('record'),
    (inner) => levelByLevel({ text: inner, array: isArray(inner) }, `${name}.${key}`, rest, fresh, read),
    raw,
  );
}

/**
 * Whether the text has the record at `path`: by the types of what stands there, which cost a fifth of its text; that is looked at where neither
 * usual form has it.
 */
export function textHolds(text: Ch, column: string, path: Path, fresh: Fresh): Ch {
  const is = (type: string, at: readonly Ch[]): Ch => infix('=', call('JSONType', text, ...at), lit(type));
  const isOne = (at: readonly Ch[]): Ch => infix('=', call('JSONLength', text, ...at), lit(1));
  const keys = path.map((key) => lit(key));
  const elements = path.map((_key, i) => path.slice(0, i + 1).flatMap((key) => [lit(1), lit(key)]));
  const parents = elements.slice(0, -1).flatMap((at) => [is('Array', at), isOne(at)]);
  const inArrays = and(isOne([]), ...parents, is('Object', [...(elements.at(-1) ?? []), lit(1)]));
  const found = iff(startsArray(text), inArrays, is('Object', keys));
  const raw = (event: Ch): Ch =>
    levelByLevel({ text: event, array: startsArray(event) }, column, path, fresh, (of, at) => call('JSONExtractRaw', of, ...at));
  const held = fresh('held');
  const others = applied(fresh('event'), (event) => applied(held, holdsRecord, raw(event)), text);
  return iff(infix('OR', found, hasNoArray(text)), found, others);
}
