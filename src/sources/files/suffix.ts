// Files as wildcard tables: what `_TABLE_SUFFIX` is there.

/**
 * What the `*` of a pattern stands for, as a GoogleSQL expression; undefined where several parts of it could be meant: of lists, and of patterns
 * with no star or more than one. `**`, which stands for folders, is none.
 */
export function suffixOfFiles(patterns: readonly string[]): string | undefined {
  const [pattern = '', ...others] = patterns;
  const segments = pattern.split('/');
  const first = segments.findIndex((segment) => segment.includes('*') && segment !== '**');
  const tail = segments.slice(first);
  if (others.length > 0 || first < 0 || tail.includes('**') || tail.join('').split('*').length !== 2) return undefined;
  // What stands before the star's folder or name is not asked: paths are shown from the project's folder on, and addresses without what they begin with.
  return `REGEXP_EXTRACT(_FILE_NAME, r'(?:^|/)${tail.map(expression).join('/')}$')`;
}

/** The segment of a pattern as RE2 has it, without any quote: it stands in a raw text. */
function expression(segment: string): string {
  let depth = 0;
  return segment.replace(/\[!?[^\]]+\]|[^\w-]/gu, (found) => {
    if (found === '*') return '([^/]*)';
    if (found === '?') return '[^/]';
    if (found === ',' && depth > 0) return '|';
    if (found === '{') {
      depth++;
      return '(?:';
    }
    if (found === '}') {
      depth--;
      return ')';
    }
    return found.startsWith('[') && found.length > 1 ? found.replace(/^\[!/, '[^').replace(/['\\]/g, escaped) : escaped(found);
  });
}

const escaped = (character: string): string => (character === '.' ? '\\.' : `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`);
