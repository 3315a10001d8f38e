// What becomes of a lowered statement before it is printed: the functions that it needs are defined, and what it repeats gets names.
import type { Check, NamedConstant, Select, SqlExpression, Statement } from './ast.ts';
import { call, ident, iff, infix, lambda, lit, NULL, select } from './build.ts';
import { asCheck, asFunc } from './checks.ts';
import { defineHelper, eachNode, helperOf, helpersIn, withoutHelpers } from './helpers.ts';
import { nameRepeated } from './name-repeated.ts';
import { printStatement } from './print.ts';
import { rebuilt } from './rewrite.ts';

/** `with`: functions and names in WITH (the default); `inline`: neither, for grammars that have no `WITH expression AS name`. */
export type HelperStyle = 'with' | 'inline';

type FreshName = (base: string) => string;

const CHECKED = 'checked';
const CHECKED_CONSTANT = 'checked_constant';

const test = (failed: SqlExpression, message: SqlExpression): SqlExpression => call('throwIf', call('ifNull', failed, lit(false)), message);

defineHelper(CHECKED, ['_value', '_failed', '_message'], (value, failed, message) =>
  iff(infix('=', test(failed, message), lit(0)), value, NULL),
);
defineHelper(CHECKED_CONSTANT, ['_value', '_failed', '_message'], (value, failed, message) =>
  iff(infix('=', call('toUInt8', iff(failed, message, lit('0'))), lit(0)), value, NULL),
);

/** Checks are shorter as calls from so many on. */
const FEWEST_CHECKS = 2;

/** Which helper writes the check; none where the check has more to say than the helper takes. */
export function helperOfCheck(check: Check): string | undefined {
  if (check.value === null || check.otherwise.kind !== 'lit' || check.otherwise.value !== null || check.rows === 'all') return undefined;
  return check.rows === 'constant' ? CHECKED_CONSTANT : CHECKED;
}

/** Returns the statement in the form that is printed, and stored. `fresh` makes names that neither the query nor its tables have. */
export function withDefinitions(statement: Statement, style: HelperStyle, fresh: FreshName): Statement {
  if (style === 'inline') return withoutHelpers(statement);
  const checks = new Map<string, number>();
  eachNode(statement, (node) => {
    const check = asCheck(node);
    const name = check && helperOfCheck(check);
    if (name !== undefined) checks.set(name, (checks.get(name) ?? 0) + 1);
  });
  const names = [...[...checks].filter(([, times]) => times >= FEWEST_CHECKS).map(([name]) => name), ...helpersIn(statement)];
  if (names.length === 0) return nameRepeated(statement, fresh);
  const calls = new Map(names.map((name) => [name, fresh(name)]));
  const renamed = <T extends object>(tree: T): T =>
    [...calls].every(([name, own]) => name === own)
      ? tree
      : rebuilt(tree, (node) => {
          const own = calls.get(asFunc(node)?.name ?? '');
          return own === undefined ? node : { ...node, name: own };
        });
  const definitions = names.map((helper): NamedConstant => {
    const { parameters = [], body } = helperOf(helper) ?? {};
    return { name: calls.get(helper) ?? helper, value: lambda(parameters, renamed(body?.() ?? NULL)), helper };
  });
  const named = nameRepeated(renamed(statement), fresh);
  const top = named.kind === 'select' ? named : selectFrom(named, fresh('q'));
  return { ...top, constants: [...definitions, ...top.constants] };
}

/** WITH stands before a SELECT, not before a parenthesised set operation. */
function selectFrom(statement: Extract<Statement, { readonly kind: 'set' }>, alias: string): Select {
  const items = firstSelect(statement).items.map((item) => ({ value: ident(alias, item.alias), alias: item.alias }));
  const { with: ctes, recursive } = statement;
  return select(items, { kind: 'select', statement: { ...statement, with: [], recursive: false }, alias }, { with: ctes, recursive });
}

const firstSelect = (statement: Statement): Select =>
  statement.kind === 'select' ? statement : firstSelect(statement.inputs[0] as Statement); // a set operation has inputs

/** Returns the text of a statement; its checks are calls where it defines the function for them. */
export function writeQuery(statement: Statement): string {
  const names = new Map(
    statement.kind === 'set'
      ? []
      : statement.constants.flatMap(({ helper, name }) => (helper === undefined ? [] : [[helper, name] as const])),
  );
  if (!names.has(CHECKED) && !names.has(CHECKED_CONSTANT)) return printStatement(statement);
  return printStatement(
    rebuilt(statement, (node) => {
      const check = asCheck(node);
      const name = check && names.get(helperOfCheck(check) ?? '');
      return check === undefined || name === undefined ? node : callOf(check, name);
    }),
  );
}

const callOf = ({ value, condition, message }: Check, name: string): SqlExpression =>
  call(name, value ?? NULL, withoutNullTest(condition), lit(message));

/** The helper takes NULL for FALSE itself. */
function withoutNullTest(condition: SqlExpression): SqlExpression {
  if (condition.kind !== 'func' || condition.name !== 'ifNull') return condition;
  const [inner, otherwise] = condition.args;
  return inner !== undefined && otherwise?.kind === 'lit' && otherwise.value === false ? inner : condition;
}
