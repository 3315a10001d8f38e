// What can be known of a constant RE2 pattern before it runs. https://github.com/google/re2/wiki/Syntax
import { QuernError } from '../../../errors.ts';

export interface RegexpFacts {
  /** Number of capturing groups. */
  readonly groups: number;
  /** A parenthesis or bracket lacks its partner: no regular expression. */
  readonly broken: boolean;
  /** It has a dot that stands for any character: RE2's does not match a line feed, ClickHouse's does. */
  readonly dot: boolean;
  /** A match may be empty. */
  readonly emptyMatch: boolean;
  /** It looks at what is before a match: ^, \\b, \\A. */
  readonly looksBack: boolean;
  /** Every match starts at the beginning of the text or ends at its end, so there is one at most. */
  readonly once: boolean;
  /** The text before, in and after the one group, where these simply follow each other. */
  readonly split: { readonly before: string; readonly group: string; readonly after: string } | null;
  /** What is extracted (the one group, else the match) is never empty when there is a match. */
  readonly fullCapture: boolean;
}

/** Part of a pattern: the fewest characters it takes, and whether a group that is not empty surely took part. */
interface Part {
  readonly fewest: number;
  readonly captured: boolean;
}

/** Groups inside each other: they are read by recursion. RE2 itself takes 1000. */
const MAX_DEPTH = 200;
/** More than the longest name of a class of characters: `[:alnum:]`, `\\p{Canadian_Aboriginal}`. */
const LONGEST_NAME = 64;

const NOTHING: Part = { fewest: 0, captured: false };
const ONE: Part = { fewest: 1, captured: false };

const tooDeep = (): QuernError =>
  new QuernError('too-complex', `the groups of a regular expression stand more than ${MAX_DEPTH} levels deep in each other`, {
    hint: 'use fewer groups, or match one after the other',
  });

/** Facts about `pattern`; what it does not understand is taken for the case that needs most care. */
export function regexpFacts(pattern: string): RegexpFacts {
  let at = 0;
  let groups = 0;
  let dot = false;
  let looksBack = false;
  let broken = false;
  let flags = false;
  let depth = 0;
  let branches = 1;
  let span: { from: number; to: number } | null = null;

  const alternation = (): Part => {
    const parts = [sequence()];
    while (pattern[at] === '|') {
      at++;
      if (depth === 0) branches++;
      parts.push(sequence());
    }
    const fewest = parts.reduce((least, part) => Math.min(least, part.fewest), Number.POSITIVE_INFINITY);
    return { fewest, captured: parts.every((b) => b.captured) };
  };
  const sequence = (): Part => {
    let whole = NOTHING;
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
      const part = repeated(atom());
      whole = { fewest: whole.fewest + part.fewest, captured: whole.captured || part.captured };
    }
    return whole;
  };
  const repeated = (once: Part): Part => {
    let part = once;
    for (;;) {
      const quantifier = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(pattern.slice(at, at + 16));
      if (quantifier === null) return part;
      at += quantifier[0].length;
      const least = quantifier[1] === undefined ? (quantifier[0].startsWith('+') ? 1 : 0) : Number(quantifier[1]);
      part = least === 0 ? NOTHING : { fewest: part.fewest * least, captured: part.captured };
    }
  };
  const atom = (): Part => {
    const c = pattern[at++];
    switch (c) {
      case '(':
        return group();
      case '[':
        return characterClass();
      case '^':
        looksBack = true;
        return NOTHING;
      case '$':
        return NOTHING;
      case '.':
        dot = true;
        return ONE;
      case '\\':
        return escaped();
      default:
        return ONE;
    }
  };
  const group = (): Part => {
    const head = /^\?(?:P?<\w+>|[a-zA-Z-]*[:)])/.exec(pattern.slice(at));
    const captures = head === null || head[0].includes('<');
    const from = at - 1;
    if (captures) groups++;
    if (head !== null) at += head[0].length;
    if (head !== null && !captures && head[0] !== '?:') flags = true;
    // Flags for what follows: (?i)
    if (head?.[0].endsWith(')')) return NOTHING;
    if (++depth > MAX_DEPTH) throw tooDeep();
    const inner = alternation();
    depth--;
    broken ||= pattern[at] !== ')';
    at++;
    if (captures && depth === 0 && !/^[*+?{]/.test(pattern.slice(at))) span = { from, to: at };
    return captures ? { fewest: inner.fewest, captured: inner.fewest > 0 } : inner;
  };
  const characterClass = (): Part => {
    if (pattern[at] === '^') at++;
    if (pattern[at] === ']') at++;
    while (at < pattern.length && pattern[at] !== ']') {
      const named = pattern.startsWith('[:', at) ? pattern.slice(at, at + LONGEST_NAME).indexOf(':]') : -1;
      if (named >= 0) at += named + 2;
      else at += pattern[at] === '\\' ? 2 : 1;
    }
    broken ||= pattern[at] !== ']';
    at++;
    return ONE;
  };
  const escaped = (): Part => {
    const c = pattern[at++] ?? '';
    if ('AbBz'.includes(c)) {
      looksBack ||= c !== 'z';
      return NOTHING;
    }
    if (c === 'Q') {
      const end = pattern.indexOf('\\E', at);
      const text = pattern.slice(at, end < 0 ? undefined : end);
      at = end < 0 ? pattern.length : end + 2;
      return text === '' ? NOTHING : ONE;
    }
    const rest = /^(?:\{[^}]*\})/.exec(pattern.slice(at, at + LONGEST_NAME));
    if ('pPx'.includes(c) && rest !== null) at += rest[0].length;
    else if (c === 'x') at += 2;
    else if ('pP'.includes(c)) at += 1;
    return ONE;
  };

  const whole = alternation();
  const understood = at >= pattern.length;
  return {
    groups,
    broken: broken || !understood,
    dot,
    emptyMatch: !understood || whole.fewest === 0,
    looksBack: looksBack || !understood,
    once: understood && branches === 1 && !flags && (/^(?:\^|\\A)/.test(pattern) || /(?:^|[^\\])\$$|\\z$/.test(pattern)),
    split: understood && !flags && groups === 1 && branches === 1 ? splitAt(pattern, span) : null,
    fullCapture: understood && (groups === 0 ? whole.fewest > 0 : whole.captured),
  };
}

const splitAt = (pattern: string, span: { readonly from: number; readonly to: number } | null): RegexpFacts['split'] =>
  span === null ? null : { before: pattern.slice(0, span.from), group: pattern.slice(span.from, span.to), after: pattern.slice(span.to) };
