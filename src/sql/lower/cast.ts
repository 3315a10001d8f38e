// CAST and SAFE_CAST: arrays and structs part by part, everything else by the rule of its pair of types.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast
import { fail } from '../base/fail.ts';
import { sameType, type Type, typeName } from '../base/types.ts';
import type { Cast } from '../logical/nodes.ts';
import type { SqlExpression } from '../target/ast.ts';
import { call, element, ident, iff, isNull, lambda, NULL, tuple } from '../target/build.ts';
import { BYTES_FORMAT_CASTS } from './cast-format-bytes.ts';
import { insteadOfCast } from './cast-instead.ts';
import { NUMBER_CASTS } from './cast-number.ts';
import type { CastContext, CastRules } from './cast-rule.ts';
import { TEMPORAL_CASTS, TEMPORAL_FORMAT_CASTS } from './cast-temporal.ts';
import { TEXT_CASTS } from './cast-text.ts';
import type { Lowering } from './lowering.ts';

const RULES: CastRules = { ...NUMBER_CASTS, ...TEXT_CASTS, ...TEMPORAL_CASTS };
/** Rules of CAST … FORMAT, which read `context.format`. */
const FORMAT_RULES: CastRules = { ...TEMPORAL_FORMAT_CASTS, ...BYTES_FORMAT_CASTS };

/** The parts of a CAST as written in ClickHouse. */
interface CastParts {
  readonly value: SqlExpression;
  readonly zone: SqlExpression | null;
  readonly format: SqlExpression | null;
}

export function lowerCast(
  expr: Cast,
  { value, zone, format: pattern }: CastParts,
  l: Pick<Lowering, 'fresh' | 'isNeverNull'>,
): SqlExpression {
  const { operand, type: to, safe, format, timeZone, span } = expr;
  const context: CastContext = {
    safe,
    from: operand.type,
    to,
    zoneArg: timeZone,
    zone: zone ?? undefined,
    constant: operand.kind === 'literal' ? operand.value : undefined,
    isPresent: l.isNeverNull(operand),
    format: pattern === null ? null : { value: pattern, constant: format?.kind === 'literal' ? format.value : undefined },
    span,
    fresh: l.fresh,
  };
  if (format === null) return castValue(value, context);
  const rule = FORMAT_RULES[`${operand.type.kind}>${to.kind}`];
  if (rule === undefined) return fail('type', format.span, `a CAST of ${typeName(operand.type)} to ${typeName(to)} takes no FORMAT`);
  return rule(value, context);
}

/** Converts a value of one type to another type, as an explicit CAST does. */
export const convert = (value: SqlExpression, from: Type, to: Type, { fresh, safe }: Pick<CastContext, 'fresh' | 'safe'>): SqlExpression =>
  castValue(value, {
    safe,
    from,
    to,
    zoneArg: null,
    zone: undefined,
    constant: undefined,
    isPresent: false,
    format: null,
    span: { start: 0, end: 0 },
    fresh,
  });

function castValue(value: SqlExpression, context: CastContext): SqlExpression {
  const { from, to, span } = context;
  if (sameType(from, to)) return value;
  // An undeclared field is text, and NULL if the text does not read as the wanted type.
  if (from.kind === 'DYNAMIC') return to.kind === 'STRING' ? value : castValue(value, { ...context, from: { kind: 'STRING' }, safe: true });
  if (from.kind === 'ARRAY' && to.kind === 'ARRAY') {
    const name = context.fresh('e');
    const element = castValue(ident(name), { ...context, from: from.element, to: to.element, constant: undefined });
    return call('arrayMap', lambda([name], element), value);
  }
  if (from.kind === 'STRUCT' && to.kind === 'STRUCT' && from.fields.length === to.fields.length) {
    const fields = to.fields.map((f, i) =>
      castValue(element(value, i + 1), {
        ...context,
        from: from.fields[i]?.type ?? f.type,
        to: f.type,
        constant: undefined,
      }),
    );
    return iff(isNull(value), NULL, tuple(...fields));
  }
  const rule = RULES[`${from.kind}>${to.kind}`];
  if (rule === undefined) return fail('type', span, `${typeName(from)} can’t be cast to ${typeName(to)}`, insteadOfCast(from, to));
  return rule(value, context);
}
