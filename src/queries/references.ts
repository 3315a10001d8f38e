// What the text of a query refers to: parameters and tables, found in its tree by shape.
import type { Span } from '../source-text.ts';
import { parse } from '../sql/index.ts';

export interface Reference {
  readonly name: string;
  readonly span: Span;
}

export interface References {
  /** Every `@name`, in the order of the text. */
  readonly parameters: readonly Reference[];
  /** Every name in FROM that no WITH defines, dotted. */
  readonly tables: readonly Reference[];
  /** Every name in FROM, dotted, also those that a WITH defines: one there may read the source of its name. */
  readonly named: ReadonlySet<string>;
}

interface TreeNode {
  readonly kind?: unknown;
  readonly name?: unknown;
  readonly parts?: unknown;
  readonly span?: Span;
}

/** The same of a text. Throws what parsing throws. */
export const referencesIn = (text: string): References => referencesOf(parse(text));

export function referencesOf(script: ReturnType<typeof parse>): References {
  const parameters: Reference[] = [];
  const tables: Reference[] = [];
  const ctes = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { kind, name, parts, span } = value as TreeNode; // every property is checked below
    if (span !== undefined && kind === 'parameter' && typeof name === 'string') parameters.push({ name, span });
    if (span !== undefined && kind === 'table_name' && Array.isArray(parts))
      tables.push({ name: parts.map(identifierText).join('.'), span });
    if (kind === 'cte') ctes.add(identifierText(name).toLowerCase());
    for (const child of Object.values(value)) visit(child);
  };
  visit(script);
  const byPlace = (a: Reference, b: Reference) => a.span.start - b.span.start;
  return {
    parameters: parameters.sort(byPlace),
    tables: tables.filter(({ name }) => !ctes.has(name.toLowerCase())).sort(byPlace),
    named: new Set(tables.map(({ name }) => name)),
  };
}

function identifierText(identifier: unknown): string {
  return typeof identifier === 'object' && identifier !== null && 'name' in identifier ? String(identifier.name) : '';
}
