// Patterns of paths: *, **, ?, [abc], {a,b}.

/** A part of a pattern between slashes: a name, any folders, or an expression for names. */
export type Segment =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'folders' }
  | { readonly kind: 'match'; readonly names: RegExp };

/** `*`, which stands at the end of `folder/**` though nobody writes it. */
export const ANY_NAME: Segment = { kind: 'match', names: /^(?!\.)/ };

const SPECIAL = /[*?[\]{}]/;

/** True where the path stands for more than the file of that name. */
export const isPattern = (path: string): boolean => SPECIAL.test(path);

/** The segments of each alternative of the pattern: `{a,b}/*.csv` has two. */
export function readPattern(pattern: string): readonly (readonly Segment[])[] {
  return alternatives(pattern).map((path) =>
    path
      .split('/')
      .filter((part) => part !== '' && part !== '.')
      .map(segment),
  );
}

const MOST_ALTERNATIVES = 1000;

/** `a{b,c}d` is abd and acd. */
function alternatives(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined && done.length + open.length < MOST_ALTERNATIVES; next = open.pop()) {
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
  const source = part.replace(/\[!?[^\]]+\]|\*+|[?.+^$(){}[\]|\\/]/g, (found) => {
    if (found.startsWith('*')) return '[^/]*';
    if (found === '?') return '[^/]';
    if (/^\[.+\]$/.test(found)) return found.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
    return `\\${found}`;
  });
  // As in a shell, a name that begins with a dot is meant only by a pattern that does.
  return { kind: 'match', names: new RegExp(`^${part.startsWith('.') ? '' : '(?!\\.)'}${source}$`, 'u') };
}
