// The call in whose brackets the cursor is, and what its arguments are: found in the text itself, which is rarely a query while a call is written.
import { dialectFunctions } from '../sql/index.ts';

interface CallHelp {
  /** `SAFE_DIVIDE(x FLOAT64, y FLOAT64) -> FLOAT64`, with the place of each parameter in it. */
  readonly signatures: readonly { readonly label: string; readonly parameters: readonly (readonly [number, number])[] }[];
  /** The first signature that takes as many arguments as are written. */
  readonly signature: number;
  /** The parameter that the cursor is at. */
  readonly parameter: number;
}

/** Texts, comments and quoted names, also those that do not end. */
const HIDDEN =
  /'''[\s\S]*?(?:'''|$)|"""[\s\S]*?(?:"""|$)|'(?:[^'\\\n]|\\.)*'?|"(?:[^"\\\n]|\\.)*"?|`[^`\n]*`?|--[^\n]*|#[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** `before`: all that stands before the cursor, and from where it is SQL. undefined where the cursor is in the brackets of no function of the dialect. */
export function callAt(before: string, from: number): CallHelp | undefined {
  const open = openBrackets(before.slice(from).replace(HIDDEN, (hidden) => 'x'.repeat(hidden.length)));
  for (const { name, commas, query } of open.reverse()) {
    // What stands around a query is far away from what is written in it.
    if (query) return undefined;
    const known = name === '' ? undefined : dialectFunctions().find((one) => one.name === name.toUpperCase());
    if (known !== undefined) return helpOf(known, commas);
  }
  return undefined;
}

interface Bracket {
  /** The name in front; empty for `[` and where no name stands there. */
  readonly name: string;
  readonly commas: number;
  readonly query: boolean;
}

/** Returns the calls that are not closed, the outermost first. */
function openBrackets(text: string): Bracket[] {
  const open: Bracket[] = [];
  for (const { 0: mark, index } of text.matchAll(/[()[\],;]/g)) {
    if (mark === '(') {
      const name = /((?:[a-z_]\w*\s*\.\s*)*[a-z_]\w*)\s*$/i.exec(text.slice(Math.max(0, index - 100), index))?.[1] ?? '';
      open.push({
        name: name.replace(/\s/g, '').replace(/^safe\./i, ''),
        commas: 0,
        query: /^\s*(?:select|with|from)\b/i.test(text.slice(index + 1)),
      });
    } else if (mark === '[') open.push({ name: '', commas: 0, query: false });
    else if (mark === ';') open.length = 0;
    else {
      const last = open.pop();
      if (mark === ',' && last !== undefined) open.push({ ...last, commas: last.commas + 1 });
    }
  }
  return open;
}

function helpOf({ name, signatures }: { readonly name: string; readonly signatures: readonly string[] }, commas: number): CallHelp {
  const read = signatures.map((signature) => {
    const [listed = '', result = ''] = signature.split('-> ');
    const parts = listed === '' ? [] : split(listed);
    let label = `${name}(`;
    const parameters = parts.map((part, i): readonly [number, number] => {
      if (i > 0) label += ', ';
      label += part;
      return [label.length - part.length, label.length];
    });
    return { label: `${label}) -> ${result}`, parameters, repeats: parts.at(-1)?.startsWith('...') === true };
  });
  const fits = read.findIndex(({ parameters, repeats }) => repeats || commas < Math.max(1, parameters.length));
  const signature = Math.max(0, fits);
  const last = (read[signature]?.parameters.length ?? 0) - 1;
  const parameter = read[signature]?.repeats === true ? Math.min(commas, last) : commas;
  return { signatures: read.map(({ label, parameters }) => ({ label, parameters })), signature, parameter };
}

/** At commas that stand in no brackets. */
function split(listed: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: mark, index } of listed.matchAll(/[<>(),]/g)) {
    if (mark === '<' || mark === '(') depth++;
    else if (mark !== ',')
      depth -= listed[index - 1] === '=' ? 0 : 1; // of a lambda or a named argument
    else if (depth === 0) {
      parts.push(listed.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...parts, listed.slice(start).trim()];
}
