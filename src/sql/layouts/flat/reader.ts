// Reading records whose fields are columns: a field is its column, and a record is put together from those below it.
import { quoteIdentifier } from '../../../clickhouse/quote.ts';
import { STRING } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, cast, ident, infix, lit, tuple } from '../../target/build.ts';
import type { Path, Reader } from '../layout.ts';
import { holdsValue, nothing, storedAs } from '../stored.ts';
import type { FlatField, FlatRead } from './read.ts';

export const FLAT_READER: Reader<FlatRead> = {
  whole: (alias, read) => recordText(alias, below(read.fields, [])),
  record(alias, read, path) {
    const members = below(read.fields, path);
    if (path.length === 0) return recordText(alias, members);
    return members.size === 0 ? nothing(STRING) : call('nullIf', recordText(alias, members), lit('{}'));
  },
  present(alias, read, path) {
    const held = columnsOf(below(read.fields, path)).map(({ column, clickhouseType }) => holdsValue(ident(alias, column), clickhouseType));
    return held.length === 0 ? lit(false) : held.reduce((left, right) => infix('OR', left, right));
  },
  fields: {
    as: 'values',
    value(alias, read, path, type) {
      const field = read.fields[path.join('.')];
      return field === undefined ? nothing(type) : storedAs(ident(alias, field.column), field.clickhouseType, type);
    },
  },
};

/** The members of a record, by name. */
type Members = ReadonlyMap<string, FlatField | Members>;

const isField = (member: FlatField | Members): member is FlatField => 'column' in member;

function below(fields: FlatRead['fields'], path: Path): Members {
  const members = new Map<string, FlatField | Members>();
  const prefix = path.map((name) => `${name}.`).join('');
  for (const [at, field] of Object.entries(fields)) {
    if (!at.startsWith(prefix)) continue;
    const [name = '', ...inner] = at.slice(prefix.length).split('.');
    if (inner.length === 0) members.set(name, field);
    else if (!members.has(name)) members.set(name, below(fields, [...path, name]));
  }
  return members;
}

const columnsOf = (members: Members): readonly FlatField[] =>
  [...members.values()].flatMap((member) => (isField(member) ? [member] : columnsOf(member)));

/** A member without a value, with a comma beside it. No text within a string looks like one: quotes in it have a backslash before them. */
const NO_VALUE = String.raw`"(?:[^"\\,:{}\[\]]|\\.)+":(?:null|\[\]|\{\})`;

/**
 * JSON text of the columns as one record, as ClickHouse prints it, without the members that have no value. A record without any is one itself, so that
 * there is a turn for each level.
 */
function recordText(alias: string, members: Members): SqlExpression {
  const printed = call('toJSONString', cast(tupleOf(alias, members), tupleType(members)));
  return Array.from({ length: levelsOf(members) }).reduce<SqlExpression>(
    (text) => call('replaceRegexpAll', text, lit(`,${NO_VALUE}|${NO_VALUE},?`), lit('')),
    printed,
  );
}

const tupleOf = (alias: string, members: Members): SqlExpression =>
  tuple(...[...members.values()].map((member) => (isField(member) ? ident(alias, member.column) : tupleOf(alias, member))));

const tupleType = (members: Members): string =>
  `Tuple(${[...members].map(([name, member]) => `${quoteIdentifier(name)} ${isField(member) ? member.clickhouseType : tupleType(member)}`).join(', ')})`;

const levelsOf = (members: Members): number =>
  1 + Math.max(0, ...[...members.values()].map((member) => (isField(member) ? 0 : levelsOf(member))));
