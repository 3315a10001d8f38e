// CREATE FUNCTION: a call is replaced by the body with the arguments in place of the parameters.
// https://cloud.google.com/bigquery/docs/user-defined-functions#sql-udf-structure
import type { SourceText, Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import { foldExpr } from '../../functions/fold.ts';
import type { Expr } from '../../logical/nodes.ts';
import { hasSubquery, rewriteExpr, visit } from '../../logical/walk.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import { insideAggregate, refuseAggregate } from '../calls/aggregate-call.ts';
import { coerceToDeclared } from '../calls/coerce.ts';
import { typeFromRef } from '../calls/type-ref.ts';
import type { Context, FunctionBody } from '../context.ts';
import { columnRef } from '../names/scope.ts';
import { inFile } from './library.ts';
import { refuseMiscall } from './own-functions.ts';

/** The most nodes of one expanded call: functions that call each other twice grow without end otherwise. */
const MAX_EXPANSION = 50_000;

/** Expands a function that the text itself defines. */
export function expandTemporaryFunction(definition: ast.FunctionDefinition, node: ast.Call, context: Context): Expr {
  return expandCall(definition, node, context, (args) => analyzeBody(definition, args, context));
}

/** Expands a function of a file: errors in it are shown there; it sees neither the text's definitions nor parameters of the query. */
export function expandLibraryFunction(definition: ast.FunctionDefinition, source: SourceText, node: ast.Call, context: Context): Expr {
  const { options, ...analysis } = context.analysis;
  const inner: Context = { ...context, analysis: { ...analysis, options: { ...options, parameters: {} }, temporaryFunctions: new Map() } };
  return expandCall(definition, node, context, (args) => {
    const body = inFile(source, () => analyzeBody(definition, args, inner));
    // Places in the file mean nothing in the text of the query.
    return { ...body, value: rewriteExpr(body.value, (e) => ({ ...e, span: node.span })) };
  });
}

function expandCall(
  definition: ast.FunctionDefinition,
  node: ast.Call,
  context: Context,
  analyze: (args: readonly Expr[]) => FunctionBody,
): Expr {
  const name = definition.name.name;
  if (node.over !== null || node.star || node.distinct)
    fail('type', node.span, `${name} is a SQL function of your own, so it takes plain arguments only`);
  if (node.safe)
    fail('type', node.span, `SAFE. is for BigQuery’s functions, and ${name} is one of your own`, 'write SAFE. inside its body');
  const { analysis } = context;
  refuseMiscall(definition, node, analysis.expanding);
  if (definition.aggregates) refuseAggregate(name, context, node.span);
  const around = definition.aggregates ? insideAggregate(name, context) : context;
  const args = definition.parameters.map((parameter, i): Expr => {
    const given = node.args[i]?.value;
    if (given === undefined || given.kind === 'lambda') return fail('type', node.span, `argument ${i + 1} of ${name} can’t be a lambda`);
    const value = analyzeExpr(given, around);
    return parameter.type === null
      ? value
      : coerceToDeclared(value, typeFromRef(parameter.type), `argument ${parameter.name.name} of ${name}`);
  });
  const known = analysis.functionBodies.get(definition);
  const body = known ?? analyze(args);
  // A body whose types depend on the arguments, or which has relations with columns of their own, is another one at each call.
  if (known === undefined && definition.parameters.every((p) => p.type !== null) && !hasSubquery(body.value))
    analysis.functionBodies.set(definition, body);
  const values = new Map(body.parameters.map((column, i) => [column.id, args[i]]));
  refuseLarge(body, args, name, node.span);
  return rewriteExpr(body.value, (e) => foldExpr(e.kind === 'column' ? (values.get(e.column.id) ?? e) : e));
}

function analyzeBody(definition: ast.FunctionDefinition, args: readonly Expr[], context: Context): FunctionBody {
  const { analysis } = context;
  const name = definition.name.name;
  const parameters = definition.parameters.map((p, i) =>
    analysis.newColumn(p.name.name, p.type === null ? (args[i]?.type ?? { kind: 'DYNAMIC' }) : typeFromRef(p.type)),
  );
  const names = new Map(
    parameters.map((column, i): [string, Expr] => [
      column.name.toLowerCase(),
      columnRef(column, definition.parameters[i]?.name.span ?? definition.name.span),
    ]),
  );
  const written = analyzeExpr(definition.body, {
    ...context,
    analysis: { ...analysis, expanding: [...analysis.expanding, name] },
    noAggregates: definition.aggregates ? null : 'a function that is not created as AGGREGATE FUNCTION',
    // The body sees its own parameters only, not the columns around the call.
    scope: {
      tables: [],
      names,
      parent: null,
      closed: `the body of a function sees only its parameters: ${definition.parameters.map((p) => p.name.name).join(', ') || 'none'}`,
    },
    ctes: new Map(),
  });
  const value = definition.returns === null ? written : coerceToDeclared(written, typeFromRef(definition.returns), `the result of ${name}`);
  // A call would not make one row of a group.
  if (definition.aggregates && !hasAggregate(value))
    fail('type', definition.name.span, `the aggregate function ${name} has no aggregate in its body`, 'leave out AGGREGATE');
  return { parameters, value, size: sizeOf(value), uses: countUses(value) };
}

/** Counts how often `value` reads each column. */
function countUses(value: Expr): ReadonlyMap<number, number> {
  const uses = new Map<number, number>();
  visit({ value }, (e) => {
    if (e.kind === 'column') uses.set(e.column.id, (uses.get(e.column.id) ?? 0) + 1);
  });
  return uses;
}

function hasAggregate(value: Expr): boolean {
  let found = false;
  visit({ value }, (e) => {
    found ||= e.kind === 'aggregate';
  });
  return found;
}

function sizeOf(value: Expr): number {
  let size = 0;
  visit({ value }, () => {
    size++;
  });
  return size;
}

/** Every place of a parameter gets the same argument, so the size is known before anything walks the result. */
function refuseLarge(body: FunctionBody, args: readonly Expr[], name: string, span: Span): void {
  const size = body.parameters.reduce((sum, column, i) => {
    const arg = args[i];
    return sum + (arg === undefined ? 0 : sizeOf(arg) * (body.uses.get(column.id) ?? 0));
  }, body.size);
  if (size > MAX_EXPANSION)
    fail(
      'too-complex',
      span,
      `this call of ${name} makes more than ${MAX_EXPANSION} expressions`,
      'compute the arguments in a WITH query first',
    );
}
