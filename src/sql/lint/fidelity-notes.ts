// Notes on the constructs that a query uses, which say whether their rows are BigQuery's to the digit.

import type { Span } from '../../base/source-text.ts';
import { findFunction } from '../functions/index.ts';
import type { Call, Query, Script, Select } from '../syntax/ast.ts';

export interface FidelityNote {
  /** The name of a function or a clause. */
  readonly construct: string;
  /** `exact`: BigQuery's rows; `approximate`: BigQuery itself estimates; `differs`: see the note. */
  readonly rows: 'exact' | 'approximate' | 'differs';
  readonly note?: string;
  /** The place of its first use. */
  readonly span: Span;
}

const ESTIMATED = 'exact here, while BigQuery estimates it, so the two may differ a little';
const ORDERED_SUBQUERY = 'takes the first rows in the order of the subquery; BigQuery guarantees no order there';

/** Returns one note per construct, in the order of the text; functions that the text itself defines have none. */
export function fidelityNotesOf(script: Script): readonly FidelityNote[] {
  const own = new Set(script.functions.map(({ name }) => name.name.toUpperCase()));
  const notes = new Map<string, FidelityNote>();
  const add = (note: FidelityNote): void => {
    const before = notes.get(note.construct);
    if (before === undefined || note.span.start < before.span.start) notes.set(note.construct, note);
  };
  visitNodes(script, (node) => {
    if (isCall(node)) {
      const name = node.name
        .map((part) => part.name)
        .join('.')
        .toUpperCase();
      if (!own.has(name)) add(noteOfCall(name, node.span));
    } else if (isQuery(node) && node.limit !== null && node.orderBy.length === 0 && readsOrdered(node)) {
      add({ construct: 'LIMIT over an ordered subquery', rows: 'differs', note: ORDERED_SUBQUERY, span: node.limit.span });
    }
  });
  return [...notes.values()].sort((a, b) => a.span.start - b.span.start);
}

/** Calls `visit` once for each node of a syntax tree, outer nodes first. The queries of one text share the statements before them. */
export function visitNodes(tree: unknown, visit: (node: { readonly kind: string }) => void, seen = new Set<object>()): void {
  if (typeof tree !== 'object' || tree === null || seen.has(tree)) return;
  seen.add(tree);
  if ('kind' in tree && typeof tree.kind === 'string') visit(tree as { readonly kind: string });
  for (const child of Object.values(tree)) visitNodes(child, visit, seen);
}

export const isCall = (node: { readonly kind: string }): node is Call => node.kind === 'call';
export const isQuery = (node: { readonly kind: string }): node is Query => node.kind === 'query';
export const isSelect = (node: { readonly kind: string }): node is Select => node.kind === 'select';

function noteOfCall(construct: string, span: Span): FidelityNote {
  const note = findFunction(construct)?.approximate;
  if (note !== undefined) return { construct, rows: construct.startsWith('APPROX_') ? 'approximate' : 'differs', note, span };
  return construct.startsWith('APPROX_') ? { construct, rows: 'approximate', note: ESTIMATED, span } : { construct, rows: 'exact', span };
}

function readsOrdered({ body }: Query): boolean {
  return isSelect(body) && body.from?.kind === 'table_subquery' && body.from.query.orderBy.length > 0;
}
