// Takes ClickHouse's type texts apart. https://clickhouse.com/docs/sql-reference/data-types

/** `Tuple(a String, b Array(Int8))` is `Tuple`, `a String`, `b Array(Int8)`. */
export function splitType(text: string): readonly string[] {
  const open = text.indexOf('(');
  if (open === -1) return [text.trim()];
  const parts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (const match of text.matchAll(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[(),]/g)) {
    if (match[0] === '(') depth++;
    if (match[0] === ')') depth--;
    if ((match[0] === ',' && depth === 1) || (match[0] === ')' && depth === 0)) {
      parts.push(text.slice(start, match.index).trim());
      start = match.index + 1;
    }
  }
  return [text.slice(0, open).trim(), ...parts];
}

interface TypeField {
  /** null in tuples without names. */
  readonly name: string | null;
  readonly type: string;
}

/** `a String`, `` `a b` Array(String) ``, the path `` a.`b c` Int64 `` of a JSON type, or, in tuples without names, a type alone. */
export function typeField(text: string): TypeField {
  const match = /^((?:`(?:[^`\\]|\\.)*`|\w+)(?:\.(?:`(?:[^`\\]|\\.)*`|\w+))*)\s+(.+)$/s.exec(text);
  const [, name, type] = match ?? [];
  if (name === undefined || type === undefined) return { name: null, type: text };
  return { name: name.replace(/`((?:[^`\\]|\\.)*)`/g, (_, quoted: string) => quoted.replace(/\\(.)/g, '$1')), type };
}
