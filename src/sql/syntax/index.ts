// The door of the BigQuery dialect: text to tree, and tree to text.
export { parseScript, parseSingleExpression as parseExpression } from './parser/parse-script.ts';
export { printExpr } from './printer/print-expression.ts';
export { printScript } from './printer/print-script.ts';
