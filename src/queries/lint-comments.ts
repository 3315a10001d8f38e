// `-- quern-lint: off` and `-- quern-lint: off limit-without-order, select-star`: warnings that the author has seen. Behind code it is about its own
// line, alone in a line about the next one that has code.

/** Line, from 1 → the rules that are off in it; `all` for every one. */
type LintComments = ReadonlyMap<number, ReadonlySet<string> | 'all'>;

const COMMENT = /(?:--|#)\s*quern-lint:\s*off\b([^\n]*)/i;

export function lintCommentsOf(text: string): LintComments {
  const off = new Map<number, ReadonlySet<string> | 'all'>();
  const lines = text.split('\n');
  lines.forEach((line, i) => {
    const found = COMMENT.exec(line);
    if (found === null) return;
    const rules = found[1]?.match(/[a-z]+(?:-[a-z]+)+/g) ?? [];
    const alone = line.slice(0, found.index).trim() === '';
    const about = alone ? lines.findIndex((other, at) => at > i && other.trim() !== '' && !/^\s*(?:--|#)/.test(other)) : i;
    const before = off.get(about + 1);
    if (rules.length === 0 || before === 'all') off.set(about + 1, 'all');
    else off.set(about + 1, new Set([...(before ?? []), ...rules]));
  });
  return off;
}

export function isOff(comments: LintComments, line: number, rule: string): boolean {
  const rules = comments.get(line);
  return rules === 'all' || rules?.has(rule) === true;
}
