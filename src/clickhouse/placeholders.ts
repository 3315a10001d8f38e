// The places in ClickHouse SQL where a parameter stands: `{name:Type}`.
import { sqlPieces } from './lexer.ts';

/** Writes something else where `written` returns a text for the name. A placeholder is `{`, a name, `:`, a type without braces, `}`, with spaces anywhere. */
export function withPlaceholders(sql: string, written: (name: string) => string | undefined): string {
  const pieces = sqlPieces(sql);
  const printed: string[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const end = pieces[at] === '{' ? pieces.indexOf('}', at) : -1;
    const name = end === -1 ? undefined : /^\{\s*(\w+)\s*:/.exec(pieces.slice(at, end).join(''))?.[1];
    const text = name === undefined ? undefined : written(name);
    printed.push(text ?? pieces[at] ?? '');
    if (text !== undefined) at = end;
  }
  return printed.join('');
}
