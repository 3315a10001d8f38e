// Aggregates over the elements of an array instead of the rows of a group. https://clickhouse.com/docs/sql-reference/functions/array-functions#arrayReduce

import { hasValueOfNone } from '../../clickhouse/functions.ts';
import { quoteString } from '../../clickhouse/quote.ts';
import type { LowerAggregateCall } from '../logical/function.ts';
import type { SqlExpression } from '../target/ast.ts';
import { call, lambda, lit } from '../target/build.ts';

/**
 * Writes aggregates over `rows`: arguments are expressions over one element, called `row`. Settings for aggregates over no rows do not reach
 * arrayReduce, so what is NULL over no rows says so (-OrNull).
 */
export function reduceArray(rows: SqlExpression, row: string, callDistinct: boolean): LowerAggregateCall['aggregate'] {
  return (name, args, { params = [], distinct = callDistinct, where } = {}) => {
    const kept = where === undefined ? rows : call('arrayFilter', lambda([row], where), rows);
    const values = args.map((arg) => (isElement(arg, row) ? kept : call('arrayMap', lambda([row], arg), kept)));
    if (values.length === 0) return call('length', kept);
    const base = distinct ? (name === 'count' ? 'uniqExact' : `${name}Distinct`) : name;
    const full = hasValueOfNone(name) ? base : `${base}OrNull`;
    const texts = params.map((p) => (p.kind === 'raw' ? p.text : p.kind === 'lit' ? literalText(p.value) : ''));
    return call('arrayReduce', lit(texts.length === 0 ? full : `${full}(${texts.join(', ')})`), ...values);
  };
}

const literalText = (value: string | number | bigint | boolean | null): string =>
  typeof value === 'string' ? quoteString(value) : String(value);

const isElement = (value: SqlExpression, row: string): boolean =>
  value.kind === 'ident' && value.parts.length === 1 && value.parts[0] === row;
