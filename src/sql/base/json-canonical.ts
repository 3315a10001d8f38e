// The text of a JSON constant as BigQuery writes JSON: keys in the order of their bytes, of equal ones the first, numbers in their shortest form.

/** More digits than that a FLOAT64 may not hold. */
const DIGITS = 15;
/** From here on numbers are written with an exponent. */
const [LARGE, SMALL] = [1e15, 1e-4];

/** True if a JSON text has an integer that fits neither in a signed nor in an unsigned integer of 64 bits. */
export const hasWideInteger = (text: string): boolean =>
  (text.replace(/"(?:[^"\\]|\\.)*"/gs, '').match(/-?\d[\d.eE+-]*/g) ?? []).some(
    (number) => /^-?\d{19,}$/.test(number) && (BigInt(number) >= 2n ** 64n || BigInt(number) < -(2n ** 63n)),
  );

/** Undefined where it is no JSON, or has numbers that FLOAT64 may not hold as they are. */
export function canonicalJson(text: string): string | undefined {
  const numbers = text.replace(/"(?:[^"\\]|\\.)*"/gs, '').match(/-?\d[\d.eE+-]*/g) ?? [];
  if (numbers.some((n) => n.replace(/[eE].*/, '').replace(/\D/g, '').length > DIGITS || !Number.isFinite(Number(n)))) return undefined;
  try {
    const wholes = new Set(numbers.filter((n) => /^-?\d+$/.test(n)));
    // A number says in its own text alone whether it is an integer: each is read as the text that it becomes.
    const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs, (part) =>
      part.startsWith('"') ? `"s${part.slice(1)}` : `"n${wholes.has(part) ? String(BigInt(part)) : floatText(Number(part))}"`,
    );
    JSON.parse(text);
    return written(parsed(marked));
  } catch {
    return undefined;
  }
}

/** With all keys of an object, also equal ones: those carry their place. */
function parsed(marked: string): unknown {
  let place = 0;
  return JSON.parse(
    marked.replace(/("(?:[^"\\]|\\.)*")(\s*:)/gs, (_, key: string, colon: string) => `${key.slice(0, -1)}\\u0000${place++}"${colon}`),
  );
}

function written(value: unknown): string {
  if (typeof value === 'string') return value.startsWith('n') ? value.slice(1) : JSON.stringify(value.slice(1));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  const first = new Map<string, unknown>();
  for (const [marked, inner] of Object.entries(value)) {
    const key = marked.slice(1, marked.lastIndexOf('\u0000'));
    if (!first.has(key)) first.set(key, inner);
  }
  const byBytes = [...first].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${byBytes.map(([key, inner]) => `${JSON.stringify(key)}:${written(inner)}`).join(',')}}`;
}

function floatText(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= LARGE || size < SMALL)) return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  const plain = String(value);
  return /[.e]/.test(plain) ? plain : `${Object.is(value, -0) ? '-0' : plain}.0`;
}
