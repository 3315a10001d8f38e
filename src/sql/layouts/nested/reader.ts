// Records in Array(Tuple(…)) and Tuple(…) columns. Every field is a subcolumn: reading metadata.request.path reads that leaf alone, as an array
// per level of arrays above it. https://clickhouse.com/docs/sql-reference/data-types/tuple

import { bareType, type ClickHouseType, isNullable, readType } from '../../../clickhouse/type.ts';
import type { Type } from '../../base/types.ts';
import type { Check, SqlExpression } from '../../target/ast.ts';
import { array, call, element, failing, ident, iff, infix, isNull, lambda, lit } from '../../target/build.ts';
import type { Fresh, Reader } from '../layout.ts';
import { holdsValue, storedAs } from '../stored.ts';
import { fieldAt, leavesOf, levelsOf, nameOf } from './fields.ts';
import type { NestedRead, NestedRecord } from './read.ts';

export const NESTED_READER: Reader<NestedRead> = {
  whole(alias, read, _type, { fresh }) {
    const value = rootValue(alias, read);
    if (!read.record.repeated) return recordText(value, read.record, fresh, read.flattened !== true);
    // An event always has its one top record.
    return iff(call('empty', value), lit('{}'), recordTexts(value, read.record, fresh, read.flattened !== true));
  },
  record(alias, read, path, _type, { fresh }) {
    const field = fieldAt(read.record, path);
    const levels = levelsOf(read.record, path);
    const value = path.length === 0 ? rootValue(alias, read) : ident(alias, read.column, ...path);
    if (field?.kind !== 'record') throw new RangeError(`${nameOf(read, path)} is not a record`);
    const one = fresh('record');
    // The first record, if there is one, as an array: a Tuple cannot be NULL.
    const list = levels === 0 ? array(value) : firstOf(value, levels, nameOf(read, path));
    const texts = call('arrayMap', lambda([one], recordText(ident(one), field, fresh, path.length > 0 || read.flattened !== true)), list);
    const text = call('arrayElementOrNull', texts, lit(1));
    return path.length === 0 ? call('ifNull', text, lit('{}')) : text;
  },
  present(alias, read, path) {
    const levels = levelsOf(read.record, path);
    const field = fieldAt(read.record, path);
    const leaves = field?.kind === 'record' ? leavesOf(field, path) : [];
    const [leaf] = leaves;
    if (leaf === undefined) return lit(true);
    if (field?.kind === 'record' && field.repeated) {
      const inner = ident(alias, read.column, ...leaf.path);
      const list = levels <= 1 ? inner : elementAt(inner, levels - 1);
      return call('notEmpty', list);
    }
    // A Tuple is always there: one without any value stands for a record that the event has not.
    const held = leaves.map(({ path: at, leaf: { clickhouseType: stored } }) =>
      holdsValue(elementAt(ident(alias, read.column, ...at), levelsOf(read.record, at.slice(0, -1))), stored),
    );
    return held.reduce((left, right) => infix('OR', left, right));
  },
  fields: {
    as: 'values',
    value: (alias, read, path, type, fresh) =>
      readLeaf(alias, read, path, type, (value, levels, isArray) => first(value, levels, nameOf(read, path), isArray), fresh),
  },
  elements: nestedElements,
};

/**
 * Arrays of the values at a path, one level of arrays per repeated record above it: what a chain of ARRAY JOINs walks.
 * A path that names a record gives the JSON texts of the records.
 */
function nestedElements(alias: string, read: NestedRead, path: readonly string[], type: Type, fresh: Fresh): SqlExpression {
  const levels = levelsOf(read.record, path);
  const field = fieldAt(read.record, path);
  if (field?.kind === 'record') {
    const value = path.length === 0 ? rootValue(alias, read) : ident(alias, read.column, ...path);
    const text = (record: SqlExpression): SqlExpression => recordText(record, field, fresh, path.length > 0 || read.flattened !== true);
    // Where there is no record, its leaves are NULL only if their types allow it. The top record is always there.
    return mapLevels(value, levels, path.length === 0 ? text : (record) => call('toNullable', text(record)), fresh);
  }
  let leafType = type;
  for (let i = 0; i < levels && leafType.kind === 'ARRAY'; i++) leafType = leafType.element;
  return readLeaf(alias, read, path, leafType, (value) => value, fresh);
}

/** A leaf by its subcolumn; `pick` takes the value out of the arrays around it. Conversions happen inside of the arrays. */
function readLeaf(
  alias: string,
  read: NestedRead,
  path: readonly string[],
  type: Type,
  pick: (value: SqlExpression, levels: number, isArray: boolean) => SqlExpression,
  fresh: Fresh,
): SqlExpression {
  const levels = levelsOf(read.record, path);
  const leaf = fieldAt(read.record, path);
  if (leaf?.kind !== 'leaf') throw new RangeError(`${nameOf(read, path)} is not a field of the column`);
  const value = ident(alias, read.column, ...path);
  const picked = pick(value, levels, readType(leaf.clickhouseType).name === 'Array');
  if (picked !== value || levels === 0) return storedAs(picked, leaf.clickhouseType, type);
  const item = fresh('item');
  const probe = ident(item);
  return storedAs(probe, leaf.clickhouseType, type) === probe
    ? value
    : mapLevels(value, levels, (at) => storedAs(at, leaf.clickhouseType, type), fresh);
}

function mapLevels(value: SqlExpression, levels: number, change: (value: SqlExpression) => SqlExpression, fresh: Fresh): SqlExpression {
  if (levels === 0) return change(value);
  const item = fresh('item');
  return call('arrayMap', lambda([item], mapLevels(ident(item), levels - 1, change, fresh)), value);
}

/**
 * The value of the one element at each level; NULL where there is none, [] of values that are arrays. That there is no second one is asked for in the
 * subscript, which every row needs anyway: as the condition of an IF around the value, it takes another copy of all values.
 */
function first(value: SqlExpression, levels: number, name: string, isArray: boolean): SqlExpression {
  if (levels === 0) return value;
  // Flat, the innermost array needs no copy; but it has as many elements as the arrays around it together, which are looked at by themselves.
  const flat = levels === 1 ? value : call('arrayFlatten', value);
  const list = isArray ? elementAt(value, levels - 1, true) : flat;
  const outer = Array.from({ length: levels - 1 }, (_, level) => elementAt(value, level, true));
  return call(isArray ? 'arrayElement' : 'arrayElementOrNull', list, infix('+', lit(1), severalIn([...outer, list], name)));
}

/** The innermost array, of the one element at each level above it. */
function firstOf(value: SqlExpression, levels: number, name: string): SqlExpression {
  const lists = Array.from({ length: levels }, (_, level) => elementAt(value, level, true));
  const list = lists.at(-1) ?? value;
  return { ...severalIn(lists, name), value: list, otherwise: call('arraySlice', list, lit(1), lit(0)) };
}

/** 0, or a failure of the query: no element may be lost, at any level. */
function severalIn(lists: readonly SqlExpression[], name: string): Check {
  const several = lists.map((list) => infix('>', call('length', list), lit(1))).reduce((left, right) => infix('OR', left, right));
  return failing(several, `${name}: a record has several elements, but quern.yaml says "records: one"`);
}

/** The first element of the first element …; NULL where there is none, [] of values that are arrays. */
function elementAt(value: SqlExpression, levels: number, isArray = false): SqlExpression {
  if (levels === 0) return value;
  if (levels > 1) return elementAt(call('arrayElement', value, lit(1)), levels - 1, isArray);
  return call(isArray ? 'arrayElement' : 'arrayElementOrNull', value, lit(1));
}

/** The column's value; that of a flattened Nested column is put together from its columns. */
function rootValue(alias: string, read: NestedRead): SqlExpression {
  if (read.flattened !== true) return ident(alias, read.column);
  return call('arrayZip', ...Object.keys(read.record.fields).map((name) => ident(alias, read.column, name)));
}

/**
 * JSON text of a record: fields that are NULL and records without elements are left out, as events have them. `named`: its ClickHouse value has the
 * names of its fields.
 */
function recordText(value: SqlExpression, record: NestedRecord, fresh: Fresh, named = true): SqlExpression {
  return named && isPlain(record) ? heldText(value) : fieldTexts(value, record, fresh);
}

function recordTexts(list: SqlExpression, record: NestedRecord, fresh: Fresh, named = true): SqlExpression {
  if (named && isPlain(record)) return heldText(list);
  const item = fresh('record');
  const texts = call('arrayMap', lambda([item], recordText(ident(item), record, fresh, named)), list);
  return call('concat', lit('['), call('arrayStringConcat', texts, lit(',')), lit(']'));
}

/** A member without a value, with a comma beside it. No text within a string looks like one: quotes in it have a backslash before them. */
const NO_VALUE = String.raw`"\w+":(?:null|\[\])`;

/**
 * The value as ClickHouse prints it, without the members that have no value: printing each field by itself takes longer to analyze than a hundred rows
 * take to read, 8 ms for 14 fields.
 */
const heldText = (value: SqlExpression): SqlExpression =>
  call('replaceRegexpAll', call('toJSONString', value), lit(`,${NO_VALUE}|${NO_VALUE},?`), lit(''));

/** Types whose values print as texts, numbers, or arrays of them: in no other JSON text is `"name":null` surely a field without a value. */
const PLAIN_TYPE = /^(?:String|FixedString|U?Int|Float|BFloat|Decimal|Bool|Date|Time|Enum|UUID|IPv)/;

function isPlainType(type: ClickHouseType): boolean {
  const { name, args } = bareType(type);
  return name === 'Array' ? args.every((element) => isPlainType(element.type)) : PLAIN_TYPE.test(name);
}

/** True if only members of the record, and of records in it, can look like a member without a value. */
const isPlain = (record: NestedRecord): boolean =>
  Object.entries(record.fields).every(
    ([name, field]) => /^\w+$/.test(name) && (field.kind === 'leaf' ? isPlainType(readType(field.clickhouseType)) : isPlain(field)),
  );

function fieldTexts(value: SqlExpression, record: NestedRecord, fresh: Fresh): SqlExpression {
  const fields = Object.entries(record.fields).map(([name, field], i) => {
    const of = element(value, i + 1);
    const member = (text: SqlExpression): SqlExpression => call('concat', lit(`${JSON.stringify(name)}:`), text);
    if (field.kind === 'leaf') {
      const text = member(call('toJSONString', of));
      const type = readType(field.clickhouseType);
      if (type.name === 'Array') return iff(call('empty', of), lit(''), text);
      return isNullable(type) ? iff(isNull(of), lit(''), text) : text;
    }
    return field.repeated ? iff(call('empty', of), lit(''), member(recordTexts(of, field, fresh))) : member(recordText(of, field, fresh));
  });
  const held = call('arrayFilter', lambda(['text'], infix('!=', ident('text'), lit(''))), array(...fields));
  return call('concat', lit('{'), call('arrayStringConcat', held, lit(',')), lit('}'));
}
