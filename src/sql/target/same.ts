// Compares expressions by how they are written, and maps them to values.
import { spend } from '../base/budget.ts';
import { isShape } from './rewrite.ts';

/** True if two expressions are written alike. */
function isSame(one: unknown, other: unknown): boolean {
  // Chains of operators lean left, so they are unwound instead of recursing once per term.
  for (let [a, b] = [one, other]; ; [a, b] = [a['left' as keyof typeof a], b['left' as keyof typeof b]]) {
    spend(1);
    if (a === b) return true;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    let keys = 0;
    for (const key in a) {
      keys++;
      if (key !== 'left' && !isSame(a[key as keyof typeof a], b[key as keyof typeof b])) return false; // the key is an object's own
    }
    for (const _ in b) keys--;
    if (keys !== 0) return false;
    if (!('left' in a)) return true;
  }
}

/** Comparing with each of a few is faster than hashing. */
const FEW = 16;

/** A map in which keys that are written alike are the same. */
export class SameMap<T> {
  private readonly entries: (readonly [object, T])[] = [];
  private buckets: Map<number, (readonly [object, T])[]> | undefined;

  get(key: object): T | undefined {
    const candidates = this.buckets === undefined ? this.entries : (this.buckets.get(hashOf(key)) ?? []);
    return candidates.find(([other]) => isSame(other, key))?.[1];
  }

  set(key: object, value: T): void {
    this.entries.push([key, value]);
    if (this.entries.length <= FEW) return;
    const added = this.buckets === undefined ? this.entries : [[key, value] as const];
    this.buckets ??= new Map();
    for (const entry of added) {
      const hash = hashOf(entry[0]);
      const bucket = this.buckets.get(hash);
      if (bucket === undefined) this.buckets.set(hash, [entry]);
      else bucket.push(entry);
    }
  }
}

/** Hashes of nodes, which never change, and which trees share. */
const hashes = new WeakMap<object, number>();

/** Hashes the parts of a node before the node. It does not recurse, because trees may be deep. */
function hashOf(tree: object): number {
  const waiting: object[] = [tree];
  for (let node = waiting.at(-1); node !== undefined; node = waiting.at(-1)) {
    const before = waiting.length;
    let hash = 0;
    for (const key in node) {
      const value: unknown = node[key as keyof typeof node]; // the key is the object's own
      const isTree = isShape(value);
      const part = isTree ? hashes.get(value) : hashText(String(value));
      if (isTree && part === undefined) waiting.push(value);
      hash = (Math.imul(hash, 31) + (part ?? 0) + hashText(key)) | 0;
    }
    if (waiting.length > before) continue;
    spend(1);
    hashes.set(node, hash);
    waiting.pop();
  }
  return hashes.get(tree) ?? 0;
}

function hashText(text: string): number {
  let hash = text.length;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}
