// Quoting of identifiers and string literals for ClickHouse. https://clickhouse.com/docs/sql-reference/syntax

const PLAIN_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Words the ClickHouse parser may take for a keyword or an operator where a name could stand. */
const RESERVED = new Set(
  (
    'all and anti any array as asc asof between both by case cast collate create cross cube date desc distinct div else end escape except exists explain ' +
    'extract false fetch final first following for format from full function global grant grouping group having if ilike in inf inner insert intersect interval into is ' +
    'join key last lateral leading left like limit materialized minus mod nan natural not null nulls offset on only or order outer over partition paste ' +
    'populate preceding prewhere primary qualify range recursive rename replace right rollup row rows sample select semi set sets settings substring table then ' +
    'ties timestamp to totals trailing trim true unbounded union update use using values view when where window with'
  ).split(' '),
);

export function quoteIdentifier(name: string): string {
  if (PLAIN_IDENTIFIER.test(name) && !RESERVED.has(name.toLowerCase())) return name;
  return quoteAnyIdentifier(name);
}

/** In backticks, whatever the name. */
export const quoteAnyIdentifier = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``;

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
};

export function quoteString(text: string): string {
  return `'${text.replace(/[\\'\p{Cc}]/gu, (c) => (c > '\x7f' ? c : (ESCAPES[c] ?? `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)))}'`;
}

/** Escapes what is special in a text without quotes, as TSV does. */
export const escapeControl = (text: string): string => text.replace(/[\\\n\r\t\0\b\f]/g, (character) => ESCAPES[character] ?? character);

const ESCAPED: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(ESCAPES).map(([plain, shown]) => [shown, plain]));

/** The text that ClickHouse shows with escapes. */
export const unescapeString = (text: string): string => text.replace(/\\./gs, (shown) => ESCAPED[shown] ?? shown.slice(1));

/** Bytes given as Latin-1 text (one character per byte), as a ClickHouse string literal. */
export const quoteBytes = (bytes: string): string => `'${escapeBytes(bytes)}'`;

/** The same without quotes. */
export const escapeBytes = (bytes: string): string =>
  bytes.replace(/[^\x20-\x7e]|[\\']/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
