// ClickHouse's types as trees. https://clickhouse.com/docs/sql-reference/data-types

export interface ClickHouseType {
  /** `Tuple` of `Tuple(a String, b Array(Int8))`; the whole text of a literal, such as `'UTC'` or `38`. */
  readonly name: string;
  /** In the parentheses: types, and literals, which have none. */
  readonly args: readonly TypeArgument[];
  readonly text: string;
}

export interface TypeArgument {
  /** Of a field of Tuple and Nested, or the dotted path of one of JSON; null for what has none. */
  readonly name: string | null;
  readonly type: ClickHouseType;
}

/** The tree of a type's text, as DESCRIBE TABLE and the headers of results print it. */
export function readType(text: string): ClickHouseType {
  const trimmed = text.trim();
  const open = trimmed.indexOf('(');
  if (open === -1 || trimmed.startsWith("'")) return { name: trimmed, args: [], text: trimmed };
  const args: TypeArgument[] = [];
  let depth = 0;
  let start = open + 1;
  for (const match of trimmed.matchAll(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[(),]/g)) {
    if (match[0] === '(') depth++;
    if (match[0] === ')') depth--;
    if ((match[0] === ',' && depth === 1) || (match[0] === ')' && depth === 0)) {
      args.push(readArgument(trimmed.slice(start, match.index).trim()));
      start = match.index + 1;
    }
  }
  return { name: trimmed.slice(0, open).trim(), args, text: trimmed };
}

const FIELD = /^((?:`(?:[^`\\]|\\.)*`|\w+)(?:\.(?:`(?:[^`\\]|\\.)*`|\w+))*)\s+(.+)$/s;

/** `a String`, `` `a b` Array(String) ``, the path `` a.`b c` Int64 `` of a JSON type, or a type alone. */
function readArgument(text: string): TypeArgument {
  const [, name, type] = FIELD.exec(text) ?? [];
  if (name === undefined || type === undefined) return { name: null, type: readType(text) };
  return { name: name.replace(/`((?:[^`\\]|\\.)*)`/g, (_, quoted: string) => quoted.replace(/\\(.)/g, '$1')), type: readType(type) };
}

/** The type inside of Nullable and LowCardinality. */
export function bareType(type: ClickHouseType): ClickHouseType {
  const [inner] = type.args;
  return (type.name === 'Nullable' || type.name === 'LowCardinality') && inner !== undefined ? bareType(inner.type) : type;
}

/** True if a value of the type may be NULL. */
export function isNullable({ name, args: [inner] }: ClickHouseType): boolean {
  return name === 'Nullable' || (name === 'LowCardinality' && inner !== undefined && isNullable(inner.type));
}

/** True if the types differ in Nullable, LowCardinality and the names of fields alone, so that a CAST between them changes no value. */
export function sameValues(left: ClickHouseType, right: ClickHouseType): boolean {
  const [a, b] = [bareType(left), bareType(right)];
  if (a.name !== b.name || a.args.length !== b.args.length) return false;
  return a.args.every(({ type }, i) => sameValues(type, b.args[i]?.type ?? type));
}

/** True if values are texts of any length: String, with NULL and a dictionary or without. */
export const isText = (type: ClickHouseType): boolean => bareType(type).name === 'String';

/** A literal among a type's arguments, without its quotes: the zone of `DateTime64(6, 'UTC')` is its second. '' when there is none. */
export const literalArgument = ({ args }: ClickHouseType, at: number): string => (args[at]?.type.text ?? '').replace(/^'(.*)'$/s, '$1');
