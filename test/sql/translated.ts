// What is counted of translations: see countedCode.
import { translate } from '../../src/sql/index.ts';
import { parseScript } from '../../src/sql/syntax/parser/parse-script.ts';

export const translated = (sql: string): number => translate(sql).columns.length;
export const parsed = (sql: string): string => parseScript(sql).query.body.kind;
