// Functions that a query defines in its first WITH: what BigQuery does and ClickHouse has no function for. ClickHouse takes lambdas there, and
// puts their bodies in place of the calls. https://clickhouse.com/docs/sql-reference/statements/select/with
import { spend } from '../base/budget.ts';
import type { Ident, SqlExpression } from './ast.ts';
import { call, ident } from './build.ts';
import { asCheck, asFunc } from './checks.ts';
import { isShape, rebuilt } from './rewrite.ts';

interface Helper {
  readonly parameters: readonly string[];
  body(): SqlExpression;
  readonly brief?: Brief;
}

/** Shorter forms for texts that people read. */
interface Brief {
  /** Returns what the helper is of its arguments. */
  of(...values: readonly SqlExpression[]): SqlExpression;
  /** The same, but for `words` that may stand for a NULL; undefined where there is no such form of these arguments. */
  readonly loose?: { readonly words: readonly string[]; of(...values: readonly SqlExpression[]): SqlExpression | undefined };
  /** What is other than it was, in words for users. */
  readonly note?: string;
}

type Values<P extends readonly string[]> = { readonly [K in keyof P]: SqlExpression };

const HELPERS = new Map<string, Helper>();

/**
 * Defines a helper, and returns what writes its calls. Parameters, and names that the body binds, must be none that a query has: they begin with
 * an underscore.
 */
export function defineHelper<const P extends readonly `_${string}`[]>(
  name: string,
  parameters: P,
  body: (...values: Values<P>) => SqlExpression,
  brief?: Brief,
): (...args: Values<P>) => SqlExpression {
  let written: SqlExpression | undefined;
  HELPERS.set(name, {
    parameters,
    ...(brief === undefined ? {} : { brief }),
    body() {
      written ??= body(...(parameters.map((parameter) => ident(parameter)) as unknown as Values<P>)); // one for each
      return written;
    },
  });
  return (...args) => call(name, ...args);
}

/** Returns the shorter form of a helper, as a body over its parameters; its own body where it has none. */
export const briefBody = ({ parameters, body, brief }: Helper): SqlExpression =>
  brief === undefined ? body() : brief.of(...parameters.map((parameter) => ident(parameter)));

/** A text that has one of `words` where the value that it stands for is NULL. */
interface LooseText {
  readonly text: SqlExpression;
  readonly words: readonly string[];
}

/** Returns such a text for a call of a helper that has one. */
export function looseTextOf(value: SqlExpression): LooseText | undefined {
  if (value.kind !== 'func') return undefined;
  const loose = HELPERS.get(value.name)?.brief?.loose;
  const text = loose?.of(...value.args);
  return loose && text && { text, words: loose.words };
}

export const helperOf = (name: string): Helper | undefined => HELPERS.get(name);

/** The body of a helper that `node` calls. */
const bodyOf = (node: object): SqlExpression | undefined => HELPERS.get(asFunc(node)?.name ?? '')?.body();

/** True if `test` holds of a node in the body of the helper that `node` calls. */
export function helperHas(node: object, test: (part: object) => boolean): boolean {
  const body = bodyOf(node);
  let found = false;
  if (body !== undefined) eachNode(body, (part) => (found ||= test(part) || helperHas(part, test)));
  return found;
}

/** Returns `tree` with the bodies of helpers in place of their calls. */
export function withoutHelpers<T extends object>(tree: T): T {
  if (helpersIn(tree).length === 0) return tree;
  return rebuilt(tree, (node) => {
    const func = asFunc(node);
    const helper = HELPERS.get(func?.name ?? '');
    if (asCheck(node)?.as !== undefined) return { ...node, as: undefined };
    if (func === undefined || helper === undefined) return node;
    const values = new Map(helper.parameters.map((parameter, i) => [parameter, func.args[i]]));
    const own = (part: object): object =>
      ('kind' in part && part.kind === 'ident' ? values.get((part as Ident).parts[0] ?? '') : undefined) ?? part;
    return withoutHelpers(rebuilt(helper.body(), own));
  });
}

/** Returns the names of the helpers that a tree calls, each behind those that it calls itself. */
export function helpersIn(tree: object): readonly string[] {
  const found = new Set<string>();
  eachNode(tree, (node) => {
    const name = asFunc(node)?.name ?? '';
    const body = found.has(name) ? undefined : HELPERS.get(name)?.body();
    if (body === undefined) return;
    for (const inner of helpersIn(body)) found.add(inner);
    found.add(name);
  });
  return [...found];
}

/** Visits each node once. Does not recurse, because trees may be deep. */
export function eachNode(tree: object, visit: (node: object) => void): void {
  const seen = new Set<object>([tree]);
  for (const node of seen) {
    spend(1);
    visit(node);
    for (const key in node) {
      const part: unknown = node[key as keyof typeof node]; // the key is the object's own
      if (isShape(part)) seen.add(part);
    }
  }
}
