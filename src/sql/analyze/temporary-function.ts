// CREATE TEMP FUNCTION: a call is replaced by the body with the arguments in place of the parameters.
// https://cloud.google.com/bigquery/docs/user-defined-functions#sql-udf-structure
import type * as ast from '../ast.ts';
import type { Expr } from '../resolved.ts';
import { coerce } from './coerce.ts';
import type { Context } from './context.ts';
import { analyzeExpr } from './expression.ts';
import { fail } from './fail.ts';
import { typeFromRef } from './type-ref.ts';

export function expandTemporaryFunction(definition: ast.FunctionDefinition, node: ast.Call, context: Context): Expr {
  const name = definition.name.name;
  if (node.over !== null || node.star || node.distinct)
    fail('type', node.span, `${name} is a temporary function: it takes plain arguments only`);
  const { analysis } = context;
  if (analysis.expanding.includes(name)) {
    fail(
      'unsupported',
      node.span,
      `temporary function ${name} calls itself (${[...analysis.expanding, name].join(' → ')})`,
      'BigQuery SQL functions can’t be recursive',
    );
  }
  if (node.args.length !== definition.parameters.length) {
    fail(
      'type',
      node.span,
      `${name} takes ${definition.parameters.length} arguments, here are ${node.args.length}`,
      `${name}(${definition.parameters.map((p) => p.name.name).join(', ')})`,
    );
  }
  const names = new Map<string, Expr>();
  for (const [i, parameter] of definition.parameters.entries()) {
    const given = node.args[i]?.value;
    if (given === undefined || given.kind === 'lambda') return fail('type', node.span, `argument ${i + 1} of ${name} can’t be a lambda`);
    const value = analyzeExpr(given, context);
    names.set(
      parameter.name.name.toLowerCase(),
      parameter.type === null ? value : coerce(value, typeFromRef(parameter.type), `argument ${parameter.name.name} of ${name}`),
    );
  }
  const body = analyzeExpr(definition.body, {
    ...context,
    analysis: { ...analysis, expanding: [...analysis.expanding, name] },
    // The body sees its own parameters only, not the columns around the call.
    scope: {
      tables: [],
      names,
      parent: null,
      closed: `a temporary function sees only its parameters: ${definition.parameters.map((p) => p.name.name).join(', ') || 'none'}`,
    },
    ctes: new Map(),
  });
  return definition.returns === null ? body : coerce(body, typeFromRef(definition.returns), `the result of ${name}`);
}
