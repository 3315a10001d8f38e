// Limits the depth of syntax trees, which are walked by recursion; ClickHouse refuses deeper ones too.
import { QuernError } from '../../base/errors.ts';
import type { Span } from '../../base/source-text.ts';

/**
 * The longest way from the root to a leaf, in nodes: no more than ClickHouse's default. Chains of `+` or of joins lean left, one node per
 * operator. https://clickhouse.com/docs/operations/settings/settings#max_ast_depth
 */
const MAX_TREE_DEPTH = 1000;

interface TreeNode {
  readonly kind: string;
  readonly span: Span;
}

/**
 * Walks without recursion, and without looking into spans, for it runs on every query.
 * @throws QuernError `too-complex` at the node where the tree gets too deep.
 */
export function refuseDeepTree(root: TreeNode): void {
  const values: object[] = [root];
  const depths: number[] = [0];
  for (let value = values.pop(); value !== undefined; value = values.pop()) {
    const depth = depths.pop() ?? 0;
    const node = 'span' in value;
    if (node && depth >= MAX_TREE_DEPTH) throw tooDeep((value as TreeNode).span); // only nodes have a span
    for (const key in value) {
      const child: unknown = value[key as keyof typeof value]; // the key is the object's own: trees are plain objects and arrays
      // Names hold nothing, and are half of all nodes.
      if (key === 'span' || key === 'parts' || key === 'name' || key === 'alias' || typeof child !== 'object' || child === null) continue;
      values.push(child);
      depths.push(node ? depth + 1 : depth);
    }
  }
}

function tooDeep(span: Span): QuernError {
  return new QuernError('too-complex', `this is more than ${MAX_TREE_DEPTH} levels deep in the query`, {
    span,
    hint: 'each operator or join in a chain adds a level: split the chain, join strings with CONCAT(a, b, …), compare with IN (a, b, …)',
  });
}
