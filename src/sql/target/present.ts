// Conditions on entries of maps that may be absent. An absent entry reads as '', and what tells it from one that is empty costs more than to read it:
// the conditions here do not hold for '', so that they need not ask.
import { isAggregate } from '../../clickhouse/functions.ts';
import type { Func, Infix, NamedConstant, Select, SqlExpression, Statement } from './ast.ts';
import { NULL } from './build.ts';
import { asFunc, ENTRY_TEST, factsOf, isStatement, nameOf } from './checks.ts';
import { eachNode } from './helpers.ts';
import { type KnownValue, knownValue } from './known-value.ts';
import { rebuilt } from './rewrite.ts';

type Parameters = ReadonlyMap<string, KnownValue>;
export const NO_PARAMETERS: Parameters = new Map();

/** Returns the statement where filters, conditional counts and CASE do not test for absent entries if that changes nothing. */
export function withoutAbsence(statement: Statement, parameters: Parameters): Statement {
  if ((factsOf(statement)(statement) & ENTRY_TEST) === 0) return statement;
  const named = new Map<string, SqlExpression>();
  eachNode(statement, (node) => {
    if (isSelect(node)) for (const { name, value } of node.constants) named.set(name, value);
  });
  const conditions = new Conditions(named, parameters);
  return rebuilt(statement, (node) => (isSelect(node) ? conditions.ofSelect(node) : conditions.ofFunc(node)));
}

const HAS_KEY = 'mapContains';
const isSelect = (node: object): node is Select => isStatement(node) && node.kind === 'select';
const isChoice = (name: string): boolean => name === 'if' || name === 'multiIf';

type Test = (known: KnownValue | undefined) => boolean;

const isText: Test = (known) => typeof known === 'string' && known !== '';

/** A character that must be there: a plain one, `.` or an escaped sign. */
const CHARACTER = String.raw`(?:[^\\|?*+{}()[\]^$]|\\[^A-Za-z0-9])\+?`;
const ALTERNATIVE = String.raw`[\^$]*${CHARACTER}(?:[\^$]|${CHARACTER})*`;
/** Patterns each of whose alternatives has such a character. */
const FINDS_SOMETHING = new RegExp(String.raw`^(?:\(\?-s\))?${ALTERNATIVE}(?:\|${ALTERNATIVE})*$`);

/** The operators and functions with a text or pattern on the right, and whether they are known not to hold for ''. */
const COMPARISONS: Readonly<Record<string, Test>> = {
  '=': isText,
  LIKE: (known) => typeof known === 'string' && /[^%]/.test(known),
};
const SEARCHES: Readonly<Record<string, Test>> = {
  match: (known) => typeof known === 'string' && FINDS_SOMETHING.test(known),
  startsWith: isText,
  endsWith: isText,
};

/** Conditions for which NULL and FALSE mean the same. */
class Conditions {
  private readonly named: ReadonlyMap<NamedConstant['name'], SqlExpression>;
  private readonly parameters: Parameters;

  constructor(named: ReadonlyMap<NamedConstant['name'], SqlExpression>, parameters: Parameters) {
    this.named = named;
    this.parameters = parameters;
  }

  ofSelect(select: Select): Select {
    const [where, having] = [select.where, select.having].map((condition) => condition && this.condition(condition));
    return where === select.where && having === select.having ? select : { ...select, where: where ?? null, having: having ?? null };
  }

  ofFunc(node: object): object {
    const func = asFunc(node);
    if (func === undefined) return node;
    const last = func.args.length - 1;
    const isConditional = isAggregate(func.name) && func.name.endsWith('If');
    const isCondition = (at: number): boolean => (isChoice(func.name) ? at % 2 === 0 && at < last : isConditional && at === last);
    const args = func.args.map((arg, at) => (isCondition(at) ? this.condition(arg) : arg));
    return args.every((arg, at) => arg === func.args[at]) ? func : ({ ...func, args } satisfies Func);
  }

  private condition(condition: SqlExpression): SqlExpression {
    switch (condition.kind) {
      case 'in': {
        const { operand, items, not } = condition;
        if (not || 'kind' in items || !items.every((item) => isText(this.known(item)))) return condition;
        const entry = this.entryOf(operand);
        return entry === undefined ? condition : { ...condition, operand: entry };
      }
      case 'func': {
        const [value = NULL, pattern = NULL, ...others] = condition.args;
        const isFalse = pattern.kind === 'lit' && pattern.value === false;
        if (condition.name === 'ifNull' && isFalse) return { ...condition, args: [this.condition(value), pattern] };
        const entry = SEARCHES[condition.name]?.(this.known(pattern)) === true ? this.entryOf(value) : undefined;
        return entry === undefined ? condition : { ...condition, args: [entry, pattern, ...others] };
      }
      case 'infix': {
        const { operator, left, right } = condition;
        if (operator === 'AND' || operator === 'OR') return this.terms(condition);
        const entry = COMPARISONS[operator]?.(this.known(right)) === true ? this.entryOf(left) : undefined;
        return entry === undefined ? condition : { ...condition, left: entry };
      }
      default:
        return condition;
    }
  }

  /** Chains lean left, so they are unwound instead of recursing once per term. */
  private terms(chain: Infix): SqlExpression {
    const { operator } = chain;
    const terms: SqlExpression[] = [];
    let leftmost: SqlExpression = chain;
    for (; leftmost.kind === 'infix' && leftmost.operator === operator; leftmost = leftmost.left) terms.push(leftmost.right);
    terms.push(leftmost);
    const written = terms.map((term) => this.condition(term));
    return written.every((term, i) => term === terms[i])
      ? chain
      : written.reduceRight((before, term) => ({ kind: 'infix', operator, left: before, right: term }));
  }

  /** Returns the entry of a map that is NULL where the map has no such key. */
  private entryOf(value: SqlExpression): SqlExpression | undefined {
    const choice = asFunc(this.valueOf(value));
    const [absent, none, entry] = choice?.name === 'if' ? choice.args : [];
    const isAbsent = absent?.kind === 'infix' && absent.operator === 'AND' ? absent.right : undefined;
    const test = isAbsent?.kind === 'prefix' ? asFunc(isAbsent.operand)?.name : undefined;
    return test === HAS_KEY && none?.kind === 'lit' && none.value === null ? entry : undefined;
  }

  private known(value: SqlExpression): KnownValue | undefined {
    return knownValue(this.valueOf(value), { parameters: this.parameters, constants: new Map() });
  }

  /** Returns what a name in WITH stands for; other expressions as they are. */
  private valueOf(node: SqlExpression): SqlExpression {
    return this.named.get(nameOf(node) ?? '') ?? node;
  }
}
