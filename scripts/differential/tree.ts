// A query as a tree of texts, from which the shrinker can leave out parts. It knows no grammar: a node says itself what may become of it.
import { sameType, type Type } from '../../src/sql/base/types.ts';

type Parts = readonly (string | Node)[];

export interface Node {
  readonly parts: Parts;
  /** How the same is written for the reference, where that lacks a construct. Holds nodes of `parts` only. */
  readonly reference?: Parts;
  /** Of an expression: another one of the type may stand for it. */
  readonly type?: Type;
  /** Needs no parentheses inside of another expression. */
  readonly atom?: true;
  /** May be left out. */
  readonly optional?: true;
  /** The parts are items, of which at least so many must stay. */
  readonly list?: { readonly separator: string; readonly least: number };
  /** Shorter forms of the same kind, which the shrinker tries. */
  readonly instead?: readonly Node[];
}

export interface Expression extends Node {
  readonly type: Type;
}

export type Side = 'ours' | 'reference';

export const EMPTY: Node = { parts: [] };
export const leaf = (text: string): Node => ({ parts: [text] });
export const optional = (...parts: Parts): Node => ({ parts, optional: true });
export const listOf = (items: readonly Node[], separator = ', ', least = 1): Node => ({ parts: items, list: { separator, least } });

/** A call or another expression that stands for itself. */
export const atom = (type: Type, ...parts: Parts): Expression => ({ type, parts, atom: true });
export const compound = (type: Type, ...parts: Parts): Expression => ({ type, parts });
/** As it stands inside of an operator. */
export const operand = (node: Expression): Node => (node.atom === true ? node : { parts: ['(', node, ')'] });

export function textOf(node: Node, side: Side = 'ours'): string {
  const parts = (side === 'reference' ? node.reference : undefined) ?? node.parts;
  const texts = parts.map((part) => (typeof part === 'string' ? part : textOf(part, side)));
  return node.list === undefined ? texts.join('') : texts.filter((text) => text !== '').join(node.list.separator);
}

/** `root` with `old` replaced wherever it stands. */
export function replaced(root: Node, old: Node, by: Node): Node {
  // What stands in both texts of a node is one node afterwards too.
  const made = new Map<Node, Node>([[old, by]]);
  const next = (node: Node): Node => {
    const known = made.get(node);
    if (known !== undefined) return known;
    const swap = (parts: Parts): Parts => parts.map((part) => (typeof part === 'string' ? part : next(part)));
    const parts = swap(node.parts);
    const reference = node.reference === undefined ? undefined : swap(node.reference);
    const changed =
      parts.some((part, at) => part !== node.parts[at]) || reference?.some((part, at) => part !== node.reference?.[at]) === true;
    const result = changed ? { ...node, parts, ...(reference === undefined ? {} : { reference }) } : node;
    made.set(node, result);
    return result;
  };
  return next(root);
}

/** Every node, those outside before those inside. */
export function nodesOf(root: Node): readonly Node[] {
  return [root, ...root.parts.flatMap((part) => (typeof part === 'string' ? [] : nodesOf(part)))];
}

/** Expressions of the same type below an expression, the outer ones first. */
export function partsOfSameType(node: Expression): readonly Node[] {
  return nodesOf(node).filter((inner) => inner !== node && inner.type !== undefined && sameType(inner.type, node.type));
}

/** Expressions that stand in no other one. */
export function outermost(node: Node): readonly Node[] {
  if (node.type !== undefined) return [node];
  return node.parts.flatMap((part) => (typeof part === 'string' ? [] : outermost(part)));
}
