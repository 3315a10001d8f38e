// The door of the lowering: a logical plan in, a ClickHouse statement out, its columns named as BigQuery names them as far as names in ClickHouse must differ from each other.

import { intervalText } from '../functions/time/interval.ts';
import type { LogicalPlan } from '../logical/resolved.ts';
import type { Ch, Statement } from '../target/ast.ts';
import { call, ident, iff, isNull, lambda, lit, NULL, tuple } from '../target/build.ts';
import type { TranslatedParameter, TranslateOptions } from '../translation.ts';
import type { Type } from '../types.ts';
import { createLowering, type Lowering } from './lowering.ts';
import { lowerRel } from './relation.ts';
import { lowerQuery } from './statement.ts';
import { lowerSubquery } from './subquery.ts';

interface LoweredQuery {
  readonly statement: Statement;
  readonly parameters: readonly TranslatedParameter[];
}

export function lowerToStatement(query: LogicalPlan, options: TranslateOptions): LoweredQuery {
  const lowering = createLowering({ rel: lowerRel, subquery: lowerSubquery }, options, query);
  const statement = withNames(query, lowering);
  return { statement, parameters: [...lowering.parameters].map(([name, type]) => ({ name, type })) };
}

function withNames({ rel, outputs }: LogicalPlan, l: Lowering): Statement {
  const seen = new Map<number, string>();
  const columns = outputs.map(({ name, column }, i) => {
    // A column shown twice needs two names; one shown once keeps the name it has in subqueries.
    const alias =
      seen.has(column.id) || l.nameOf(column).toLowerCase() !== name.toLowerCase()
        ? l.fresh(name === '' ? `f${i}_` : name)
        : l.nameOf(column);
    seen.set(column.id, alias);
    return { column, alias };
  });
  const statement = lowerQuery(rel, columns, l);
  const types = outputs.map((o) => o.column.type);
  return types.some((type) => needsText(type, l)) ? withTexts(statement, types, l) : statement;
}

/** INTERVALs leave the query as BigQuery's text, as tuples their meaning would be lost; BYTES as base64, which JSON can carry, where that is asked for. */
function withTexts(statement: Statement, types: readonly Type[], l: Lowering): Statement {
  if (statement.kind === 'set') return { ...statement, inputs: statement.inputs.map((input) => withTexts(input, types, l)) };
  const items = statement.items.map((item, i) => {
    const type = types[i];
    return type === undefined ? item : { ...item, value: shown(item.value, type, l) };
  });
  return { ...statement, items };
}

function shown(value: Ch, type: Type, l: Lowering): Ch {
  if (!needsText(type, l)) return value;
  switch (type.kind) {
    case 'STRUCT': {
      const fields = type.fields.map((f, i) => shown(call('tupleElement', value, lit(i + 1)), f.type, l));
      return iff(isNull(value), NULL, tuple(...fields));
    }
    case 'ARRAY': {
      const item = l.fresh('item');
      return call('arrayMap', lambda([item], shown(ident(item), type.element, l)), value);
    }
    case 'BYTES':
      return call('base64Encode', value);
    default:
      return intervalText(value);
  }
}

function needsText(type: Type, l: Lowering): boolean {
  if (type.kind === 'STRUCT') return type.fields.some((f) => needsText(f.type, l));
  if (type.kind === 'ARRAY') return needsText(type.element, l);
  return type.kind === 'INTERVAL' || (type.kind === 'BYTES' && l.options.bytes === 'text');
}
