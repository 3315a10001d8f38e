// Makes text safe for a terminal: data may contain anything, so it never reaches the terminal as it is.

// C0 and C1 controls, DEL, line separators, invisible direction marks (https://trojansource.codes) and lone surrogates.
const unsafe = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\0' };

/** The text with every character that could move the cursor, colour or reorder it written as an escape. */
export function visible(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return named[character] ?? (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`);
  });
}
