// A SELECT that nobody wrote.
import type { Select } from './ast.ts';

/** `SELECT * FROM from`, or `SELECT AS STRUCT *`. */
export const selectAll = ({ from, as = null, span }: Pick<Select, 'from' | 'span'> & Partial<Pick<Select, 'as'>>): Select => ({
  kind: 'select',
  distinct: false,
  as,
  items: [{ kind: 'star_item', of: null, except: [], replace: [], span }],
  from,
  where: null,
  groupBy: null,
  having: null,
  qualify: null,
  windows: [],
  span,
});
