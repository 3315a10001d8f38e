// Expressions that are written alike, and values kept by expression.
import { spend } from '../base/budget.ts';

/** Whether two expressions are written alike. */
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

/** A map whose keys are the same when they are written alike. */
interface SameMap<T> {
  get(key: object): T | undefined;
  set(key: object, value: T): void;
}

/** Comparing with each of a few is faster than hashing. */
const FEW = 16;

export function createSameMap<T>(): SameMap<T> {
  const entries: (readonly [object, T])[] = [];
  let buckets: Map<number, (readonly [object, T])[]> | undefined;
  const add = (into: NonNullable<typeof buckets>, entry: readonly [object, T]): void => {
    const hash = hashOf(entry[0]);
    const bucket = into.get(hash);
    if (bucket === undefined) into.set(hash, [entry]);
    else bucket.push(entry);
  };
  return {
    get: (key) => (buckets === undefined ? entries : (buckets.get(hashOf(key)) ?? [])).find(([other]) => isSame(other, key))?.[1],
    set: (key, value) => {
      entries.push([key, value]);
      if (buckets !== undefined) add(buckets, [key, value]);
      else if (entries.length > FEW) {
        buckets = new Map();
        for (const entry of entries) add(buckets, entry);
      }
    },
  };
}

/** Trees never change, and share parts. */
const hashes = new WeakMap<object, number>();

/** Without recursion, as trees may be deep: what stands below a node is hashed before it is. */
function hashOf(tree: object): number {
  const waiting: object[] = [tree];
  for (let node = waiting.at(-1); node !== undefined; node = waiting.at(-1)) {
    const before = waiting.length;
    let hash = 0;
    for (const key in node) {
      const value: unknown = node[key as keyof typeof node]; // the key is the object's own
      const isTree = typeof value === 'object' && value !== null;
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
