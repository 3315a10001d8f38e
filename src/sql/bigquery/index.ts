// The door of the BigQuery reader: text to tree, and tree to text.
export { parseScript, parseSingleExpression as parseExpression } from './parse-script.ts';
