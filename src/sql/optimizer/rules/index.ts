// The rules of the optimizer, in the order in which they are applied.
import type { Rule } from '../rule.ts';
import { compareStored } from './compare-stored.ts';
import { decorrelateSubqueries } from './decorrelate-subqueries.ts';
import { eliminateOuterUnnest } from './eliminate-outer-unnest.ts';
import { eliminateRedundantPredicates } from './eliminate-redundant-predicates.ts';
import { filterKeyColumn } from './filter-key-column.ts';
import { foldConstants } from './fold-constants.ts';
import { gatherRows } from './gather-rows.ts';
import { inlineCtes } from './inline-ctes.ts';
import { keepOrderUnderLimit } from './keep-order-under-limit.ts';
import { mergeOneRowJoins } from './merge-one-row-joins.ts';
import { pruneNestedFields } from './prune-nested-fields.ts';
import { pruneRecordFields } from './prune-record-fields.ts';
import { pruneStructFields } from './prune-struct-fields.ts';
import { pushFiltersBelowUnnests } from './push-filters-below-unnests.ts';
import { readMapEntries } from './read-map-entries.ts';
import { readQuantileElements } from './read-quantile-elements.ts';
import { readSeriesStarts } from './read-series-starts.ts';
import { readStoredText } from './read-stored-text.ts';
import { replaceSeriesJoins } from './replace-series-joins.ts';
import { searchRecordText } from './search-record-text.ts';
import { tellNullArrays } from './tell-null-arrays.ts';

/** The rules that shape a plan, whatever its tables are like. */
export const SHAPING: readonly Rule[] = [
  // First: the branches of helper functions that constant arguments do not choose are not carried through the other rules.
  foldConstants,
  // Early: a CTE read once is an ordinary subquery, so later rules see from the outer query into it. Unread CTEs go away.
  inlineCtes,
  // After inlining: a CTE of parameters is a row of constants by now.
  mergeOneRowJoins,
  // After folding: the positions read are constants.
  readQuantileElements,
  // After folding: a series is the constant that a helper function chose.
  replaceSeriesJoins,
  // After the joins, which name the series.
  readSeriesStarts,
];

/** The rules that fit a plan to how tables store their columns, and to how ClickHouse runs it. */
export const FITTING: readonly Rule[] = [
  // After inlining: a record unnested outside of the CTE that reads its source is still a path of that source.
  pruneRecordFields,
  // After record paths, which test whether a record is there.
  eliminateRedundantPredicates,
  // The same as pruneRecordFields where records may have several elements.
  pruneNestedFields,
  // After inlining, before the map's other uses are looked at.
  readMapEntries,
  // The same as both for tables that are no log sources.
  pruneStructFields,
  // Before filterKeyColumn: a filter that another one stands in for requires nothing of the field any more.
  eliminateOuterUnnest,
  // After the three that prune: fields of records are columns of their scans by now.
  filterKeyColumn,
  // Likewise, and after the joins with rows of constants and series are gone: what a column is compared with is a constant by then.
  compareStored,
  // After those that add filters.
  pushFiltersBelowUnnests,
  // After record paths, and after filterKeyColumn: a filter that became one of a key is none of a text.
  searchRecordText,
  // The same for JSON columns.
  readStoredText,
  // After the rules that know functions by their calls, around which it puts conditions; before subqueries become joins.
  tellNullArrays,
  // After all that knows relations by their shape: it makes joins.
  decorrelateSubqueries,
  // Late: earlier rules bring the ordered subquery and the bare LIMIT next to each other.
  keepOrderUnderLimit,
  // Last: what runs on shards is decided on the plan as it will be written.
  gatherRows,
];
