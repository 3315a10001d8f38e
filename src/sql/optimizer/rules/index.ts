// The rules of the optimizer, in order.

import type { Pass } from '../pass.ts';
import type { Rule } from '../rule.ts';
import { numberOuterRows } from './decorrelate-outer-rows.ts';
import { separateSubqueries } from './decorrelate-subqueries.ts';
import { requireElements } from './eliminate-outer-unnest.ts';
import { dropImpliedPresence } from './eliminate-redundant-predicates.ts';

import { filterBeforeUnnest } from './filter-before-unnest.ts';
import { filterBetweenUnnests } from './filter-between-unnests.ts';
import { filterKeyColumn } from './filter-key-column.ts';
import { filterStoredTime } from './filter-stored-time.ts';
import { foldConstants } from './fold-constants.ts';
import { inlineCtes } from './inline-ctes.ts';
import { keepOrderUnderLimit } from './keep-order-under-limit.ts';
import { mergeOneRowJoins } from './merge-one-row-joins.ts';
import { orderStoredTime } from './order-stored-time.ts';
import { unnestNestedLeaves } from './prune-nested-fields.ts';
import { readRecordPaths } from './prune-record-fields.ts';
import { readQuantileElements } from './read-quantile-elements.ts';
import { readStoredText } from './read-stored-text.ts';
import { replaceSeriesJoins } from './replace-series-joins.ts';
import { searchRecordText } from './search-record-text.ts';

const pass = (name: string, apply: Pass): Rule => ({ name, changes: (_, context) => ({ plan: (plan) => apply(plan, context) }) });

export const RULES: readonly Rule[] = [
  // First: the branches of helper functions that constant arguments do not choose are not carried through the other passes.
  pass('fold-constants', foldConstants),
  // Early: a CTE read once is an ordinary subquery, so that what follows sees from the outer query into it. Unread CTEs go away.
  pass('inline-ctes', inlineCtes),
  // After inlining: a CTE of parameters is a row of constants by now.
  pass('merge-one-row-joins', mergeOneRowJoins),
  // After folding: the positions read are constants.
  pass('read-quantile-elements', readQuantileElements),
  // After folding: a series is the constant that a helper function chose.
  pass('replace-series-joins', replaceSeriesJoins),
  // After inlining: a record unnested outside of the CTE that reads its source is still a path of that source.
  pass('prune-record-fields', readRecordPaths),
  // After record paths: it is they that ask whether a record is there.
  pass('eliminate-redundant-predicates', dropImpliedPresence),
  // The same where records may have several elements.
  pass('prune-nested-fields', unnestNestedLeaves),
  // Before filterKeyColumn: a filter that another one stands in for requires nothing of the field any more.
  pass('eliminate-outer-unnest', requireElements),
  // What is walked is a column of its scan by now.
  pass('filter-before-unnest', filterBeforeUnnest),
  // After both: fields of records are columns of their scans by now.
  pass('filter-key-column', filterKeyColumn),
  // After the joins with rows of constants and series are gone: what a time is compared with is a constant by then.
  pass('filter-stored-time', filterStoredTime),
  // The same for ORDER BY.
  pass('order-stored-time', orderStoredTime),
  // After those that add filters.
  pass('filter-between-unnests', filterBetweenUnnests),
  // After record paths, and after filterKeyColumn: a filter that became one of a key is none of a text.
  pass('search-record-text', searchRecordText),
  // The same of JSON columns.
  pass('read-stored-text', readStoredText),
  // Before numbering: it makes projections of subqueries, whose outer rows are numbered.
  pass('decorrelate-subqueries', separateSubqueries),
  pass('decorrelate-outer-rows', numberOuterRows),
  // Last: earlier passes bring the ordered subquery and the bare LIMIT next to each other.
  pass('keep-order-under-limit', keepOrderUnderLimit),
];
