// Finds the statements of a text that are reached, before anything runs: IF and CASE are decided where their conditions are known, and EXECUTE IMMEDIATE is
// replaced by the statement in its text.

import { didYouMean, QuernError } from '../../../base/errors.ts';
import type { Span } from '../../../base/source-text.ts';
import { positionOf } from '../../base/positional.ts';
import type { Assignment, Expr, Identifier, Query, Statement } from '../ast.ts';
import { placedAt } from '../placed-at.ts';
import { selectAll } from '../select-all.ts';
import { type Constant, constantOf } from './constant.ts';
import type { Choice, Execution, Plain, Step } from './parse-control.ts';

/** Returns the statements in the order in which they are reached. Throws `unsupported` where that is not known ahead. */
export function readAhead(steps: readonly Step[], parseExecuted: (text: string) => Plain): readonly Plain[] {
  if (steps.every(isPlain)) return steps;
  const reader = new AheadReader(parseExecuted);
  reader.read(steps);
  return reader.reached;
}

const isPlain = (step: Step): step is Plain =>
  step.kind !== 'choice' && step.kind !== 'execute' && step.kind !== 'raise' && step.kind !== 'return';

/** The most characters of all texts that are executed: each is parsed. */
const MOST_EXECUTED = 1_000_000;

interface Variable {
  /** The name of the type; null where the value alone says it. */
  readonly type: string | null;
  readonly value: Constant | undefined;
}

class AheadReader {
  readonly reached: Plain[] = [];
  readonly #parseExecuted: (text: string) => Plain;
  readonly #variables = new Map<string, Variable>();
  #hidden = 0;
  #executed = 0;

  constructor(parseExecuted: (text: string) => Plain) {
    this.#parseExecuted = parseExecuted;
  }

  /** Returns whether the statements behind these are reached too. */
  read(steps: readonly Step[]): boolean {
    return steps.every((step) => this.#readStep(step));
  }

  #readStep(step: Step): boolean {
    switch (step.kind) {
      case 'choice':
        return this.#choose(step);
      case 'execute':
        this.#execute(step);
        return true;
      case 'return':
        return false;
      case 'raise': {
        const message = step.message === null ? undefined : this.#constant(step.message);
        throw new QuernError('data', typeof message === 'string' ? message : 'the text raises an error', { span: step.span });
      }
      case 'declare':
        for (const { name } of step.names) {
          const value = step.value === null ? null : this.#constant(step.value);
          this.#variables.set(name.toLowerCase(), { type: step.type?.name ?? null, value: ofType(value, step.type?.name ?? null) });
        }
        break;
      case 'set':
        this.#assign(step, (value) => this.#constant(value));
        break;
      default:
    }
    this.reached.push(step);
    return true;
  }

  #constant(expr: Expr): Constant | undefined {
    return constantOf(expr, (name) => this.#variables.get(name)?.value);
  }

  /** Notes what the variables are behind a SET. */
  #assign({ names, each, value }: Assignment, constant: (value: Expr) => Constant | undefined): void {
    const values = each ? names.map((_, i) => (value.kind === 'struct' ? value.fields[i]?.value : undefined)) : [value];
    const found = values.map((one) => (one === undefined ? undefined : constant(one)));
    for (const [i, { name }] of names.entries()) {
      const type = this.#variables.get(name.toLowerCase())?.type ?? null;
      this.#variables.set(name.toLowerCase(), { type, value: ofType(found[i], type) });
    }
  }

  #choose({ whens, otherwise, span }: Choice): boolean {
    for (const [i, { condition, steps }] of whens.entries()) {
      const holds = this.#constant(condition);
      if (holds === true) return this.read(steps);
      if (holds === false || holds === null) continue;
      this.#guard({ whens: whens.slice(i), otherwise, span }, undefined);
      return true;
    }
    return this.read(otherwise);
  }

  /**
   * Reads a choice whose conditions only the run decides: variables get the value that is right whichever holds. A condition is computed once, before
   * any of the variables changes, and only where those before it do not hold.
   */
  #guard({ whens, otherwise }: Omit<Choice, 'kind'>, around: Expr | undefined): void {
    const before: Expr[] = around === undefined ? [] : [{ kind: 'is_test', operand: around, test: 'TRUE', not: true, span: around.span }];
    for (const { condition, steps } of whens) {
      const holds = this.#hide(chosen(before, condition, condition.span), condition.span);
      before.push(holds);
      this.#guardSteps(steps, holds, condition);
    }
    const [{ condition } = { condition: undefined }] = whens;
    if (condition === undefined || otherwise.length === 0) return;
    const { span } = condition;
    this.#guardSteps(otherwise, this.#hide(chosen(before, { kind: 'bool_literal', value: true, span }, span), span), condition);
  }

  #guardSteps(steps: readonly Step[], holds: Expr, condition: Expr): void {
    for (const step of steps) {
      if (step.kind === 'set') {
        this.reached.push(guarded(step, holds));
        this.#assign(step, () => undefined);
      } else if (step.kind === 'choice') this.#guard(step, holds);
      else
        throw new QuernError('unsupported', 'which statements are reached depends on this condition, which only the run can decide', {
          span: condition.span,
          hint: 'conditions of literals, and of variables that are set to such, choose among queries; write others in the query, as CASE or in WHERE, or save two queries',
        });
    }
  }

  /** Declares a variable that no text can name, and returns the expression that reads it. */
  #hide(value: Expr, span: Span): Expr {
    this.#hidden += 1;
    const name: Identifier = { kind: 'identifier', name: `value ${this.#hidden} of the text`, quoted: true, span };
    this.reached.push({ kind: 'declare', names: [name], type: null, value, span });
    return { kind: 'path', parts: [name], span };
  }

  #execute(step: Execution): void {
    const { text, into, span } = step;
    const value = this.#constant(text);
    if (value === null) throw new QuernError('data', 'the text of EXECUTE IMMEDIATE is NULL', { span: text.span });
    if (typeof value !== 'string')
      throw new QuernError('unsupported', 'the text of EXECUTE IMMEDIATE must be known before the query runs', {
        span: text.span,
        hint: 'it may join literals, and variables that are set to such, by ||, CONCAT, FORMAT and REPLACE; give other values with USING',
      });
    this.#executed += value.length;
    if (this.#executed > MOST_EXECUTED)
      throw new QuernError('too-complex', `the texts of EXECUTE IMMEDIATE have more than ${MOST_EXECUTED} characters`, { span });
    const parsed = this.#parseExecuted(value);
    const statement = placedAt(span, parsed, this.#parameters(step, value));
    if (into.length === 0) {
      this.#readStep(statement);
      return;
    }
    if (statement.kind !== 'result')
      throw new QuernError('type', 'INTO takes the values of a query', { span, hint: 'leave out INTO, or write a SELECT in the text' });
    this.#readStep(assignment(into, statement.query, span));
  }

  /** Returns the expressions that stand for the parameters of an executed text, each computed once, where names mean what they mean outside of it. */
  #parameters({ using, span }: Execution, text: string): Parameters<typeof placedAt>[2] {
    const names = using.map(({ name }, i) => name?.name.toLowerCase() ?? i + 1);
    const values = new Map(
      using.map(({ value }, i) => [names[i], value.kind.endsWith('_literal') ? value : this.#hide(value, value.span)] as const),
    );
    const known = names.filter((name) => typeof name === 'string');
    if (known.length > 0 && known.length < names.length)
      throw new QuernError('parameter', 'USING names some of its values, and not the others', {
        span,
        hint: 'write AS name behind each, or none',
      });
    return (parameter) => {
      const position = positionOf(parameter.name);
      const value = values.get(position ?? parameter.name.toLowerCase());
      if (value !== undefined) return value;
      if (position === undefined && using.length === 0) return { ...parameter, span };
      const called = position === undefined ? `@${parameter.name}` : `parameter ${position}`;
      throw new QuernError('parameter', `${called} has no value`, {
        span: parameter.span,
        source: { name: 'EXECUTE IMMEDIATE', text },
        hint: position === undefined ? didYouMean(parameter.name, known) : 'USING has one value for each ?',
      });
    };
  }
}

/** Types whose values are what a literal says; for others, such as DATE, a text is converted. */
const AS_WRITTEN: Readonly<Record<string, string>> = { STRING: 'string', INT64: 'bigint', FLOAT64: 'number', BOOL: 'boolean' };

function ofType(value: Constant | undefined, type: string | null): Constant | undefined {
  if (value === null || value === undefined || type === null) return value;
  if (type === 'FLOAT64' && typeof value === 'bigint') return Number(value);
  return AS_WRITTEN[type] === typeof value ? value : undefined;
}

/** `CASE WHEN before THEN FALSE … ELSE condition END`: `before` are the conditions that rule this one out. */
const chosen = (before: readonly Expr[], condition: Expr, span: Span): Expr => ({
  kind: 'case',
  operand: null,
  whens: before.map((when) => ({ when, then: { kind: 'bool_literal', value: false, span } })),
  otherwise: condition,
  span,
});

/** `SET x = CASE WHEN holds THEN value ELSE x END`. */
function guarded(step: Assignment, holds: Expr): Statement {
  const { names, each, value, span } = step;
  const own = names.map((name): Expr => ({ kind: 'path', parts: [name], span: name.span }));
  const [first] = own;
  const fields = own.map((path) => ({ value: path, name: null }));
  const now: Expr | undefined = each && names.length > 1 ? { kind: 'struct', type: null, fields, span } : first;
  return {
    ...step,
    value: { kind: 'case', operand: null, whens: [{ when: holds, then: value }], otherwise: now ?? null, span },
  };
}

/** `SET a = (query)`, and for several names `SET (a, b) = (SELECT AS STRUCT * FROM (query))`. */
function assignment(names: readonly Identifier[], query: Query, span: Span): Assignment {
  const none = { recursive: false, ctes: [], orderBy: [], limit: null, offset: null, pipes: [], span } as const;
  const body = selectAll({ from: { kind: 'table_subquery', query, alias: null, operators: [], span }, as: 'STRUCT', span });
  const each = names.length > 1;
  const whole: Query = each ? { kind: 'query', ...none, body } : query;
  return { kind: 'set', names, each, value: { kind: 'subquery', mode: 'scalar', query: whole, span }, span };
}
