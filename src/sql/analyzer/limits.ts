// Limits on the growth of a query while names are resolved: short texts can make columns, types and values without end.

import { QuernError } from '../../base/errors.ts';
import type { Span } from '../../base/source-text.ts';
import { spend } from '../base/budget.ts';
import { fail } from '../base/fail.ts';
import { printedNodes } from '../base/size.ts';
import type { Type } from '../base/types.ts';
import type { Expr } from '../logical/nodes.ts';

/** The most columns of all tables and subqueries of a query together. BigQuery takes 10,000 in one result. */
const MAX_COLUMNS = 100_000;
/** The most fields of a STRUCT at any depth. BigQuery takes 15 levels. */
const MAX_FIELDS = 10_000;
/** The most nodes of an expression with a name, which stands wherever the name does. */
const MAX_NAMED = 100_000;

/** Throws QuernError `too-complex`, without a place, when one more column of `type` after `count` others is too much. */
export function refuseGrowth(count: number, name: string, type: Type): void {
  spend(1);
  if (count >= MAX_COLUMNS)
    throw new QuernError('too-complex', `the tables and subqueries of this query have more than ${MAX_COLUMNS} columns`, {
      hint: 'name the columns you need instead of *',
    });
  if (fieldsOf(type) > MAX_FIELDS)
    throw new QuernError('too-complex', `the values of ${name} would have more than ${MAX_FIELDS} fields`, {
      hint: 'build structs with fewer fields, or fewer levels',
    });
}

export function refuseLargeName(name: string, value: Expr, span: Span): void {
  if (printedNodes(value) > MAX_NAMED)
    fail('too-complex', span, `the expression ${name} is too large once the names in it are expanded`, 'compute its parts in WITH queries');
}

const known = new WeakMap<Type, number>();

/** Counts the fields. Types share their parts, so the count of a part is remembered: written out, a type may be endless. */
function fieldsOf(type: Type): number {
  if (type.kind !== 'STRUCT' && type.kind !== 'ARRAY') return 1;
  let fields = known.get(type);
  if (fields === undefined) {
    fields = type.kind === 'ARRAY' ? fieldsOf(type.element) : type.fields.reduce((sum, field) => sum + fieldsOf(field.type), 1);
    known.set(type, fields);
  }
  return fields;
}
