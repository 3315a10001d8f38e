// A view of the table by which a query reads files of text: a text that is not UTF-8 fails the query that reads it, and is never shown with other characters.
import { quoteIdentifier, quoteString } from '../../clickhouse/quote.ts';
import { bareType, type ClickHouseType, readType } from '../../clickhouse/type.ts';
import type { TableColumn } from '../../sql/layouts/index.ts';

/** What such a query fails with. */
export const NOT_UTF8 = 'quern: a text is not UTF-8';

/** ClickHouse SQL that makes the view `name` of the temporary table `of`, whose columns `texts` are checked. */
export function utf8View(name: string, of: string, columns: readonly TableColumn[], texts: readonly string[]): string {
  const read = columns.map((column) => {
    const value = quoteIdentifier(column.name);
    const isRight = texts.includes(column.name) ? utf8Test(value, readType(column.type), 0) : undefined;
    if (isRight === undefined) return value;
    return `if(throwIf(NOT ${isRight}, ${quoteString(NOT_UTF8)}), defaultValueOfArgumentType(${value}), ${value}) AS ${value}`;
  });
  return `CREATE TEMPORARY VIEW ${quoteIdentifier(name)} AS SELECT ${[...read, '_path'].join(', ')} FROM ${quoteIdentifier(of)}`;
}

/** SQL that is true where all texts in `value` are UTF-8; undefined where it holds none. */
function utf8Test(value: string, type: ClickHouseType, depth: number): string | undefined {
  const { name, args } = bareType(type);
  if (name === 'String' || name === 'FixedString') return `ifNull(isValidUTF8(${value}), 1)`;
  if (name === 'Array') {
    const item = `item${depth}`;
    const [element] = args;
    const test = element === undefined ? undefined : utf8Test(item, element.type, depth + 1);
    return test === undefined ? undefined : `arrayAll(${item} -> ${test}, ${value})`;
  }
  if (name !== 'Tuple') return undefined;
  const tests = args.flatMap((field, i) => utf8Test(`tupleElement(${value}, ${i + 1})`, field.type, depth) ?? []);
  return tests.length === 0 ? undefined : `(${tests.join(' AND ')})`;
}
