// Chooses the assertions that run: `--select` and `--exclude` name them by patterns and tags.
import { didYouMean, QuernError } from '../base/errors.ts';
import { fits, type Step } from '../base/wildcard.ts';
import type { AssertionDefinition } from '../queries/check-definition.ts';
import type { Check } from './check.ts';

export interface Selection {
  /** Patterns with `*` and `?` for names of queries and assertions, or `tag:NAME`; none selects all. */
  readonly select: readonly string[];
  readonly exclude: readonly string[];
}

type Matches = (check: Check, assertion: AssertionDefinition) => boolean;

/** The checks with the assertions that are selected. Throws `usage` for a pattern that nothing fits. */
export function selectChecks(checks: readonly Check[], { select, exclude }: Selection): readonly Check[] {
  const wanted = select.map((pattern) => matcher(pattern, '--select', checks));
  const unwanted = exclude.map((pattern) => matcher(pattern, '--exclude', checks));
  const isSelected: Matches = (check, assertion) =>
    (wanted.length === 0 || wanted.some((matches) => matches(check, assertion))) && !unwanted.some((matches) => matches(check, assertion));
  const selected = checks.flatMap((check) => {
    const assertions = check.assertions.filter((assertion) => isSelected(check, assertion));
    return assertions.length === 0 ? [] : [{ ...check, assertions }];
  });
  if (selected.length > 0 || checks.length === 0) return selected;
  throw new QuernError('usage', 'no checks are left to run', { hint: '--exclude leaves out everything that --select matches' });
}

function matcher(pattern: string, flag: string, checks: readonly Check[]): Matches {
  const matches = patternMatcher(pattern);
  if (checks.some((check) => check.assertions.some((assertion) => matches(check, assertion)))) return matches;
  const isTag = pattern.startsWith('tag:');
  const known = new Set(
    checks.flatMap(({ query, assertions }) =>
      isTag ? assertions.flatMap(({ tags }) => tags.map((tag) => `tag:${tag}`)) : [query.name, ...assertions.map(({ name }) => name)],
    ),
  );
  throw new QuernError('usage', `${flag} ${pattern} matches no assertion`, {
    hint: didYouMean(pattern, known) ?? `available: ${[...known].slice(0, 20).join(', ') || 'no tags'}`,
  });
}

function patternMatcher(pattern: string): Matches {
  if (pattern.startsWith('tag:')) {
    const fits = glob(pattern.slice('tag:'.length));
    return (_, { tags }) => tags.some(fits);
  }
  const fits = glob(pattern);
  return ({ query }, { name }) => fits(query.name) || fits(query.id) || fits(name);
}

/** Matches names alone: the history knows no tags. Throws `usage` for a tag. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  if (!pattern.startsWith('tag:')) return glob(pattern);
  throw new QuernError('usage', `the history cannot be searched for ${pattern}`, { hint: 'select by the names of queries and assertions' });
}

function glob(pattern: string): (text: string) => boolean {
  const steps = [...pattern.toLowerCase()].map((written): Step => {
    if (written === '*') return '*';
    return written === '?' ? () => true : (character) => character === written;
  });
  return (text) => fits([...text.toLowerCase()], steps);
}
