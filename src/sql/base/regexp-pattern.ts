// Facts about a constant RE2 pattern, found before it runs. https://github.com/google/re2/wiki/Syntax
import { QuernError } from '../../base/errors.ts';

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

/** A part that stands for itself wherever it is: a dot, the beginning of a group that captures, an escape outside of brackets. */
interface Mark {
  readonly kind: 'dot' | 'group' | 'escape';
  readonly from: number;
  readonly to: number;
}

type Rewrites = Readonly<Partial<Record<Mark['kind'], (part: string) => string>>>;

const tooDeep = (): QuernError =>
  new QuernError('too-complex', `the groups of a regular expression are nested more than ${MAX_DEPTH} levels deep`, {
    hint: 'use fewer groups, or match them one after the other',
  });

/** Facts about `pattern`; what it does not understand is taken for the case that needs most care. */
export const regexpFacts = (pattern: string): RegexpFacts => new PatternReader(pattern).facts();

/** Writes other parts in place of some. */
export const rewritePattern = (pattern: string, rewrites: Rewrites): string =>
  rewritten(pattern, new PatternReader(pattern).marks(), rewrites);

/** Reads a pattern once from left to right. */
class PatternReader {
  readonly #pattern: string;
  #at = 0;
  #groups = 0;
  /** A group may have captured nothing: then '' does not say that there is none. */
  #emptyGroup = false;
  readonly #marks: Mark[] = [];
  #looksBack = false;
  #broken = false;
  #flags = false;
  #depth = 0;
  #branches = 1;
  /** True if an empty match depends on more than the parts read here: on anchors, flags, or counts of parts that may be empty. */
  #depends = false;
  #span: { readonly from: number; readonly to: number } | null = null;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  marks(): readonly Mark[] {
    this.#alternation();
    return this.#marks;
  }

  facts(): RegexpFacts {
    const whole = this.#alternation();
    const understood = this.#at >= this.#pattern.length;
    return {
      groups: this.#groups,
      broken: this.#broken || !understood,
      dot: this.#marks.some(({ kind }) => kind === 'dot'),
      undotted: understood && !this.#broken && !this.#flags ? rewritten(this.#pattern, this.#marks, { dot: () => '[^\\n]' }) : null,
      emptyMatch: !understood || whole.fewest === 0,
      looksBack: this.#looksBack || !understood,
      once:
        understood &&
        this.#branches === 1 &&
        !this.#flags &&
        (/^(?:\^|\\A)/.test(this.#pattern) || /(?:^|[^\\])\$$|\\z$/.test(this.#pattern)),
      split: understood && !this.#flags && this.#groups === 1 && this.#branches === 1 ? splitAt(this.#pattern, this.#span) : null,
      fullCapture: understood && (this.#groups === 0 ? whole.fewest > 0 : !this.#emptyGroup),
      surelyCaptures: understood && whole.captures,
      filled:
        understood && whole.fewest === 0 && !this.#depends && (whole.filled ?? '').length <= LONGEST_FILLED ? (whole.filled ?? '') : null,
    };
  }

  #alternation(): Part {
    const parts = [this.#sequence()];
    while (this.#pattern[this.#at] === '|') {
      this.#at++;
      if (this.#depth === 0) this.#branches++;
      parts.push(this.#sequence());
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
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#pattern.length && this.#pattern[this.#at] !== '|' && this.#pattern[this.#at] !== ')')
      parts.push(this.#repeated(this.#atom()));
    const text = parts.map((part) => part.text).join('');
    const isLong = text.length > LONGEST_FILLED;
    this.#depends ||= isLong;
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
  }

  #repeated(once: Part): Part {
    let part = once;
    for (;;) {
      const quantifier = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.#pattern.slice(this.#at, this.#at + 16));
      if (quantifier === null) return part;
      this.#at += quantifier[0].length;
      const least = Number(quantifier[1] ?? (quantifier[0].startsWith('+') ? 1 : 0));
      part = this.#times(part, least, quantifier[0]);
    }
  }

  #times(part: Part, least: number, quantifier: string): Part {
    const greedy = quantifier.length === 1 || !quantifier.endsWith('?');
    const text = `(?:${part.text})${quantifier}`;
    const emptyFirst = part.fewest === 0;
    // An absent group has nothing to give where a group that takes nothing comes first.
    const captures = part.captures && (least > 0 || (greedy && emptyFirst && !/^\{0(?:,0)?\}/.test(quantifier)));
    const fewest = part.fewest * least;
    if (fewest > 0) return { fewest, text, filled: null, captures };
    this.#depends ||= emptyFirst;
    const once = ONCE[quantifier] ?? quantifier.replace('{0,', '{1,');
    return { fewest, text, filled: greedy && !/^\{0(?:,0)?\}/.test(quantifier) ? `(?:${part.text})${once}` : null, captures };
  }

  #atom(): Part {
    const from = this.#at;
    const read = this.#readAtom();
    return read.text === '' ? { ...read, text: this.#pattern.slice(from, this.#at) } : read;
  }

  #readAtom(): Part {
    const c = this.#pattern[this.#at++];
    switch (c) {
      case '(':
        return this.#group();
      case '[':
        return this.#characterClass();
      case '^':
        this.#looksBack = true;
        this.#depends = true;
        return NOTHING;
      case '$':
        this.#depends = true;
        return NOTHING;
      case '.':
        this.#mark('dot', this.#at - 1);
        return ONE;
      case '\\':
        return this.#escaped(this.#at - 1);
      default:
        return ONE;
    }
  }

  /** Marks the part that has just been read. */
  #mark(kind: Mark['kind'], from: number): void {
    this.#marks.push({ kind, from, to: this.#at });
  }

  #group(): Part {
    const head = /^\?(?:P?<\w+>|[a-zA-Z-]*[:)])/.exec(this.#pattern.slice(this.#at));
    const captures = head === null || head[0].includes('<');
    const from = this.#at - 1;
    if (captures) this.#groups++;
    if (head !== null) this.#at += head[0].length;
    if (captures) this.#mark('group', from);
    if (head !== null && !captures && head[0] !== '?:') this.#flags = true;
    // Flags for what follows: (?i)
    if (head?.[0].endsWith(')')) {
      this.#depends = true;
      return NOTHING;
    }
    if (++this.#depth > MAX_DEPTH) throw tooDeep();
    const inner = this.#alternation();
    this.#depth--;
    this.#broken ||= this.#pattern[this.#at] !== ')';
    this.#at++;
    if (captures) this.#emptyGroup ||= inner.fewest === 0;
    if (captures && this.#depth === 0 && !/^[*+?{]/.test(this.#pattern.slice(this.#at))) this.#span = { from, to: this.#at };
    const text = `${captures || head === null ? '(?:' : `(${head[0]}`}${inner.text})`;
    this.#depends ||= this.#flags;
    return { ...inner, text, captures: captures || inner.captures };
  }

  #characterClass(): Part {
    if (this.#pattern[this.#at] === '^') this.#at++;
    if (this.#pattern[this.#at] === ']') this.#at++;
    while (this.#at < this.#pattern.length && this.#pattern[this.#at] !== ']') {
      const named = this.#pattern.startsWith('[:', this.#at) ? this.#pattern.slice(this.#at, this.#at + LONGEST_NAME).indexOf(':]') : -1;
      if (named >= 0) this.#at += named + 2;
      else this.#at += this.#pattern[this.#at] === '\\' ? 2 : 1;
    }
    this.#broken ||= this.#pattern[this.#at] !== ']';
    this.#at++;
    return ONE;
  }

  #escaped(from: number): Part {
    const c = this.#pattern[this.#at++] ?? '';
    this.#broken ||= c === '';
    if ('AbBz'.includes(c)) {
      this.#looksBack ||= c !== 'z';
      this.#depends = true;
      return NOTHING;
    }
    if (c === 'Q') {
      this.#depends = true;
      const end = this.#pattern.indexOf('\\E', this.#at);
      const text = this.#pattern.slice(this.#at, end < 0 ? undefined : end);
      this.#at = end < 0 ? this.#pattern.length : end + 2;
      return text === '' ? NOTHING : ONE;
    }
    const rest = /^(?:\{[^}]*\})/.exec(this.#pattern.slice(this.#at, this.#at + LONGEST_NAME));
    if ('pPx'.includes(c) && rest !== null) this.#at += rest[0].length;
    else if (c === 'x') this.#at += 2;
    else if ('pP'.includes(c)) this.#at += 1;
    this.#mark('escape', from);
    return ONE;
  }
}

const rewritten = (pattern: string, marks: readonly Mark[], rewrites: Rewrites): string =>
  marks.reduceRight((text, { kind, from, to }) => {
    const part = pattern.slice(from, to);
    return `${text.slice(0, from)}${rewrites[kind]?.(part) ?? part}${text.slice(to)}`;
  }, pattern);

const filledOf = (part: Part | undefined): readonly string[] => (part === undefined || part.filled === null ? [] : [part.filled]);

const splitAt = (pattern: string, span: { readonly from: number; readonly to: number } | null): RegexpFacts['split'] =>
  span === null ? null : { before: pattern.slice(0, span.from), group: pattern.slice(span.from, span.to), after: pattern.slice(span.to) };
