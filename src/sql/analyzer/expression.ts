// Expressions: names resolved, types found, conversions made explicit. One entry per kind of syntax node.

import type { Span } from '../../base/source-text.ts';
import { spend } from '../base/budget.ts';
import { decimalText } from '../base/decimal-text.ts';
import { fail } from '../base/fail.ts';
import { canonicalJson } from '../base/json-canonical.ts';
import { positionOf } from '../base/positional.ts';
import { arrayOf, BOOL, BYTES, FLOAT64, INT64, STRING, structOf, type Type } from '../base/types.ts';
import type { Expr } from '../logical/nodes.ts';
import type * as ast from '../syntax/ast.ts';
import { analyzeCondition } from './analyze.ts';
import { analyzeCall, analyzeExtract } from './calls/call.ts';
import { callFunction } from './calls/call-function.ts';
import { coerce, coerceToDeclared, resolveDynamic, temporalLiteral, unify } from './calls/coerce.ts';
import { analyzeInterval } from './calls/interval.ts';
import { analyzeMembership, analyzeQuantifiedLike } from './calls/membership.ts';
import { analyzeSubquery } from './calls/subquery.ts';
import { withTypeParameters } from './calls/type-parameters.ts';
import { typeFromRef } from './calls/type-ref.ts';
import { type Context, withNames } from './context.ts';
import { refuseDeepChain, refuseDeepExpr } from './depth.ts';
import { refuseLargeName } from './limits.ts';
import { impliedName } from './names/implied-name.ts';
import { refuseRecordElements } from './names/record-values.ts';
import { accessField, resolvePath } from './names/scope.ts';
import { expressionOfParameter } from './statements/parameter-expression.ts';

type Analyzers = { readonly [K in ast.Expr['kind']]: (node: Extract<ast.Expr, { readonly kind: K }>, context: Context) => Expr };

const MAX_INT64 = 2n ** 63n - 1n;

const ANALYZERS: Analyzers = {
  null_literal: ({ span }) => ({ kind: 'literal', value: null, type: INT64, span }),
  bool_literal: ({ value, span }) => ({ kind: 'literal', value, type: BOOL, span }),
  int_literal: ({ value, span }) => {
    if (value > MAX_INT64) fail('type', span, `${value} is out of range for INT64`, 'write it as NUMERIC or FLOAT64');
    return { kind: 'literal', value, type: INT64, span };
  },
  float_literal: ({ text, span }) => ({ kind: 'literal', value: Number(text), text, type: FLOAT64, span }),
  string_literal: ({ value, span }) => ({ kind: 'literal', value, type: STRING, span }),
  bytes_literal: ({ value, span }) => ({ kind: 'literal', value, type: BYTES, span }),
  typed_literal: (node) => typedLiteral(node),
  interval: (node, context) => analyzeInterval(node, context),
  parameter: ({ name, span }, context) => {
    const given = context.analysis.given.get(name.toLowerCase());
    if (given !== undefined) return given.value();
    const { parameters: declared = {}, parameterExpressions = {}, portable } = context.analysis.options;
    const found = Object.keys(declared).find((n) => n.toLowerCase() === name.toLowerCase());
    const type = found === undefined ? undefined : declared[found];
    const expression = found === undefined ? undefined : parameterExpressions[found];
    if (expression !== undefined) return expressionOfParameter(expression, span, context);
    if (positionOf(name) !== undefined && type === undefined)
      return fail(
        'parameter',
        span,
        '? has no value here',
        'only SQL that is not saved takes values by position: name the parameter, as in @name',
      );
    if (found === undefined || type === undefined)
      return fail('parameter', span, `@${name} is not declared`, `declare it under params: in the header, e.g. ${name}: { type: string }`);
    if (portable === true)
      return fail(
        'parameter',
        span,
        `@${found} has no value, which the text to paste needs`,
        `give it one; at the command line with -p ${found}::VALUE`,
      );
    return { kind: 'parameter', name: found, type, span };
  },
  path: ({ parts, span }, { scope, analysis }) => {
    refuseDeepChain(parts.length, span, analysis.depths);
    return resolvePath(scope, parts);
  },
  field_access: ({ of, field, span }, context) => accessField(analyzeExpr(of, context, OF_FIELD), field.name, span),
  subscript: (node, context) => subscript(node, context),
  unary: (node, context) => unary(node, context),
  binary: (node, context) => binary(node, context),
  is_test: ({ operand, test, not, span }, context) => {
    const value = analyzeExpr(operand, context);
    if (test === 'NULL' || test === 'UNKNOWN') {
      const tested = test === 'UNKNOWN' ? coerce(value, BOOL, 'the operand of IS UNKNOWN') : value;
      return callFunction(not ? '$is_not_null' : '$is_null', [tested], span);
    }
    const truth = callFunction(test === 'TRUE' ? '$is_true' : '$is_false', [value], span);
    return not ? callFunction('$not', [truth], span) : truth;
  },
  is_distinct: ({ left, right, not, span }, context) =>
    callFunction(not ? '$is_not_distinct' : '$is_distinct', [analyzeExpr(left, context), analyzeExpr(right, context)], span),
  between: ({ operand, low, high, not, span }, context) => {
    const within = callFunction(
      '$between',
      [operand, low, high].map((e) => analyzeExpr(e, context)),
      span,
    );
    return not ? callFunction('$not', [within], span) : within;
  },
  in: (node, context) => analyzeMembership(node, context),
  like: ({ operand, pattern, not, span }, context) => {
    for (const side of [operand, pattern]) refuseNull('LIKE', side);
    const like = callFunction('$like', [analyzeExpr(operand, context), analyzeExpr(pattern, context)], span);
    return not ? callFunction('$not', [like], span) : like;
  },
  quantified_like: (node, context) => analyzeQuantifiedLike(node, context),
  case: (node, context) => caseExpr(node, context),
  cast: ({ operand, to, safe, format, timeZone, span }, context) => {
    const type = typeFromRef({ ...to, parameters: [] });
    const value = analyzeExpr(operand, context);
    // A decimal written as FLOAT64 keeps its digits.
    if (value.kind === 'literal' && value.text !== undefined && (type.kind === 'NUMERIC' || type.kind === 'BIGNUMERIC')) {
      const exact = decimalText(value.text, type.kind);
      if (exact !== undefined) return withTypeParameters({ kind: 'literal', value: exact, type, span }, to);
    }
    const cast: Expr = {
      kind: 'cast',
      operand: value,
      safe,
      format: format === null ? null : coerce(analyzeExpr(format, context), STRING, 'FORMAT'),
      timeZone: timeZone === null ? null : coerce(analyzeExpr(timeZone, context), STRING, 'AT TIME ZONE'),
      type,
      span,
    };
    return withTypeParameters(cast, to);
  },
  extract: (node, context) => analyzeExtract(node, context),
  call: (node, context) => analyzeCall(node, context),
  array: ({ elementType, elements, span }, context) => {
    const values = elements.map((e) => resolveDynamic(analyzeExpr(e, context)));
    if (elementType !== null) {
      const type = typeFromRef(elementType);
      return {
        kind: 'array',
        elements: values.map((v) => coerceToDeclared(v, type, 'an element of the array')),
        type: arrayOf(type),
        span,
      };
    }
    const { type, exprs } = unify(values, 'the elements of the array');
    if (type.kind === 'ARRAY') fail('type', span, 'an array can’t hold arrays', 'wrap the inner arrays in STRUCT(…)');
    refuseRecordElements(type, span);
    return { kind: 'array', elements: exprs, type: arrayOf(type), span };
  },
  struct: (node, context) => structExpr(node, context),
  subquery: (node, context) => analyzeSubquery(node, context),
  with_expr: ({ bindings, body }, context) => {
    let inner = context;
    for (const { name, value } of bindings) {
      const bound = analyzeExpr(value, inner);
      refuseLargeName(name.name, bound, name.span);
      refuseDeepExpr(bound, name.span, context.analysis.depths);
      inner = withNames(inner, new Map([[name.name.toLowerCase(), bound]]));
    }
    return analyzeExpr(body, inner);
  },
};

export function analyzeExpr(node: ast.Expr, context: Context, special: Partial<Analyzers> = {}): Expr {
  spend(2);
  context.analysis.onExpr?.(node, context);
  // The table has an entry for each kind; TypeScript can't pair a kind with its own entry by itself.
  const analyze = (special[node.kind] ?? ANALYZERS[node.kind]) as (node: ast.Expr, context: Context) => Expr;
  const { depths } = context.analysis;
  refuseDeepChain(1, node.span, depths);
  depths.level++;
  const expr = analyze(node, context);
  depths.level--;
  return expr;
}

function typedLiteral({ type, text, span }: ast.TypedLiteral): Expr {
  switch (type) {
    case 'DATE':
    case 'DATETIME':
    case 'TIME':
    case 'TIMESTAMP':
      return temporalLiteral(text, type, span);
    case 'JSON':
      return jsonLiteral(text, span);
    default: {
      const value = decimalText(text, type);
      if (value === undefined) return fail('type', span, `'${text}' is not a ${type}`, `write digits, e.g. ${type} '12.5'`);
      return { kind: 'literal', value, type: { kind: type }, span };
    }
  }
}

function jsonLiteral(text: string, span: Span): Expr {
  try {
    JSON.parse(text);
  } catch {
    return fail('type', span, 'this is not JSON', 'keys and strings take double quotes inside a JSON literal');
  }
  // PARSE_JSON, too, leaves out the spaces between the parts.
  const compact = text.replace(/"(?:[^"\\]|\\.)*"|\s+/gs, (part) => (part.startsWith('"') ? JSON.stringify(JSON.parse(part)) : ''));
  return { kind: 'literal', value: canonicalJson(text) ?? compact, type: { kind: 'JSON' }, span };
}

/** The operators that refuse the word NULL: `x = NULL` is never what was meant. AND, OR and shifts take it. */
const REFUSING_NULL: ReadonlySet<string> = new Set(['+', '-', '*', '/', '||', '&', '|', '^', '=', '<>', '<', '<=', '>', '>=']);

/** Refuses an operand that is the word NULL. */
function refuseNull(operator: string, operand: ast.Expr): void {
  if (operand.kind === 'null_literal')
    fail(
      'type',
      operand.span,
      `an operand of ${operator} can’t be the literal NULL`,
      operator === '=' || operator === '<>'
        ? `write ${operator === '=' ? 'IS NULL' : 'IS NOT NULL'}`
        : 'CAST(NULL AS …) is accepted, and gives NULL',
    );
}

function unary({ operator, operand, span }: ast.Unary, context: Context): Expr {
  refuseNull(operator, operand);
  if (operator === '-' && operand.kind === 'int_literal')
    return { kind: 'literal', value: BigInt.asIntN(64, -operand.value), type: INT64, span };
  const value = analyzeExpr(operand, context);
  switch (operator) {
    case '-':
      if (value.kind === 'literal' && typeof value.value === 'number')
        return { kind: 'literal', value: -value.value, text: `-${value.text ?? value.value}`, type: value.type, span };
      return callFunction('$negate', [value], span);
    case '+':
      return callFunction('$plus', [value], span);
    case '~':
      return callFunction('$bit_not', [value], span);
    case 'NOT':
      return callFunction('$not', [value], span);
  }
}

const BINARY: Readonly<Record<ast.BinaryOperator, string>> = {
  '+': '$add',
  '-': '$subtract',
  '*': '$multiply',
  '/': '$divide',
  '||': '$concat',
  '&': '$bit_and',
  '|': '$bit_or',
  '^': '$bit_xor',
  '<<': '$shift_left',
  '>>': '$shift_right',
  '=': '$equal',
  '<>': '$not_equal',
  '<': '$less',
  '<=': '$less_or_equal',
  '>': '$greater',
  '>=': '$greater_or_equal',
  AND: '$and',
  OR: '$or',
};

function binary(node: ast.Binary, context: Context): Expr {
  // Long chains of one operator lean left: unwind them instead of recursing once per term.
  const chain: ast.Binary[] = [];
  let leftmost: ast.Expr = node;
  while (leftmost.kind === 'binary') {
    chain.push(leftmost);
    leftmost = leftmost.left;
  }
  refuseDeepChain(chain.length, node.span, context.analysis.depths);
  let result = analyzeExpr(leftmost, context);
  for (const link of chain.reverse()) {
    if (REFUSING_NULL.has(link.operator)) for (const operand of [link.left, link.right]) refuseNull(link.operator, operand);
    result = callFunction(BINARY[link.operator], [result, analyzeExpr(link.right, context)], link.span);
  }
  return result;
}

function caseExpr({ operand, whens, otherwise, span }: ast.Case, context: Context): Expr {
  const subject = operand === null ? null : analyzeExpr(operand, context);
  const conditions = whens.map(({ when }) => {
    if (subject === null) return analyzeCondition(when, context, 'WHEN');
    return callFunction('$equal', [subject, analyzeExpr(when, context)], when.span);
  });
  const values = [...whens.map((w) => w.then), ...(otherwise === null ? [] : [otherwise])].map((e) => analyzeExpr(e, context));
  const { type, exprs } = unify(values, 'the results of CASE');
  return {
    kind: 'case',
    whens: conditions.map((when, i) => ({ when, then: exprs[i] ?? when })),
    otherwise: otherwise === null ? null : (exprs.at(-1) ?? null),
    type,
    span,
  };
}

function structExpr({ type, fields, span }: ast.StructLiteral, context: Context): Expr {
  const values = fields.map((f) => resolveDynamic(analyzeExpr(f.value, context)));
  if (type !== null) {
    const declared = typeFromRef(type);
    if (declared.kind !== 'STRUCT' || declared.fields.length !== values.length) {
      return fail(
        'type',
        span,
        `STRUCT<…> declares ${declared.kind === 'STRUCT' ? declared.fields.length : 0} fields, but gets ${values.length}`,
      );
    }
    return {
      kind: 'struct',
      fields: values.map((v, i) => coerce(v, declared.fields[i]?.type ?? v.type, `field ${i + 1} of the struct`)),
      type: declared,
      span,
    };
  }
  const named = fields.map((f, i) => ({ name: f.name?.name ?? impliedName(f.value), type: values[i]?.type ?? INT64 }));
  return { kind: 'struct', fields: values, type: structOf(named), span };
}

/** The analyzers for a value of which a field is read. */
const OF_FIELD: Partial<Analyzers> = { subscript: (node, context) => subscript(node, context, { fieldFollows: true }) };

function subscript({ of, mode, index, span }: ast.Subscript, context: Context, { fieldFollows = false } = {}): Expr {
  const value = analyzeExpr(of, context);
  const at = analyzeExpr(index, context);
  // Fields of an undeclared value are those of its first record.
  if (value.type.kind === 'DYNAMIC' && fieldFollows && at.kind === 'literal' && at.value === SAFE_FIRST[mode]) return value;
  if (value.type.kind === 'STRUCT') return structSubscript(value, at, mode, span);
  if (value.type.kind === 'JSON') return callFunction('$json_subscript', [value, at], span);
  if (value.type.kind !== 'ARRAY') {
    return fail('type', of.span, 'only arrays, structs and JSON can have a subscript', SUBSCRIPT_HINTS[value.type.kind]);
  }
  const name = {
    plain: '$offset',
    offset: '$offset',
    ordinal: '$ordinal',
    safe_offset: '$safe_offset',
    safe_ordinal: '$safe_ordinal',
    key: '',
    safe_key: '',
  }[mode];
  if (name === '') return fail('type', span, 'KEY is for maps, and an array has no keys', 'use OFFSET(i)');
  return callFunction(name, [value, at], span);
}

const SAFE_FIRST: Readonly<Partial<Record<ast.Subscript['mode'], bigint>>> = { safe_offset: 0n, safe_ordinal: 1n };

const SUBSCRIPT_HINTS: Readonly<Partial<Record<Type['kind'], string>>> = {
  STRING: 'use SUBSTR(text, position, 1)',
  DYNAMIC: 'UNNEST it; a field of its first record is array[SAFE_OFFSET(0)].field',
};

function structSubscript(value: Expr, at: Expr, mode: ast.Subscript['mode'], span: Span): Expr {
  const fields = value.type.kind === 'STRUCT' ? value.type.fields : [];
  if (at.kind !== 'literal' || typeof at.value !== 'bigint') return fail('type', at.span, 'the position in a struct must be a constant');
  const index = Number(at.value) - (mode === 'ordinal' ? 1 : 0);
  const type: Type | undefined = fields[index]?.type;
  if (type === undefined) return fail('type', at.span, `the struct has ${fields.length} fields, so there is no position ${at.value}`);
  return { kind: 'field', of: value, index, type, span };
}
