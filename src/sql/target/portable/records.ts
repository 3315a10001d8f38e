// Whole records: a result shows one as the table stores it. Anywhere else it is the JSON text that it is elsewhere.
import type { SelectItem, SqlExpression, Statement } from '../ast.ts';
import { call } from '../build.ts';
import { asFunc, isStatement } from '../checks.ts';
import { rebuilt } from '../rewrite.ts';

/** Stands for a record until it is known where it is read; none of ClickHouse's functions is called so. */
const WHOLE = 'whole record';

export const wholeRecord = (stored: SqlExpression, text: SqlExpression): SqlExpression => call(WHOLE, stored, text);

export function withRecords(statement: Statement, notes: Set<string>): Statement {
  const shown =
    isStatement(statement) && statement.kind === 'select' ? { ...statement, items: statement.items.map(asStored(notes)) } : statement;
  return rebuilt(shown, (node) => {
    const func = asFunc(node);
    return func?.name === WHOLE ? (func.args[1] ?? node) : node;
  });
}

const asStored =
  (notes: Set<string>) =>
  (item: SelectItem): SelectItem => {
    const { value } = item;
    const [stored] = value.kind === 'func' && value.name === WHOLE ? value.args : [];
    if (stored === undefined) return item;
    notes.add(`${item.alias} is the map of all attributes: keys with dots instead of records in records`);
    return { ...item, value: stored };
  };
