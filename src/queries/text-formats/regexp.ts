// Checks whether a text is a regular expression, as RE2 does, which BigQuery and ClickHouse both use; JavaScript's own are others: they have
// look-ahead and back-references, and no `\Q`, `\C`, `(?U)` or `[[:alpha:]]`. https://github.com/google/re2/blob/main/re2/parse.cc

/** RE2 repeats at most this often. */
const MOST_REPEATS = 1000;

class NotRegexp extends Error {}

const refuse = (why: string): never => {
  throw new NotRegexp(why);
};

/**
 * Returns what is wrong with the pattern, in RE2's words where these are plain; undefined where nothing is. Names of Unicode classes and the size of the
 * whole are not looked at: RE2 knows those of its own version, and the engine says so.
 */
export function regexpProblem(pattern: string): string | undefined {
  try {
    readPattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof NotRegexp) return error.message;
    throw error;
  }
}

function readPattern(pattern: string): void {
  let open = 0;
  /** True, by level of groups, where something stands that a repetition could repeat. */
  const repeatable = [false];
  let lastRepeats = '';
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const repeats = repetitionAt(rest);
    if (repeats !== undefined) {
      if (lastRepeats !== '') refuse(`bad repetition operator: ${lastRepeats}${repeats}`);
      if (repeatable.at(-1) !== true) refuse(`there is nothing before ${repeats} to repeat`);
      lastRepeats = repeats;
      at += repeats.length;
      continue;
    }
    lastRepeats = '';
    const [first] = rest;
    if (first === '(') {
      const head = groupAt(rest);
      at += head.length;
      // Flags for what follows are no group.
      if (head.endsWith(')')) continue;
      open++;
      repeatable.push(false);
      continue;
    }
    if (first === ')') {
      if (open === 0) refuse('unexpected )');
      open--;
      repeatable.pop();
      at++;
    } else if (first === '|') {
      at++;
      repeatable[repeatable.length - 1] = false;
      continue;
    } else if (first === '[') at += classLength(rest);
    else if (rest.startsWith('\\Q')) {
      const end = rest.indexOf('\\E', 2);
      at += end < 0 ? rest.length : end + 2;
      if (end === 2 || rest.length === 2) continue;
    } else if (first === '\\') at += /^\\[bBAzC]/.test(rest) ? 2 : escapeLength(rest, true);
    else at += characterLength(rest);
    repeatable[repeatable.length - 1] = true;
  }
  if (open > 0) refuse('missing )');
}

/** `*`, `+?`, `{2,3}`; braces that hold no such numbers are characters. */
function repetitionAt(rest: string): string | undefined {
  const found = /^(?:[*+?]|\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\})\??/.exec(rest);
  if (found === null) return undefined;
  const [text, least, comma, most] = found;
  if (least === undefined || least.length > 9 || (most ?? '').length > 9) return least === undefined ? text : undefined;
  const low = Number(least);
  const high = Number(most ?? (comma === undefined ? least : 0));
  if (low > MOST_REPEATS || high > MOST_REPEATS) refuse(`${text} repeats more than ${MOST_REPEATS} times`);
  if (most !== undefined && high < low) refuse(`${text} ends before it begins`);
  return text;
}

/** The text that opens a group, or flags to their parenthesis. */
function groupAt(rest: string): string {
  if (!rest.startsWith('(?')) return '(';
  const around = /^\(\?<?[=!]/.exec(rest)?.[0];
  if (around !== undefined) return refuse(`${around} looks ahead or behind, which RE2 does not support`);
  if (/^\(\?P?</.test(rest)) {
    const named = /^\(\?P?<[\p{L}\p{M}\p{N}\p{Pc}]+>/u.exec(rest);
    return named?.[0] ?? refuse(`invalid group name: ${rest.slice(0, 20)}`);
  }
  const flags = /^\(\?(?:[imsU]*|[imsU]*-[imsU]+)[:)]/.exec(rest);
  if (flags !== null) return flags[0];
  return /^\(\?[imsU-]*$/.test(rest) ? refuse('missing )') : refuse(`RE2 does not support this kind of group: ${rest.slice(0, 4)}`);
}

const POSIX_CLASS = /^\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/;

/** Returns the length of a class of characters in brackets. */
function classLength(rest: string): number {
  let at = rest[1] === '^' ? 2 : 1;
  const ends = (): boolean => at >= rest.length;
  for (let first = true; ends() || first || rest[at] !== ']'; first = false) {
    if (ends()) refuse('missing ]');
    const here = rest.slice(at);
    if (here.startsWith('[:') && here.indexOf(':]', 2) >= 0) {
      const [name] = POSIX_CLASS.exec(here) ?? refuse(`there is no class ${here.slice(0, here.indexOf(':]') + 2)}`);
      at += name.length;
      continue;
    }
    if (/^\\[dDsSwWpP]/.test(here)) {
      at += escapeLength(here, true);
      continue;
    }
    const low = memberLength(here);
    at += low;
    if (rest[at] !== '-' || at + 1 >= rest.length || rest[at + 1] === ']') continue;
    const high = memberLength(rest.slice(at + 1));
    if (codeOf(rest.slice(at + 1, at + 1 + high)) < codeOf(here.slice(0, low)))
      refuse(`a range of characters ends before it begins: ${here.slice(0, low + 1 + high)}`);
    at += 1 + high;
  }
  return at + 1;
}

const memberLength = (rest: string): number => (rest.startsWith('\\') ? escapeLength(rest, false) : characterLength(rest));
const characterLength = (rest: string): number => ((rest.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);

/** Categories, and what may be the name of a script. */
const UNICODE_CLASS = /^\\[pP](?:[CLMNPSZ]|\{\^?(?:[CLMNPSZ][a-z]?|[A-Z][A-Za-z_]{2,})\})/;

/** `classes`: one that stands for several characters may be here. */
function escapeLength(rest: string, classes: boolean): number {
  if (rest.length === 1) refuse('it ends with a backslash');
  if (classes && /^\\[dDsSwW]/.test(rest)) return 2;
  if (classes && /^\\[pP]/.test(rest)) {
    const [name] = UNICODE_CLASS.exec(rest) ?? refuse(`there is no character class ${/^\\.(?:\{[^}]*\}?|.?)/su.exec(rest)?.[0]}`);
    return name.length;
  }
  const [text] =
    /^\\(?:[1-7][0-7]{1,2}|0[0-7]{0,2}|x[\da-fA-F]{2}|x\{[\da-fA-F]+\}|[nrtfva]|[\0-/:-@[-`{-\x7f])/.exec(rest) ??
    refuse(
      /^\\[1-9]/.test(rest)
        ? `${rest.slice(0, 2)} refers back to a group, which RE2 does not support`
        : `RE2 has no escape ${rest.slice(0, 1 + characterLength(rest.slice(1)))}`,
    );
  if (text.startsWith('\\x{') && codeOf(text) > 0x10ffff) refuse(`there is no character ${text}`);
  return text.length;
}

const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, a: 7 };

/** The character that one member of a class stands for. */
function codeOf(member: string): number {
  if (!member.startsWith('\\')) return member.codePointAt(0) ?? 0;
  const escaped = member.slice(1);
  if (/^x/.test(escaped)) return Number.parseInt(escaped.replace(/[x{}]/g, ''), 16);
  if (/^\d/.test(escaped)) return Number.parseInt(escaped, 8);
  return CONTROLS[escaped] ?? escaped.codePointAt(0) ?? 0;
}
