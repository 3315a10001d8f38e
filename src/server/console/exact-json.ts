// Reads JSON so that nothing is lost: numbers keep their digits, objects the order of their fields.

/** A number as it was written. */
interface NumberText {
  readonly number: string;
}
interface Fields {
  readonly fields: readonly (readonly [string, Cell])[];
}
export type Cell = null | boolean | string | NumberText | Fields | readonly Cell[];

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)|([{}[\],:]))/y;

/** Throws SyntaxError for text that is not JSON. */
export function parseExactJson(text: string): Cell {
  JSON.parse(text); // from here on the text is well-formed
  TOKEN.lastIndex = 0;
  const next = (): RegExpExecArray => {
    const token = TOKEN.exec(text);
    if (token === null) throw new SyntaxError('the JSON text ends too early');
    return token;
  };
  const value = ([, string, number, word, mark]: RegExpExecArray): Cell => {
    if (string !== undefined) return JSON.parse(string) as string; // a quoted token is a string
    if (number !== undefined) return { number };
    if (word !== undefined) return word === 'null' ? null : word === 'true';
    return mark === '[' ? items() : { fields: fields() };
  };
  const items = (): Cell[] => {
    const list: Cell[] = [];
    for (let token = next(); token[4] !== ']'; token = next()) if (token[4] !== ',') list.push(value(token));
    return list;
  };
  const fields = (): [string, Cell][] => {
    const list: [string, Cell][] = [];
    for (let token = next(); token[4] !== '}'; token = next()) {
      if (token[4] === ',') continue;
      const name = JSON.parse(token[1] ?? '""') as string; // names are strings
      next();
      list.push([name, value(next())]);
    }
    return list;
  };
  return value(next());
}

export const isList = (cell: Cell): cell is readonly Cell[] => Array.isArray(cell);
export const isNumber = (cell: Cell): cell is NumberText => typeof cell === 'object' && cell !== null && 'number' in cell;
export const isFields = (cell: Cell): cell is Fields => typeof cell === 'object' && cell !== null && 'fields' in cell;

/** The value of a field, where the cell is an object that has it. */
export function field(cell: Cell | undefined, name: string): Cell | undefined {
  return cell !== undefined && isFields(cell) ? cell.fields.find(([own]) => own === name)?.[1] : undefined;
}

/** JSON text on one line, or on several where `indent` says how far levels are apart. */
export function exactJson(cell: Cell, indent = '', margin = ''): string {
  if (cell === null || typeof cell === 'boolean') return String(cell);
  if (typeof cell === 'string') return JSON.stringify(cell);
  if (isNumber(cell)) return cell.number;
  const inner = margin + indent;
  const [open, close, parts] = isList(cell)
    ? ['[', ']', cell.map((item) => exactJson(item, indent, inner))]
    : ['{', '}', cell.fields.map(([name, item]) => `${JSON.stringify(name)}:${indent === '' ? '' : ' '}${exactJson(item, indent, inner)}`)];
  if (parts.length === 0) return open + close;
  return indent === '' ? open + parts.join(',') + close : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${margin}${close}`;
}
