// Values in records that are JSON text, all that a query shows of one text by one parse.
import { quoteAnyIdentifier } from '../../../clickhouse/quote.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { and, array, call, element, failing, ident, iff, infix, lambda, lit, NULL, tuple } from '../../target/build.ts';
import type { Fresh, Names, Path } from '../layout.ts';
import { holdsRecord, rawAt, severalRecords, startsArray } from '../raw-record.ts';

/** A key of a record with the keys below it: none where its value is read. */
interface Branch {
  readonly key: string;
  readonly below: readonly Branch[];
}

/**
 * The values at `paths` as texts: strings without their quotes, null and absent as NULL. No path leads through another one's value.
 *
 * A parse costs most, so that each text has one for its values, and each function costs its analysis, 50 us, whatever the rows. Texts without an
 * array are read as they are. In others, a record is read as a tuple whose first element stands for the record of an array: JSONExtract takes a tuple's
 * elements from an object by their names, from an array by their places. Whether that array holds others too is looked for apart. All this stands
 * in a lambda: branches that are not taken cost nothing, unless they hold branches themselves, and what their parts share is worked out in each.
 * Measured over texts of 250 bytes, two values from objects take 1.8 times as long as JSONExtractString of one, and from arrays of one five times.
 */
export function textLeaves(column: SqlExpression, name: string, paths: readonly Path[], names: Names): readonly SqlExpression[] {
  const branches = branchesOf(paths);
  // JSONExtract makes no tuple of the same type of NULL.
  const text = call('ifNull', column, lit(''));
  const ofObjects = paths.length === 1 ? extract(column, paths[0] ?? [], TEXT) : extract(text, [], objectType(branches));
  const [event, read] = [names.fresh('event'), names.fresh('read')];
  // A text without an array has no several records either.
  const several = [[], ...recordsOf(branches)]
    .map((record): SqlExpression => failing(holdsSeveral(ident(event), record), severalRecords([name, ...record].join('.')), 'all'))
    .reduce((any, check) => infix('OR', any, check));
  const ofOthers = shaped(branches, paths, (path) => {
    const value = call('coalesce', ...waysTo(path, branches, ident(read)));
    // Values that are read together share the needs of each of them.
    return path === paths[0] ? iff(several, NULL, value) : value;
  });
  const readings = [array(text), array(extract(text, [], recordType(branches, recordType(branches))))];
  const others = call('arrayElement', call('arrayMap', lambda([event, read], ofOthers), ...readings), lit(1));
  const found = iff(hasNoArray(column), ofObjects, others);
  if (paths.length === 1) return [found];
  const fields = names.name('fields', found);
  return paths.map((path) => places(branches, path).reduce((of, at) => element(of, at), fields));
}

const extract = (text: SqlExpression, path: Path, type: string): SqlExpression =>
  call('JSONExtract', text, ...path.map((key) => lit(key)), lit(type));

function branchesOf(paths: readonly Path[]): readonly Branch[] {
  const rests = new Map<string, Path[]>();
  for (const [key = '', ...rest] of paths) rests.set(key, [...(rests.get(key) ?? []), ...(rest.length === 0 ? [] : [rest])]);
  return [...rests].map(([key, below]) => ({ key, below: branchesOf(below) }));
}

/** Paths of the records that hold what is read. */
const recordsOf = (branches: readonly Branch[], prefix: Path = []): readonly Path[] =>
  branches.flatMap(({ key, below }) => (below.length === 0 ? [] : [[...prefix, key], ...recordsOf(below, [...prefix, key])]));

const TEXT = 'Nullable(String)';
/** The name of a tuple's first element, which an array gives and no object can: such a byte is in no JSON text. */
const FIRST = '`\\xFF`';

/**
 * ``Tuple(`\xFF` Nullable(String), `path` Nullable(String), `headers` Tuple(`\xFF` Tuple(...), ...))``. In a record by itself the first element is
 * for what an array would give, which is none.
 */
function recordType(branches: readonly Branch[], first = TEXT): string {
  const fields = branches.map(
    ({ key, below }) => `${quoteAnyIdentifier(key)} ${below.length === 0 ? TEXT : recordType(below, recordType(below))}`,
  );
  return `Tuple(${[`${FIRST} ${first}`, ...fields].join(', ')})`;
}

/** `Tuple(request Tuple(path Nullable(String), url Nullable(String)))`. */
function objectType(branches: readonly Branch[]): string {
  return `Tuple(${branches.map(({ key, below }) => `${quoteAnyIdentifier(key)} ${below.length === 0 ? TEXT : objectType(below)}`).join(', ')})`;
}

/** One value, or a tuple of `objectType`. */
function shaped(branches: readonly Branch[], paths: readonly Path[], value: (path: Path) => SqlExpression): SqlExpression {
  const at = (prefix: Path, { key, below }: Branch): SqlExpression => {
    const path = [...prefix, key];
    if (below.length > 0) return tuple(...below.map((branch) => at(path, branch)));
    return value(paths.find((known) => isSame(known, path)) ?? path);
  };
  return paths.length === 1 ? value(paths[0] ?? []) : tuple(...branches.map((branch) => at([], branch)));
}

const isSame = (a: Path, b: Path): boolean => a.length === b.length && a.every((key, i) => key === b[i]);

/** The places of the path's keys in tuples of `objectType`. */
function places(branches: readonly Branch[], [key, ...rest]: Path): readonly number[] {
  const at = branches.findIndex((b) => b.key === key);
  const below = branches[at]?.below ?? [];
  return [at + 1, ...(rest.length === 0 ? [] : places(below, rest))];
}

/** The places where a value may stand in a tuple of `recordType`, all but one of them NULL. */
function waysTo([key, ...rest]: Path, branches: readonly Branch[], ...records: readonly SqlExpression[]): readonly SqlExpression[] {
  const at = branches.findIndex((branch) => branch.key === key);
  const found = records.flatMap((record) => [element(record, 1), record]).map((record) => element(record, at + 2));
  return rest.length === 0 ? found : waysTo(rest, branches[at]?.below ?? [], ...found);
}

/** True if the record at a path is in an array with others. The records on the way to it may or may not be in arrays of one. */
function holdsSeveral(text: SqlExpression, path: Path): SqlExpression {
  const places = path.reduce<readonly string[]>(
    (ways, key) => ways.flatMap((way) => [way, `${way}[0]`]).map((way) => way + member(key)),
    ['$'],
  );
  return places.map((place) => call('JSON_EXISTS', text, lit(`${place}[1]`))).reduce((any, other) => infix('OR', any, other));
}

const member = (key: string): string => `."${key.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Looking for one character takes a hundredth of the time of a parse. */
const hasNoArray = (text: SqlExpression): SqlExpression => infix('=', call('position', text, lit('[')), lit(0));

/** `body` of the value, worked out once. */
const applied = (name: string, body: (value: SqlExpression) => SqlExpression, value: SqlExpression): SqlExpression =>
  call('arrayElement', call('arrayMap', lambda([name], body(ident(name))), array(value)), lit(1));

/**
 * Whether the text has the record at `path`: by the types of what stands there, which cost a fifth of its text; that is looked at where neither
 * usual form has it.
 */
export function textHolds(stored: SqlExpression, column: string, path: Path, fresh: Fresh): SqlExpression {
  const text = call('ifNull', stored, lit(''));
  const is = (type: string, at: readonly SqlExpression[]): SqlExpression => infix('=', call('JSONType', text, ...at), lit(type));
  const isOne = (at: readonly SqlExpression[]): SqlExpression => infix('=', call('JSONLength', text, ...at), lit(1));
  const keys = path.map((key) => lit(key));
  const elements = path.map((_key, i) => path.slice(0, i + 1).flatMap((key) => [lit(1), lit(key)]));
  const parents = elements.slice(0, -1).flatMap((at) => [is('Array', at), isOne(at)]);
  const inArrays = and(isOne([]), ...parents, is('Object', [...(elements.at(-1) ?? []), lit(1)]));
  const found = iff(startsArray(text), inArrays, is('Object', keys));
  const held = fresh('held');
  const others = applied(fresh('event'), (event) => applied(held, holdsRecord, rawAt(event, column, path)), text);
  return iff(infix('OR', found, hasNoArray(text)), found, others);
}
