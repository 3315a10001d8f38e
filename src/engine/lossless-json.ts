// JSON without loss: integers beyond 2^53 become bigint, and are printed back with all their digits.
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

/** A cheap test that most texts fail, before the exact one. */
const LONG_DIGITS = /\d{16}/;
/** An integer long enough to lose digits as a double; also found inside strings, which costs time only. */
const LONG_INTEGER = /(?<![\d.])\d{16,}(?![\d.eE])/;
const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)|([{}[\],:]))/y;

/** Deeper nesting is refused: real events do not have it, and it would exhaust the stack of whoever walks the value. */
export const MAX_DEPTH = 200;

/** Parses `text` as JSON.parse does, but integers that a double cannot hold are bigint. Throws SyntaxError. */
export function parseJson(text: string): Json {
  // JSON.parse gives what Json describes; validating it first also means the slow path below sees well-formed text only.
  const parsed = JSON.parse(text) as Json;
  return LONG_DIGITS.test(text) && LONG_INTEGER.test(text) ? parseExactly(text) : parsed;
}

/** The value of a JSON text as parseJson reads it; undefined for any other text. */
export function exactJsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function parseExactly(text: string): Json {
  TOKEN.lastIndex = 0;
  const next = (): RegExpExecArray => {
    const token = TOKEN.exec(text);
    if (token === null) throw new SyntaxError('the JSON text ends too early');
    return token;
  };
  const value = (token: RegExpExecArray, depth: number): Json => {
    if (depth > MAX_DEPTH) throw new SyntaxError(`the JSON text nests deeper than ${MAX_DEPTH} levels`);
    const [, string, number, word, mark] = token;
    if (string !== undefined) return JSON.parse(string) as string; // a quoted token is a string
    if (number !== undefined) return exactNumber(number);
    if (word !== undefined) return word === 'null' ? null : word === 'true';
    return mark === '[' ? items(depth + 1) : fields(depth + 1);
  };
  const items = (depth: number): Json[] => {
    const array: Json[] = [];
    for (let token = next(); token[4] !== ']'; token = next()) if (token[4] !== ',') array.push(value(token, depth));
    return array;
  };
  const fields = (depth: number): { [key: string]: Json } => {
    const object: { [key: string]: Json } = {};
    for (let token = next(); token[4] !== '}'; token = next()) {
      if (token[4] === ',') continue;
      const key = JSON.parse(token[1] ?? '""') as string; // keys are strings
      next();
      setField(object, key, value(next(), depth));
    }
    return object;
  };
  return value(next(), 0);
}

/** Plain assignment of the key `__proto__` would change the prototype instead. */
function setField(object: { [key: string]: Json }, key: string, value: Json): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}

function exactNumber(text: string): number | bigint {
  const number = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}

/** Prints a value as JSON.stringify does, bigints as plain integers. */
export function printJson(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch {
    return printWithBigints(value); // the one thing that JSON.stringify refuses in a Json
  }
}

function printWithBigints(value: Json): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(printWithBigints).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}:${printWithBigints(field)}`);
    return `{${fields.join(',')}}`;
  }
  return JSON.stringify(value);
}
