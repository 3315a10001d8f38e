// Set operations by name: BY NAME, CORRESPONDING and its modes bring the columns of all queries into one order.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#by_name_or_corresponding

import { spend } from '../../base/budget.ts';
import { fail } from '../../base/fail.ts';
import { INT64 } from '../../base/types.ts';
import type * as ast from '../../syntax/ast.ts';
import type { AnalyzedQuery, Output } from '../analyzed.ts';
import type { Context } from '../context.ts';
import { createProjection } from '../projection.ts';

/** A query of a set operation. */
export interface SetInput {
  readonly query: AnalyzedQuery;
  readonly span: ast.SetOperation['span'];
}

type ByName = NonNullable<ast.SetOperation['byName']>;
type Named = readonly ReadonlyMap<string, Output>[];

/** Returns the inputs with the columns that the mode keeps, all in the same order; a column that an input lacks is NULL there. */
export function matchNames(
  operator: ast.SetOperation['operator'],
  byName: ByName,
  inputs: readonly SetInput[],
  context: Context,
): readonly SetInput[] {
  spend(inputs.length);
  const named = inputs.map((input) => outputsByName(operator, input, byName.columns));
  const names = byName.columns === null ? matchedNames(operator, byName.mode, inputs, named) : listedNames(operator, byName, inputs, named);
  return inputs.map((input, i) => {
    const outputs = named[i] ?? new Map<string, Output>();
    const missing = createProjection(context.analysis);
    const ordered = names.map((name): Output => {
      const own = outputs.get(name.toLowerCase());
      const column = own?.column ?? missing.add(name, { kind: 'literal', value: null, type: INT64, span: input.span });
      return { name, column };
    });
    return { ...input, query: { rel: missing.finish(input.query.rel), outputs: ordered, value: false } };
  });
}

/** Returns the outputs by lower-case name. Every column that counts (all of them, or those listed) must have a name of its own. */
function outputsByName(operator: string, { query, span }: SetInput, listed: readonly ast.Identifier[] | null): ReadonlyMap<string, Output> {
  if (query.value) fail('type', span, `${operator} by name needs queries with named columns, this one returns values`);
  const counts = (key: string): boolean => listed === null || listed.some((c) => c.name.toLowerCase() === key);
  const outputs = new Map<string, Output>();
  for (const output of query.outputs) {
    const key = output.name.toLowerCase();
    if (key === '' && listed === null) fail('type', span, `${operator} by name needs a name for every column`, 'write expression AS name');
    if (outputs.has(key) && counts(key))
      fail(
        'type',
        span,
        `${operator} by name needs different names, this query has ${output.name} twice`,
        'give one of them another alias',
      );
    outputs.set(key, output);
  }
  return outputs;
}

/** Returns the columns of the result where the query does not list them. */
function matchedNames(
  operator: string,
  mode: ByName['mode'],
  inputs: readonly SetInput[],
  named: readonly ReadonlyMap<string, Output>[],
): readonly string[] {
  const [first = new Map<string, Output>(), ...others] = named;
  const own = [...first.values()].map((o) => o.name);
  switch (mode) {
    case 'INNER': {
      const common = own.filter((name) => others.every((o) => o.has(name.toLowerCase())));
      if (common.length === 0)
        fail(
          'type',
          inputs[0]?.span ?? NOWHERE,
          `${operator} by name: the queries have no column in common`,
          'give columns the same alias',
        );
      return common;
    }
    case 'LEFT':
      for (const [i, other] of others.entries()) {
        if (!own.some((name) => other.has(name.toLowerCase())))
          fail('type', inputs[i + 1]?.span ?? NOWHERE, `${operator} by name: this query has no column of the first one`);
      }
      return own;
    case 'FULL':
      return everyName(named);
    case 'STRICT':
      for (const [i, other] of others.entries()) {
        const missing = own.find((name) => !other.has(name.toLowerCase()));
        const extra = [...other.values()].find((o) => !first.has(o.name.toLowerCase()))?.name;
        const difference = missing === undefined ? extra : missing;
        if (difference !== undefined)
          fail(
            'type',
            inputs[i + 1]?.span ?? NOWHERE,
            `${operator} by name: column ${difference} is not in all of the queries`,
            `write FULL ${operator} … BY NAME to fill what is missing with NULL, or INNER to keep only common columns`,
          );
      }
      return own;
  }
}

const NOWHERE = { start: 0, end: 0 };

/** Returns each name once, in the order of its first place when the queries are read one after the other. */
function everyName(named: readonly ReadonlyMap<string, Output>[]): readonly string[] {
  const names = new Map<string, string>();
  for (const outputs of named) for (const [key, { name }] of outputs) if (!names.has(key)) names.set(key, name);
  return [...names.values()];
}

/** The queries that must have a listed column, by mode, and the error where they lack it. */
const OWNERS = {
  FULL: { have: (named: Named, key: string): boolean => named.some((n) => n.has(key)), lack: 'none of the queries has' },
  LEFT: { have: ([first]: Named, key: string): boolean => first?.has(key) === true, lack: 'the first query does not have' },
  INNER: { have: (named: Named, key: string): boolean => named.every((n) => n.has(key)), lack: 'not every query has' },
  STRICT: { have: (named: Named, key: string): boolean => named.every((n) => n.has(key)), lack: 'not every query has' },
} as const;

/** Returns the columns of `BY (…)` or `ON (…)`, once the queries have those that the mode asks for. */
function listedNames(
  operator: string,
  { mode, columns }: ByName,
  inputs: readonly SetInput[],
  named: readonly ReadonlyMap<string, Output>[],
): readonly string[] {
  const listed = columns ?? [];
  const keys = listed.map((c) => c.name.toLowerCase());
  for (const [i, { name, span }] of listed.entries()) {
    const key = name.toLowerCase();
    if (keys.indexOf(key) !== i) fail('type', span, `${name} is listed twice`);
    const { have, lack } = OWNERS[mode];
    if (!have(named, key)) fail('unknown-column', span, `${operator} by name: ${lack} a column ${name}`);
  }
  if (mode === 'STRICT') {
    for (const [i, outputs] of named.entries()) {
      const extra = [...outputs.values()].find((o) => !keys.includes(o.name.toLowerCase()));
      if (extra !== undefined)
        fail(
          'type',
          inputs[i]?.span ?? NOWHERE,
          `${operator} by name: column ${extra.name || 'without a name'} is not in the list`,
          'list it, or write INNER instead of STRICT',
        );
    }
  }
  return listed.map((c) => c.name);
}
