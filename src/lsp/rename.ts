// Renaming a parameter or a WITH table in all its places. What would make another query of the text is refused.
import { QuernError } from '../base/errors.ts';
import type { Span } from '../base/source-text.ts';
import { tree } from '../suggest/scope.ts';
import { type Project, prepareText, savedQueryOf } from './project.ts';
import { placesOf, type Symbol_, symbolAt } from './symbols.ts';

const NAME = /^[A-Za-z_]\w*$/;

/** The name at `offset` with its place, without `@`, if it can be renamed here. */
export function renamedAt(text: string, offset: number): (Symbol_ & { readonly span: Span }) | undefined {
  const symbol = symbolAt(text, tree(text), offset);
  if (symbol === undefined || symbol.kind === 'table') return undefined;
  return { ...symbol, span: { start: symbol.span.end - symbol.name.length, end: symbol.span.end } };
}

/** Places of the old name. Throws `usage` for a name that cannot be, or one that is taken. */
export async function placesToRename(
  text: string,
  offset: number,
  { to, path, project }: { readonly to: string; readonly path: string; readonly project: Project },
): Promise<readonly Span[]> {
  const script = tree(text);
  const symbol = renamedAt(text, offset);
  if (script === undefined || symbol === undefined)
    throw new QuernError('usage', 'there is no parameter or WITH table here to rename', {
      hint: 'fix any syntax errors first',
    });
  const name = to.replace(/^@/, '');
  if (!NAME.test(name)) throw new QuernError('usage', `${JSON.stringify(to)} is not a valid name`, { hint: 'use letters, digits and _' });
  const places = placesOf(symbol, text, script);
  const renamed = replaced(text, places, name);
  const [before, after] = await Promise.all([columnsOf(text, path, project), columnsOf(renamed, path, project)]);
  if (before !== undefined && before !== after)
    throw new QuernError('usage', `renaming to ${name} would change or break the query`, { hint: 'choose a name that is not taken' });
  return places;
}

function replaced(text: string, places: readonly Span[], name: string): string {
  const ordered = [...places].sort((a, b) => b.start - a.start);
  return ordered.reduce((now, { start, end }) => now.slice(0, start) + name + now.slice(end), text);
}

/** Describes the columns of the query as text; undefined where it cannot be translated. */
async function columnsOf(text: string, path: string, project: Project): Promise<string | undefined> {
  try {
    const { columns, bound } = await prepareText(text, savedQueryOf({ name: path, text }), project);
    return JSON.stringify([columns, bound.length]);
  } catch {
    return undefined;
  }
}
