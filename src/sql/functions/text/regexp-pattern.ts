// Facts about a constant RE2 pattern, found before it runs. https://github.com/google/re2/wiki/Syntax
import { QuernError } from '../../../base/errors.ts';

export interface RegexpFacts {
  /** Number of capturing groups. */
  readonly groups: number;
  /** A parenthesis or bracket lacks its partner, or it ends with a backslash: no regular expression. */
  readonly broken: boolean;
  /** It has a dot that stands for any character: RE2's does not match a line feed, ClickHouse's does. */
  readonly dot: boolean;
  /** The pattern with a class of characters for each such dot; null where that is not sure to mean the same. */
  readonly undotted: string | null;
  /** A match may be empty. */
  readonly emptyMatch: boolean;
  /** It looks at what is before a match: ^, \\b, \\A. */
  readonly looksBack: boolean;
  /** Every match starts at the beginning of the text or ends at its end, so there is one at most. */
  readonly once: boolean;
  /** The text before, in and after the one group, where these simply follow each other. */
  readonly split: { readonly before: string; readonly group: string; readonly after: string } | null;
  /** The extracted text (the one group, else the match) is never empty: if ClickHouse returns '', there is no match, or the group took no part in it. */
  readonly fullCapture: boolean;
  /** Whatever matches, the one group takes part in it. */
  readonly surelyCaptures: boolean;
  /**
   * For a pattern that matches the empty text only where nothing else matches: the pattern that it prefers, '' if there is none. null if
   * this is unknown.
   */
  readonly filled: string | null;
}

/** Part of a pattern. */
interface Part {
  /** The fewest characters it takes. */
  readonly fewest: number;
  /** Its text, groups without capture. */
  readonly text: string;
  /** Where it may take nothing: what it takes before it is content with that, or null if nothing comes first. */
  readonly filled: string | null;
  /** A group takes part in each of its matches. */
  readonly captures: boolean;
}

/** Quantifiers that take one part at least in the place of those that may take none. */
const ONCE: Readonly<Record<string, string>> = { '*': '+', '?': '' };

/** Groups inside each other: they are read by recursion. RE2 itself takes 1000. */
const MAX_DEPTH = 200;
/** More than the longest name of a class of characters: `[:alnum:]`, `\\p{Canadian_Aboriginal}`. */
const LONGEST_NAME = 64;

const NOTHING: Part = { fewest: 0, text: '', filled: null, captures: false };
const ONE: Part = { ...NOTHING, fewest: 1 };
/** Patterns of many parts that may be absent become long when each is written as what it rather matches. */
const LONGEST_FILLED = 2000;

const tooDeep = (): QuernError =>
  new QuernError('too-complex', `the groups of a regular expression are nested more than ${MAX_DEPTH} levels deep`, {
    hint: 'use fewer groups, or match them one after the other',
  });

/** Facts about `pattern`; what it does not understand is taken for the case that needs most care. */
export function regexpFacts(pattern: string): RegexpFacts {
  let at = 0;
  let groups = 0;
  /** A group may have captured nothing: then '' does not say that there is none. */
  let emptyGroup = false;
  const dots: number[] = [];
  let looksBack = false;
  let broken = false;
  let flags = false;
  let depth = 0;
  let branches = 1;
  /** True if an empty match depends on more than the parts read here: on anchors, flags, or counts of parts that may be empty. */
  let depends = false;
  let span: { from: number; to: number } | null = null;

  const alternation = (): Part => {
    const parts = [sequence()];
    while (pattern[at] === '|') {
      at++;
      if (depth === 0) branches++;
      parts.push(sequence());
    }
    const [first] = parts;
    if (first !== undefined && parts.length === 1) return first;
    const fewest = parts.reduce((least, part) => Math.min(least, part.fewest), Number.POSITIVE_INFINITY);
    // RE2 never tries the branches behind one that may match the empty text.
    const before = parts.findIndex((part) => part.fewest === 0);
    const tried = before < 0 ? [] : [...parts.slice(0, before).map(({ text }) => text), ...filledOf(parts[before])];
    return {
      fewest,
      text: parts.map(({ text }) => text).join('|'),
      filled: tried.length === 0 ? null : tried.join('|'),
      captures: parts.every(({ captures }) => captures),
    };
  };
  const sequence = (): Part => {
    const parts: Part[] = [];
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') parts.push(repeated(atom()));
    const text = parts.map((part) => part.text).join('');
    const isLong = text.length > LONGEST_FILLED;
    depends ||= isLong;
    // The first part that takes something decides; those before it take nothing then.
    const filled = (isLong ? [] : parts).flatMap((part, i) =>
      filledOf(part).map((own) => {
        const rest = parts.slice(i + 1).map((later) => later.text);
        return `(?:${own})${rest.join('')}`;
      }),
    );
    return {
      fewest: parts.reduce((sum, part) => sum + part.fewest, 0),
      text,
      filled: filled.length === 0 ? null : filled.join('|'),
      captures: parts.some(({ captures }) => captures),
    };
  };
  const repeated = (once: Part): Part => {
    let part = once;
    for (;;) {
      const quantifier = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(pattern.slice(at, at + 16));
      if (quantifier === null) return part;
      at += quantifier[0].length;
      const least = Number(quantifier[1] ?? (quantifier[0].startsWith('+') ? 1 : 0));
      part = times(part, least, quantifier[0]);
    }
  };
  const times = (part: Part, least: number, quantifier: string): Part => {
    const greedy = quantifier.length === 1 || !quantifier.endsWith('?');
    const text = `(?:${part.text})${quantifier}`;
    const emptyFirst = part.fewest === 0;
    // An absent group has nothing to give where a group that takes nothing comes first.
    const captures = part.captures && (least > 0 || (greedy && emptyFirst && !/^\{0(?:,0)?\}/.test(quantifier)));
    const fewest = part.fewest * least;
    if (fewest > 0) return { fewest, text, filled: null, captures };
    depends ||= emptyFirst;
    const once = ONCE[quantifier] ?? quantifier.replace('{0,', '{1,');
    return { fewest, text, filled: greedy && !/^\{0(?:,0)?\}/.test(quantifier) ? `(?:${part.text})${once}` : null, captures };
  };
  const atom = (): Part => {
    const from = at;
    const read = readAtom();
    return read.text === '' ? { ...read, text: pattern.slice(from, at) } : read;
  };
  const readAtom = (): Part => {
    const c = pattern[at++];
    switch (c) {
      case '(':
        return group();
      case '[':
        return characterClass();
      case '^':
        looksBack = true;
        depends = true;
        return NOTHING;
      case '$':
        depends = true;
        return NOTHING;
      case '.':
        dots.push(at - 1);
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
    if (head?.[0].endsWith(')')) {
      depends = true;
      return NOTHING;
    }
    if (++depth > MAX_DEPTH) throw tooDeep();
    const inner = alternation();
    depth--;
    broken ||= pattern[at] !== ')';
    at++;
    if (captures) emptyGroup ||= inner.fewest === 0;
    if (captures && depth === 0 && !/^[*+?{]/.test(pattern.slice(at))) span = { from, to: at };
    const text = `${captures || head === null ? '(?:' : `(${head[0]}`}${inner.text})`;
    depends ||= flags;
    return { ...inner, text, captures: captures || inner.captures };
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
    broken ||= c === '';
    if ('AbBz'.includes(c)) {
      looksBack ||= c !== 'z';
      depends = true;
      return NOTHING;
    }
    if (c === 'Q') {
      depends = true;
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
    dot: dots.length > 0,
    undotted: understood && !broken && !flags ? withoutDots(pattern, dots) : null,
    emptyMatch: !understood || whole.fewest === 0,
    looksBack: looksBack || !understood,
    once: understood && branches === 1 && !flags && (/^(?:\^|\\A)/.test(pattern) || /(?:^|[^\\])\$$|\\z$/.test(pattern)),
    split: understood && !flags && groups === 1 && branches === 1 ? splitAt(pattern, span) : null,
    fullCapture: understood && (groups === 0 ? whole.fewest > 0 : !emptyGroup),
    surelyCaptures: understood && whole.captures,
    filled: understood && whole.fewest === 0 && !depends && (whole.filled ?? '').length <= LONGEST_FILLED ? (whole.filled ?? '') : null,
  };
}

const withoutDots = (pattern: string, dots: readonly number[]): string =>
  dots.reduceRight((text, at) => `${text.slice(0, at)}[^\\n]${text.slice(at + 1)}`, pattern);

const filledOf = (part: Part | undefined): readonly string[] => (part === undefined || part.filled === null ? [] : [part.filled]);

const splitAt = (pattern: string, span: { readonly from: number; readonly to: number } | null): RegexpFacts['split'] =>
  span === null ? null : { before: pattern.slice(0, span.from), group: pattern.slice(span.from, span.to), after: pattern.slice(span.to) };
