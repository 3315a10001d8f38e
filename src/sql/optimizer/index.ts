// The passes over the logical plan, in order.
import { dropImpliedPresence } from './drop-implied-presence.ts';
import { filterBeforeUnnest } from './filter-before-unnest.ts';
import { filterBetweenUnnests } from './filter-between-unnests.ts';
import { filterKeyColumn } from './filter-key-column.ts';
import { filterStoredTime } from './filter-stored-time.ts';
import { foldConstants } from './fold-constants.ts';
import { inlineCtes } from './inline-ctes.ts';
import { keepOrderUnderLimit } from './keep-order-under-limit.ts';
import { mergeOneRowJoins } from './merge-one-row-joins.ts';
import { numberOuterRows } from './number-outer-rows.ts';
import { orderStoredTime } from './order-stored-time.ts';
import type { Pass } from './pass.ts';
import { readQuantileElements } from './read-quantile-elements.ts';
import { readRecordPaths } from './read-record-paths.ts';
import { readStoredText } from './read-stored-text.ts';
import { replaceSeriesJoins } from './replace-series-joins.ts';
import { requireElements } from './require-elements.ts';
import { searchRecordText } from './search-record-text.ts';
import { separateSubqueries } from './separate-subqueries.ts';
import { unnestNestedLeaves } from './unnest-nested-leaves.ts';

export const PASSES: readonly Pass[] = [
  // First: the branches of helper functions that constant arguments do not choose are not carried through the other passes.
  foldConstants,
  // Early: a CTE read once is an ordinary subquery, so that what follows sees from the outer query into it. Unread CTEs go away.
  inlineCtes,
  // After inlining: a CTE of parameters is a row of constants by now.
  mergeOneRowJoins,
  // After folding: the positions read are constants.
  readQuantileElements,
  // After folding: a series is the constant that a helper function chose.
  replaceSeriesJoins,
  // After inlining: a record unnested outside of the CTE that reads its source is still a path of that source.
  readRecordPaths,
  // After record paths: it is they that ask whether a record is there.
  dropImpliedPresence,
  // The same where records may have several elements.
  unnestNestedLeaves,
  // Before filterKeyColumn: a filter that another one stands in for requires nothing of the field any more.
  requireElements,
  // What is walked is a column of its scan by now.
  filterBeforeUnnest,
  // After both: fields of records are columns of their scans by now.
  filterKeyColumn,
  // After the joins with rows of constants and series are gone: what a time is compared with is a constant by then.
  filterStoredTime,
  // The same for ORDER BY.
  orderStoredTime,
  // After those that add filters.
  filterBetweenUnnests,
  // After record paths, and after filterKeyColumn: a filter that became one of a key is none of a text.
  searchRecordText,
  // The same of JSON columns.
  readStoredText,
  // Before numbering: it makes projections of subqueries, whose outer rows are numbered.
  separateSubqueries,
  numberOuterRows,
  // Last: earlier passes bring the ordered subquery and the bare LIMIT next to each other.
  keepOrderUnderLimit,
];
