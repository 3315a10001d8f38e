// Lowers a logical plan to a ClickHouse statement. Its columns have BigQuery's names, as far as ClickHouse, where names must differ,
// allows.

import type { Type } from '../base/types.ts';
import { pointText } from '../functions/geography/geography.ts';
import { intervalText } from '../functions/time/interval.ts';
import { ref } from '../logical/build.ts';
import type { LogicalPlan } from '../logical/nodes.ts';
import { holdsArray } from '../logical/properties/null-elements.ts';
import { relationsOf } from '../logical/walk.ts';
import type { SqlExpression, Statement } from '../target/ast.ts';
import { call, element, failIf, ident, iff, infix, isNull, lambda, NULL, tuple } from '../target/build.ts';
import { guardChecks } from '../target/guard-checks.ts';
import { NO_PARAMETERS, withoutAbsence } from '../target/present.ts';
import { sendToShards } from '../target/send-to-shards.ts';
import { withoutSingleNames } from '../target/single-names.ts';
import type { TranslatedParameter } from '../translation.ts';
import type { OnLowered } from './lowered-parts.ts';
import { createLowering, type Lowering, type LowerOptions } from './lowering.ts';
import { lowerRel } from './relation.ts';
import { lowerQuery } from './statement.ts';
import { lowerSubquery } from './subquery.ts';

interface LoweredQuery {
  readonly statement: Statement;
  readonly parameters: readonly TranslatedParameter[];
  /** Makes names that neither the statement nor the tables have. */
  readonly freshName: (base: string) => string;
}

/** `onLowered` receives each expression and how it was written. */
export function lowerToStatement(query: LogicalPlan, options: LowerOptions, onLowered?: OnLowered): LoweredQuery {
  const lowering = createLowering({ rel: lowerRel, subquery: lowerSubquery }, options, query, onLowered);
  const named = withoutSingleNames(guardChecks(withoutAbsence(withNames(query, lowering), NO_PARAMETERS)));
  const statement = readsShards(query) ? sendToShards(named) : named;
  return { statement, parameters: [...lowering.parameters].map(([name, type]) => ({ name, type })), freshName: lowering.freshConstant };
}

/** True if rows of one of its tables, or of one below a gathering, may be on several servers. */
const readsShards = (query: LogicalPlan): boolean =>
  relationsOf(query).some((rel) => rel.kind === 'source_scan' && (rel.source.sharded === true || rel.source.cluster !== undefined));

function withNames({ rel, outputs }: LogicalPlan, l: Lowering): Statement {
  const seen = new Map<number, string>();
  const columns = outputs.map(({ name, column }, i) => {
    // A column shown twice needs two names; one shown once keeps its name in subqueries.
    const isCalledSo = l.calledAs(column).toLowerCase() === name.toLowerCase() && l.nameOf(column).toLowerCase() === name.toLowerCase();
    const alias = isCalledSo && !seen.has(column.id) ? l.nameOf(column) : l.fresh(name === '' ? `f${i}_` : name);
    seen.set(column.id, alias);
    return { column, alias };
  });
  const statement = lowerQuery(rel, columns, l);
  const types = outputs.map((o) => o.column.type);
  const checked = l.options.nullElements === 'fail' ? withoutNullElements(statement, outputs, l) : statement;
  return types.some((type) => needsText(type, l)) ? withTexts(checked, types, l) : checked;
}

/** Makes arrays with a NULL element fail. */
function withoutNullElements(statement: Statement, outputs: LogicalPlan['outputs'], l: Lowering): Statement {
  const found = new Set(
    outputs.filter(({ column }) => holdsArray(column.type) && l.mayHoldNull(ref(column, { span: { start: 0, end: 0 } }))),
  );
  if (found.size === 0) return statement;
  return withItems(statement, (value, i) => {
    const output = outputs[i];
    if (output === undefined || !found.has(output)) return value;
    const name = output.name === '' ? `${i + 1}` : output.name;
    const some = hasNullElement(value, output.column.type, l);
    return failIf(some, `column ${name}: as in BigQuery, a result can’t hold an array with a NULL element`, value);
  });
}

/** Tests for a NULL in the array, or in an array inside of a struct. */
function hasNullElement(value: SqlExpression, type: Type, l: Lowering): SqlExpression {
  if (type.kind === 'STRUCT') {
    const tests = type.fields.flatMap((field, i) => (holdsArray(field.type) ? [hasNullElement(element(value, i + 1), field.type, l)] : []));
    return tests.reduce((all, test) => infix('OR', all, test));
  }
  const item = l.fresh('element');
  const inside = type.kind === 'ARRAY' && holdsArray(type.element) ? [hasNullElement(ident(item), type.element, l)] : [];
  return call(
    'arrayExists',
    lambda(
      [item],
      inside.reduce((all, test) => infix('OR', all, test), isNull(ident(item))),
    ),
    value,
  );
}

function withItems(statement: Statement, change: (value: SqlExpression, i: number) => SqlExpression): Statement {
  if (statement.kind === 'set') return { ...statement, inputs: statement.inputs.map((input) => withItems(input, change)) };
  return { ...statement, items: statement.items.map((item, i) => ({ ...item, value: change(item.value, i) })) };
}

/**
 * INTERVALs and points leave the query as BigQuery's text, since tuples would lose their meaning; BYTES leave it as base64, which JSON can carry, if
 * the options say so.
 */
function withTexts(statement: Statement, types: readonly Type[], l: Lowering): Statement {
  return withItems(statement, (value, i) => {
    const type = types[i];
    return type === undefined ? value : shown(value, type, l);
  });
}

function shown(value: SqlExpression, type: Type, l: Lowering): SqlExpression {
  if (!needsText(type, l)) return value;
  switch (type.kind) {
    case 'STRUCT': {
      const fields = type.fields.map((f, i) => shown(element(value, i + 1), f.type, l));
      return iff(isNull(value), NULL, tuple(...fields));
    }
    case 'ARRAY': {
      const item = l.fresh('item');
      return call('arrayMap', lambda([item], shown(ident(item), type.element, l)), value);
    }
    case 'BYTES':
      return call('base64Encode', value);
    case 'GEOGRAPHY':
      return iff(isNull(value), NULL, pointText(value));
    default:
      return intervalText(value);
  }
}

function needsText(type: Type, l: Lowering): boolean {
  if (type.kind === 'STRUCT') return type.fields.some((f) => needsText(f.type, l));
  if (type.kind === 'ARRAY') return needsText(type.element, l);
  return type.kind === 'INTERVAL' || type.kind === 'GEOGRAPHY' || (type.kind === 'BYTES' && l.options.bytes === 'text');
}
