// Aggregates over the elements of an array instead of the rows of a group. https://clickhouse.com/docs/sql-reference/functions/array-functions#arrayReduce

import { hasValueOfNone } from '../../clickhouse/functions.ts';
import { quoteString } from '../../clickhouse/quote.ts';
import type { Fresh } from '../layouts/layout.ts';
import type { LowerAggregateCall } from '../logical/function.ts';
import type { SqlExpression } from '../target/ast.ts';
import { call, fullArray, iff, lambda, lit, NULL } from '../target/build.ts';
import { countRows, filterRows, mapRows } from './element-fields.ts';

/**
 * Returns the writer of aggregates over `rows`: their arguments are expressions over one element, called `row`. Settings for aggregates
 * over no rows do not reach arrayReduce, so those that are NULL over no rows get -OrNull.
 */
export function reduceArray(rows: SqlExpression, row: string, callDistinct: boolean, fresh: Fresh): LowerAggregateCall['aggregate'] {
  return (name, args, { params = [], distinct = callDistinct, where } = {}) => {
    const selected = where === undefined ? rows : filterRows(row, where, rows);
    const [only] = args;
    const stored = fullArray(selected);
    if (stored !== undefined && name === 'sum' && !distinct && only?.kind === 'func' && only.name === 'toInt128')
      return iff(call('empty', stored), NULL, call('arraySum', lambda([row], only), stored));
    const values = args.map((arg) => mapRows(row, arg, selected, fresh));
    if (values.length === 0) return countRows(selected, fresh);
    const distinctName = name === 'count' ? 'uniqExact' : `${name}Distinct`;
    const base = distinct ? distinctName : name;
    const full = hasValueOfNone(name) ? base : `${base}OrNull`;
    const texts = params.map(paramText);
    return call('arrayReduce', lit(texts.length === 0 ? full : `${full}(${texts.join(', ')})`), ...values);
  };
}

function paramText(param: SqlExpression): string {
  if (param.kind === 'raw') return param.text;
  if (param.kind !== 'lit') return '';
  return typeof param.value === 'string' ? quoteString(param.value) : String(param.value);
}
