// `@name` in ClickHouse SQL, as endpoints write their parameters, in ClickHouse's own form.
import { tokenizeClickHouse } from '../clickhouse/lexer.ts';
import type { FoundParameter } from './find-parameters.ts';

interface ClickHouseSql {
  readonly sql: string;
  readonly parameters: readonly FoundParameter[];
}

/** Each `@name` becomes `{name:Nullable(String)}`: a parameter may be absent. Throws `syntax` for text that cannot be read. */
export function clickHouseSql(text: string): ClickHouseSql {
  const tokens = tokenizeClickHouse({ name: '<query>', text });
  const names = new Set<string>();
  let sql = '';
  let copied = 0;
  tokens.forEach((token, i) => {
    const word = tokens[i + 1];
    if (token.kind === 'parameter') names.add(token.text.slice(1, token.text.indexOf(':')).trim());
    if (token.text !== '@' || token.kind !== 'symbol' || word?.kind !== 'word' || word.start !== token.end) return;
    sql += `${text.slice(copied, token.start)}{${word.text}:Nullable(String)}`;
    copied = word.end;
    names.add(word.text);
  });
  return { sql: sql + text.slice(copied), parameters: [...names].map((name) => ({ name, type: 'string' })) };
}
