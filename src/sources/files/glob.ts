// Patterns of paths: *, **, ?, [abc], {a,b}.

import { QuernError } from '../../base/errors.ts';
import { fits, type Step } from '../../base/wildcard.ts';

/** A part of a pattern between slashes: a name, any folders, or what names must be like. */
export type Segment =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'folders' }
  | { readonly kind: 'match'; readonly matches: (name: string) => boolean };

/** `*`, which stands at the end of `folder/**` though nobody writes it. */
const ANY_NAME: Segment = { kind: 'match', matches: (name) => !name.startsWith('.') };

const SPECIAL = /[*?[\]{}]/;

/** True where the path stands for more than the file of that name. */
export const isPattern = (path: string): boolean => SPECIAL.test(path);

/** The segments of each alternative of the pattern: `{a,b}/*.csv` has two. Throws QuernError `config` for a pattern that nothing could match, and for more than MOST_ALTERNATIVES. */
export function readPattern(pattern: string): readonly (readonly Segment[])[] {
  return alternatives(pattern).map((path) => {
    const segments = path
      .split('/')
      .filter((part) => part !== '' && part !== '.')
      .map(segment);
    return segments.at(-1)?.kind === 'folders' ? [...segments, ANY_NAME] : segments;
  });
}

/** Each is looked for by itself, so this bounds the time that a pattern takes. */
const MOST_ALTERNATIVES = 10_000;

/** `a{b,c}d` is abd and acd. */
function alternatives(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (done.length + open.length >= MOST_ALTERNATIVES)
      throw new QuernError('config', `its braces stand for more than ${MOST_ALTERNATIVES} patterns`, {
        hint: 'write * in place of some of them, or a list of patterns',
      });
    const match = /\{([^{}]*,[^{}]*)\}/.exec(next);
    if (match === null) done.push(next);
    else
      for (const part of (match[1] ?? '').split(',').reverse())
        open.push(next.slice(0, match.index) + part + next.slice(match.index + match[0].length));
  }
  return done;
}

function segment(part: string): Segment {
  if (part === '**') return { kind: 'folders' };
  if (!/[*?[]/.test(part)) return { kind: 'name', name: part };
  const steps = stepsOf(part);
  // As in a shell, a name that begins with a dot is meant only by a pattern that does.
  const hidden = part.startsWith('.');
  return { kind: 'match', matches: (name) => (hidden || !name.startsWith('.')) && fits([...name], steps) };
}

const stepsOf = (part: string): readonly Step[] =>
  [...part.matchAll(/\[!?([^\]]+)\]|\*+|./gsu)].map(([written, set]): Step => {
    if (written.startsWith('*')) return '*';
    if (written === '?') return () => true;
    return set === undefined ? (character) => character === written : oneOf(set, written);
  });

/** `[a-z_]`, and `[!a-z_]` for all others. */
function oneOf(set: string, written: string): Step {
  const negated = written.startsWith('[!') || set.startsWith('^');
  const ranges = [...set.replace(/^\^/, '').matchAll(/(.)-(.)|./gsu)].map(([one, from = one, to = one]): readonly [number, number] => {
    const range = [codeOf(from), codeOf(to)] as const;
    if (range[0] > range[1])
      throw new QuernError('config', `${written} is not a range of characters: ${to} comes before ${from}`, {
        hint: `write [${to}-${from}]`,
      });
    return range;
  });
  return (character) => ranges.some(([from, to]) => from <= codeOf(character) && codeOf(character) <= to) !== negated;
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;
