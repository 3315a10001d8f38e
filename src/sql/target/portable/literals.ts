// Texts without backslashes: whoever parses the SQL and prints it again may print fewer of them.
import { rewritePattern } from '../../base/regexp-pattern.ts';
import type { Func, SqlExpression } from '../ast.ts';
import { call, lit, raw } from '../build.ts';
import { asFunc } from '../checks.ts';
import { rebuilt, rewrite } from '../rewrite.ts';

export function withPlainTexts<T extends object>(tree: T): T {
  const searched = rebuilt(tree, (node) => {
    const func = asFunc(node);
    return func !== undefined && REGEXP_AT.has(func.name) ? withPlainRegexp(func) : node;
  });
  return rewrite(searched, (node) => ('kind' in node ? written(node as SqlExpression) : undefined)); // or something else with a kind
}

/** Functions whose second argument is a regular expression. */
const REGEXP_AT: ReadonlySet<string> = new Set([
  'match',
  'extract',
  'extractAll',
  'extractGroups',
  'replaceRegexpOne',
  'replaceRegexpAll',
  'countMatches',
]);

function withPlainRegexp(func: Func): Func {
  const [, regexp] = func.args;
  if (regexp?.kind !== 'lit' || typeof regexp.value !== 'string') return func;
  const plain = lit(withoutBackslashes(regexp.value));
  return { ...func, args: func.args.map((arg, i) => (i === 1 ? plain : arg)) };
}

/** What RE2 takes outside of brackets for a letter behind a backslash. */
const CLASSES: Readonly<Record<string, string>> = { d: '[0-9]', D: '[^0-9]', w: '[0-9A-Za-z_]', W: '[^0-9A-Za-z_]' };

/** Writes classes for backslashes outside of brackets; the same regular expression where that is not all. */
function withoutBackslashes(regexp: string): string {
  const plain = rewritePattern(regexp, {
    escape: (part) => {
      const [, char = ''] = part;
      return CLASSES[char] ?? (/^[ -/:-@[\]_`{-~]$/.test(char) ? `[${char}]` : part);
    },
  });
  return plain.includes('\\') ? regexp : plain;
}

/** Returns what is written for a text; undefined for other literals. */
function written(node: SqlExpression): SqlExpression | undefined {
  if (node.kind === 'cast' && node.type.includes("'")) return call('CAST', withPlainTexts(node.operand), raw(quoted(node.type)));
  if (node.kind !== 'lit' || typeof node.value !== 'string') return undefined;
  const { value } = node;
  if (!value.includes('\\')) return raw(quoted(value));
  const mark = MARKS.find((one) => !value.includes(one)) ?? '\u{1}';
  return call('replaceAll', raw(quoted(value.replaceAll('\\', mark))), raw(quoted(mark)), call('char', lit(92)));
}

const MARKS: readonly string[] = ['~', '!', '#', '@', '^', '|'];

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
