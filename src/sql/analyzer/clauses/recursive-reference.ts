// The step of a recursive CTE may read the CTE once, and in no place that needs all of its rows.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#recursive_keyword

import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import type { Join, Rel } from '../../logical/nodes.ts';
import { eachChild } from '../../logical/walk.ts';

/** Refuses a step `rel` that reads the CTE with this id where it may not. */
export function checkRecursiveReference(rel: Rel, cte: number, name: string, span: Span): void {
  let references = 0;
  const refuse = (where: string): never =>
    fail(
      'type',
      span,
      `${name} can’t be read ${where} in its recursive query`,
      'read it once, in FROM, and aggregate or order the rows outside',
    );
  const check = (r: Rel, place: string | null): void => {
    if (r.kind === 'cte_scan' && r.cte === cte) {
      references += 1;
      if (place !== null) refuse(place);
      if (references > 1) refuse('twice');
      return;
    }
    const below = place ?? placeBelow(r);
    eachChild(r, {
      expr: checkExpressions,
      rel: (input) => {
        const filledIn =
          r.kind === 'join' && ((r.type !== 'RIGHT' && input === r.right) || (r.type !== 'LEFT' && input === r.left)) && isOuter(r);
        check(input, below ?? (filledIn ? 'on the side of an outer join that may be missing' : null));
      },
    });
  };
  const checkExpressions = (node: object): void => {
    eachChild(node, { expr: checkExpressions, rel: (input) => check(input, 'in a subquery of an expression') });
  };
  check(rel, null);
}

const isOuter = ({ type }: Join): boolean => type === 'LEFT' || type === 'RIGHT' || type === 'FULL';

/** Names a relation that needs all the rows below it. */
function placeBelow(rel: Rel): string | null {
  switch (rel.kind) {
    case 'aggregate':
      return 'under GROUP BY or an aggregate function';
    case 'distinct':
      return 'under DISTINCT';
    case 'window':
      return 'under a window function';
    case 'order_limit':
      return 'under ORDER BY or LIMIT';
    case 'set_operation':
      return rel.operator === 'UNION' && rel.all ? null : `under ${rel.operator} DISTINCT`;
    default:
      return null;
  }
}
