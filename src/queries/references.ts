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
  /** Every name in FROM that no WITH table in sight has, dotted. */
  readonly tables: readonly Reference[];
  /** Every name in FROM, dotted, also those that a WITH defines: one there may read the source of its name. */
  readonly named: ReadonlySet<string>;
}

interface TreeNode {
  readonly kind?: unknown;
  readonly name?: unknown;
  readonly parts?: unknown;
  readonly span?: Span;
  readonly ctes?: unknown;
  readonly recursive?: unknown;
  readonly parameters?: unknown;
}

/** The same of a text. Throws what parsing throws. */
export const referencesIn = (text: string): References => referencesOf(parse(text));

export function referencesOf(script: ReturnType<typeof parse>): References {
  const parameters: Reference[] = [];
  const tables: (Reference & { readonly known: boolean })[] = [];
  /** WITH tables of pipes and tables that the text creates: of these it is not asked from where they are in sight. */
  const everywhere = new Set<string>();
  const visit = (value: unknown, inSight: Set<string>): void => {
    if (typeof value !== 'object' || value === null) return;
    const { kind, name, parts, span, ctes, recursive, parameters: taken } = value as TreeNode; // every property is checked below
    if (span !== undefined && kind === 'parameter' && typeof name === 'string') parameters.push({ name, span });
    if (span !== undefined && kind === 'table_name' && Array.isArray(parts)) {
      const written = parts.map(identifierText).join('.');
      tables.push({ name: written, span, known: inSight.has(written.toLowerCase()) });
    }
    if (kind === 'cte') everywhere.add(nameOf({ name }));
    const own: readonly TreeNode[] = kind === 'query' && Array.isArray(ctes) ? ctes : [];
    const given = kind === 'create_table_function' && Array.isArray(taken) ? taken.filter(isTable).map(nameOf) : [];
    const named = [...given, ...(recursive === true ? own.map(nameOf) : [])];
    const within = own.length === 0 && given.length === 0 ? inSight : new Set([...inSight, ...named]);
    for (const cte of own) {
      for (const part of Object.values(cte)) visit(part, within);
      within.add(nameOf(cte));
    }
    for (const child of Object.values(value)) if (child !== ctes || own.length === 0) visit(child, within);
  };
  visit(script, new Set());
  const byPlace = (a: Reference, b: Reference) => a.span.start - b.span.start;
  return {
    parameters: parameters.sort(byPlace),
    tables: tables.flatMap(({ name, span, known }) => (known || everywhere.has(name.toLowerCase()) ? [] : [{ name, span }])).sort(byPlace),
    named: new Set(tables.map(({ name }) => name)),
  };
}

/** A parameter of a table function that stands for a table in its body. */
const isTable = ({ type }: { readonly type?: TreeNode | null }): boolean => type?.name === 'TABLE';
const nameOf = ({ name }: TreeNode): string => identifierText(name).toLowerCase();

function identifierText(identifier: unknown): string {
  return typeof identifier === 'object' && identifier !== null && 'name' in identifier ? String(identifier.name) : '';
}
