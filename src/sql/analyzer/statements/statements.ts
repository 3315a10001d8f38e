// The statements before the query: names of variables come to mean expressions, tables become WITH tables, each as it is when its statement is reached.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/procedural-language
import { didYouMean } from '../../../base/errors.ts';
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import { INT64, type Type } from '../../base/types.ts';
import type { Expr } from '../../logical/nodes.ts';
import { holdsVolatile } from '../../logical/volatile.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import { coerceToDeclared, resolveDynamic } from '../calls/coerce.ts';
import { typeFromRef } from '../calls/type-ref.ts';
import { analyzeCtes } from '../clauses/ctes.ts';
import { atPlace, type Context } from '../context.ts';
import type { Variable } from '../names/scope.ts';
import { variableOf } from './variable.ts';

type Variables = ReadonlyMap<string, Variable>;

/** Returns the place behind the statements of a script: `outer` with their variables and tables. */
export function analyzeStatements({ statements }: ast.Script, outer: Context): Context {
  let context = outer;
  for (const statement of statements) context = afterStatement(statement, context);
  return context;
}

function afterStatement(statement: ast.Statement, context: Context): Context {
  switch (statement.kind) {
    case 'declare':
      return withVariables(declared(statement, context), context);
    case 'set':
      return withVariables(assigned(statement, context), context);
    case 'create_table':
      return { ...context, ctes: withTable(statement.table, context) };
    case 'drop_table': {
      const ctes = new Map(context.ctes);
      ctes.delete(statement.name.name.toLowerCase());
      return { ...context, ctes };
    }
  }
}

function withTable(table: ast.Cte, context: Context): Context['ctes'] {
  const ctes = new Map(analyzeCtes({ ctes: [table], recursive: false }, context));
  const { name } = table.name;
  const created = ctes.get(name.toLowerCase());
  if (created === undefined) return ctes;
  const rel = context.analysis.ctes.find(({ id }) => id === created.id)?.rel;
  return ctes.set(name.toLowerCase(), { ...created, calledAs: name.split('.').at(-1) ?? name, volatile: holdsVolatile({ rel }) });
}

const variablesOf = ({ scope }: Context): Variables => scope.variables ?? new Map();

function withVariables(more: Variables, context: Context): Context {
  const variables = new Map([...variablesOf(context), ...more]);
  return { ...context, scope: { ...context.scope, variables } };
}

function declared({ names, type, value, span }: ast.Declaration, context: Context): Variables {
  const found = new Map<string, Variable>();
  const wanted = type === null ? undefined : typeFromRef(type);
  for (const { name, span: at } of names) {
    const key = name.toLowerCase();
    if (variablesOf(context).has(key) || found.has(key))
      fail('type', at, `${name} is declared twice`, `to change its value, write SET ${name} = …`);
    const make = (): Expr =>
      value === null
        ? { kind: 'literal', value: null, type: wanted ?? INT64, span }
        : assignedTo(name, wanted, analyzeExpr(value, atPlace('DEFAULT', context)));
    found.set(key, variableOf(name, make));
  }
  return found;
}

function assigned({ names, each, value, span }: ast.Assignment, context: Context): Variables {
  const variables = variablesOf(context);
  const inner = atPlace('SET', context);
  const found = new Map<string, Variable>();
  for (const [i, { name, span: at }] of names.entries()) {
    const { type } = variables.get(name.toLowerCase()) ?? unknownVariable(name, at, variables);
    if (found.has(name.toLowerCase())) fail('type', at, `SET names ${name} twice`);
    const make = (): Expr => {
      const whole = analyzeExpr(value, inner);
      return assignedTo(name, type, each ? partOf(whole, i, names.length, span) : whole);
    };
    found.set(name.toLowerCase(), variableOf(name, make));
  }
  return found;
}

const assignedTo = (name: string, type: Type | undefined, value: Expr): Expr =>
  type === undefined ? resolveDynamic(value) : coerceToDeclared(value, type, `the value of ${name}`);

/** Returns field `index` of the value of `SET (a, b) = …`. */
function partOf(value: Expr, index: number, count: number, span: Span): Expr {
  const fields = value.type.kind === 'STRUCT' ? value.type.fields : [];
  const type = fields[index]?.type;
  // One name in parentheses takes the value itself.
  if (count === 1 && value.type.kind !== 'STRUCT') return value;
  if (fields.length !== count || type === undefined)
    return fail('type', span, `SET names ${count} variables, but gives ${fields.length || 1} values`, 'write SET (a, b) = (1, 2)');
  return value.kind === 'struct' ? (value.fields[index] ?? value) : { kind: 'field', of: value, index, type, span: value.span };
}

function unknownVariable(name: string, span: Span, variables: Variables): never {
  const hint = didYouMean(name, [...variables.keys()]) ?? `declare it first: DECLARE ${name} INT64;`;
  return fail('unknown-column', span, `there is no variable ${name}`, hint);
}
