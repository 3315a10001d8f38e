// What becomes of a lowered statement before it is printed: the functions that it needs are defined, and what it repeats gets names.
import { quoteIdentifier } from '../../clickhouse/quote.ts';
import type { Check, NamedConstant, Select, SqlExpression, Statement } from './ast.ts';
import { withBareColumns } from './bare-columns.ts';
import { call, ident, iff, infix, lambda, lit, NULL, select } from './build.ts';
import { asCheck, asFunc } from './checks.ts';
import { defineHelper, eachNode, helperOf, helpersIn } from './helpers.ts';
import { mayFailHere } from './may-fail.ts';
import { nameRepeated } from './name-repeated.ts';
import { failingTest, printExpr, printStatement } from './print.ts';
import { rebuilt } from './rewrite.ts';

type FreshName = (base: string) => string;

const CHECKED = 'checked';

defineHelper(CHECKED, ['_value', '_failed', '_message'], (value, failed, message) =>
  iff(infix('=', failingTest(call('ifNull', failed, lit(false)), message, 'reached'), lit(0)), value, NULL),
);

/** Checks are shorter as calls from so many on: those of the statement, or those with the ones in the bodies of its helpers. */
const FEWEST_CHECKS = 2;
const FEWEST_IN_ALL = 4;

/** False where the check has more to say than the helper takes, or is of constants, whose parameters errors name. */
const mayBeCall = ({ value, otherwise, rows }: Check): boolean =>
  value !== null && rows === 'reached' && otherwise?.kind === 'lit' && otherwise.value === null;

const isOwn = (node: object): boolean => {
  const check = asCheck(node);
  return check !== undefined && check.as === undefined && mayBeCall(check);
};

/** Checks in the bodies of helpers, by their names. */
const inBodies = new Map<string, number>();

function checksInBody(name: string): number {
  const known = inBodies.get(name);
  if (known !== undefined) return known;
  let checks = 0;
  if (name !== CHECKED)
    eachNode(helperOf(name)?.body() ?? NULL, (node) => {
      if (isOwn(node)) checks++;
    });
  inBodies.set(name, checks);
  return checks;
}

/** Returns `tree` with calls in place of its checks: of their own helpers, and with `all` of the one for all others. */
const withCalls = <T extends object>(tree: T, all: boolean): T =>
  rebuilt(tree, (node) => {
    const check = asCheck(node);
    return check?.as ?? (check !== undefined && all && mayBeCall(check) ? callOf(check) : node);
  });

interface WithCheckCalls {
  readonly statement: Statement;
  /** Those that are called. */
  readonly helpers: readonly string[];
  /** True if a row may fail somewhere, so that a branch which is not taken must not be computed. */
  readonly mayFail: boolean;
}

/** Writes checks of rows as calls. */
export function withCheckCalls(statement: Statement): WithCheckCalls {
  let own = 0;
  let mayFail = false;
  const called = new Set<string>();
  eachNode(statement, (node) => {
    if (isOwn(node)) own++;
    mayFail ||= mayFailHere(node);
    called.add(asFunc(node)?.name ?? '');
  });
  const all = own >= FEWEST_CHECKS || own + [...called].reduce((sum, name) => sum + checksInBody(name), 0) >= FEWEST_IN_ALL;
  const written = withCalls(statement, all);
  const helpers = helpersIn(written);
  return { statement: written, helpers: all ? [CHECKED, ...helpers.filter((name) => name !== CHECKED)] : helpers, mayFail };
}

/**
 * Returns the statement in the form that is printed, and stored. `helpers` are those that it calls; `fresh` makes names that neither the query nor its
 * tables have.
 */
export function withDefinitions(statement: Statement, helpers: readonly string[], fresh: FreshName): Statement {
  if (helpers.length === 0) return withBareColumns(nameRepeated(statement, fresh));
  const calls = new Map(helpers.map((name) => [name, fresh(name)]));
  const renamed = <T extends object>(tree: T): T =>
    [...calls].every(([name, own]) => name === own)
      ? tree
      : rebuilt(tree, (node) => {
          const own = calls.get(asFunc(node)?.name ?? '');
          return own === undefined ? node : { ...node, name: own };
        });
  const definitions = helpers.map((helper): NamedConstant => {
    const { parameters = [], body = () => NULL } = helperOf(helper) ?? {};
    const written = helper === CHECKED || !calls.has(CHECKED) ? body() : withCalls(body(), true);
    return { name: calls.get(helper) ?? helper, value: lambda(parameters, renamed(written)), helper };
  });
  const named = nameRepeated(renamed(statement), fresh);
  const top = named.kind === 'select' ? named : selectFrom(named, fresh('q'));
  return withBareColumns({ ...top, constants: [...definitions, ...top.constants] });
}

/** WITH stands before a SELECT, not before a parenthesised set operation. */
function selectFrom(statement: Extract<Statement, { readonly kind: 'set' }>, alias: string): Select {
  const items = firstSelect(statement).items.map((item) => ({ value: ident(alias, item.alias), alias: item.alias }));
  const { with: ctes, recursive } = statement;
  return select(items, { kind: 'select', statement: { ...statement, with: [], recursive: false }, alias }, { with: ctes, recursive });
}

const firstSelect = (statement: Statement): Select =>
  statement.kind === 'select' ? statement : firstSelect(statement.inputs[0] as Statement); // a set operation has inputs

/** Returns the text of a statement without the functions that it defines, and the statements of ClickHouse that create them on a server. */
export function withFunctionsApart(statement: Statement): { readonly sql: string; readonly functions: readonly string[] } {
  if (statement.kind === 'set') return { sql: printStatement(statement), functions: [] };
  const functions = statement.constants.flatMap(({ helper, name, value }) =>
    helper === undefined ? [] : [`CREATE FUNCTION IF NOT EXISTS ${quoteIdentifier(name)} AS ${printExpr(value, '')}`],
  );
  const constants = statement.constants.filter(({ helper }) => helper === undefined);
  return { sql: printStatement({ ...statement, constants }), functions };
}

const callOf = ({ value, condition, message }: Check): SqlExpression =>
  call(CHECKED, value ?? NULL, withoutNullTest(condition), lit(message));

/** The helper takes NULL for FALSE itself. */
function withoutNullTest(condition: SqlExpression): SqlExpression {
  if (condition.kind !== 'func' || condition.name !== 'ifNull') return condition;
  const [inner, otherwise] = condition.args;
  return inner !== undefined && otherwise?.kind === 'lit' && otherwise.value === false ? inner : condition;
}
