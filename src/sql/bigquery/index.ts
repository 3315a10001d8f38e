// The door of the BigQuery dialect: text to tree, and tree to text.
export { parseScript, parseSingleExpression as parseExpression } from './parse-script.ts';
export { printExpr } from './print-expression.ts';
export { printScript } from './print-script.ts';
