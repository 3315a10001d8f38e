// The expressions of a seed: asked in batches as columns of one SELECT, alone where one of them fails or differs.
import { type Random, seededRandom } from '../../src/cli/demo/random.ts';
import type { Comparison } from './compare.ts';
import { type Answer, ask, type Question, type Sides } from './finding.ts';
import { expressions } from './generate/expression.ts';
import { type Production, productions } from './generate/productions.ts';
import { columnsOf, engineTable, randomTable } from './generate/tables.ts';
import { judge } from './judge.ts';
import type { Outcome, Table } from './outcome.ts';
import { spreadable } from './place.ts';
import { type Expression, leaf, listOf, type Node, optional, textOf } from './tree.ts';

/** Expressions that share a table, and its rows. */
const BATCH = 120;
const ROWS = 8;
const COLUMNS_AT_ONCE = 20;

/** Functions that make much of the last digit of their argument. */
const STEEP = /\b(?:EXP|SINH|COSH|SECH|CSCH|POW|POWER|TAN|COT|SIN|COS|SEC|CSC)\(/;

/** Those whose last digit hangs on the C library. */
const OF_FLOATS = /\b(?:LN|LOG|LOG10|SQRT|CBRT|A?(?:SIN|COS|TAN|COT)H?2?|DEGREES|RADIANS)\(/;

/** How exactly the results of a text can be compared. */
export const toleranceOf = (text: string): Partial<Comparison> => {
  const isSteep = STEEP.test(text);
  return isSteep || OF_FLOATS.test(text) ? { textsOfFloats: true, ...(isSteep ? { tolerance: 1e-11 } : {}) } : {};
};

export interface Case {
  readonly name: string;
  readonly value: Expression;
  /** Over the rows of the table, not of constants only. */
  readonly columns: boolean;
}

/** The cases of a batch: the same for the same seed, whatever else was asked. */
export function casesOf(seed: number, batch: number): { readonly random: Random; readonly cases: readonly Case[] } {
  const random = seededRandom(seed * 100_003 + batch);
  const { call } = expressions(random);
  const scope = { columns: columnsOf() };
  const names = [
    ...new Map(
      productions()
        .filter(isScalar)
        .map((p) => [p.name, p]),
    ).keys(),
  ];
  const cases: Case[] = [];
  while (cases.length < BATCH) {
    const name = random.pick(names);
    const production = random.pick(productions().filter((p) => p.name === name && isScalar(p)));
    const columns = random.chance(0.65);
    const value = call(
      production,
      columns ? scope : { columns: [] },
      random.weighted([
        [1, 5],
        [2, 3],
        [3, 1],
      ]),
    );
    if (value !== undefined)
      cases.push({ name, value, columns: columns && /\b[a-z]+\b/.test(textOf(value).replace(/'(?:\\.|[^'\\])*'/g, '')) });
  }
  return { random, cases };
}

const isScalar = ({ kind }: Production): boolean => kind === 'function' || kind === 'syntax';

/** Only the rows of these numbers; all of them without. */
export function questionOf({ value, columns }: Case, ids?: readonly number[]): Question {
  const where = ids === undefined ? [] : [optional(` WHERE id IN (${ids.join(', ')})`)];
  const from = columns ? [leaf(' FROM t1'), ...where, leaf(' ORDER BY id')] : [];
  return {
    query: { parts: ['SELECT ', value, ' AS y', ...from] },
    comparison: { ordered: columns, ...toleranceOf(textOf(value)) },
  };
}

export interface Asked {
  readonly case: Case;
  readonly question: Question;
  readonly answer: Answer;
  readonly table: Table;
}

/** Asks a batch; `tell` is given each case once, with the question that shows the difference where there is one. */
export async function askBatch(sides: Sides, seed: number, batch: number, told: (asked: Asked) => Promise<void>): Promise<void> {
  const { random, cases } = casesOf(seed, batch);
  const table = randomTable(random, 't1', { rows: ROWS });
  const tell = (asked: Omit<Asked, 'table'>): Promise<void> => told({ ...asked, table });
  await sides.reference.setTables([table]);
  await sides.ours.setTables([spreadable(table.rows, (rows) => engineTable({ ...table, rows }))]);
  const expected = await sides.reference.evaluateAll(cases.map((c) => textOf(questionOf(c).query, 'reference')));
  const together: { readonly case: Case; readonly expected: Extract<Outcome, { kind: 'rows' }> }[] = [];
  for (const [at, one] of cases.entries()) {
    const outcome = expected[at];
    if (outcome === undefined) continue;
    const question = questionOf(one);
    if (outcome.kind === 'unable')
      await tell({ case: one, question, answer: { class: 'reference-unable', why: outcome.message, expected: outcome, got: outcome } });
    else if (outcome.kind === 'rows') {
      const translation = sides.ours.translate(textOf(question.query));
      if ('kind' in translation)
        await tell({
          case: one,
          question,
          answer: { ...judge(outcome, translation, question.comparison), expected: outcome, got: translation },
        });
      else together.push({ case: one, expected: outcome });
    } else await askFailing(sides, one, tell);
  }
  for (const columns of [true, false]) {
    const some = together.filter((c) => c.case.columns === columns);
    for (let from = 0; from < some.length; from += COLUMNS_AT_ONCE)
      await askTogether(sides, some.slice(from, from + COLUMNS_AT_ONCE), tell);
  }
}

/** Where a value fails: of the rows, those that do not are asked together, and one that does alone. */
async function askFailing(sides: Sides, one: Case, tell: (asked: Omit<Asked, 'table'>) => Promise<void>): Promise<void> {
  const whole = questionOf(one);
  if (!one.columns) return tell({ case: one, question: whole, answer: await ask(sides, whole) });
  const ids = Array.from({ length: ROWS }, (_, at) => at + 1);
  const single = await sides.reference.evaluateAll(ids.map((id) => textOf(questionOf(one, [id]).query, 'reference')));
  const fine = ids.filter((_, at) => single[at]?.kind === 'rows');
  const failing = ids.filter((_, at) => single[at]?.kind === 'error');
  const questions = [
    ...(fine.length === 0 ? [] : [questionOf(one, fine)]),
    ...(failing.length === 0 ? [] : [questionOf(one, failing.slice(0, 1))]),
  ];
  let last: Omit<Asked, 'table'> | undefined;
  for (const question of questions) {
    last = { case: one, question, answer: await ask(sides, question) };
    if (last.answer.class !== 'same') break;
  }
  if (last !== undefined) await tell(last);
}

async function askTogether(
  sides: Sides,
  some: readonly { readonly case: Case; readonly expected: Extract<Outcome, { kind: 'rows' }> }[],
  tell: (asked: Omit<Asked, 'table'>) => Promise<void>,
): Promise<void> {
  if (some.length === 0) return;
  const [first] = some;
  const items = some.map(({ case: { value } }, at): Node => ({ parts: [value, ` AS y${at}`] }));
  const from = first?.case.columns === true ? [leaf(' FROM t1'), ' ORDER BY id'] : [];
  const query: Node = { parts: ['SELECT ', listOf(items), ...from] };
  const got = some.length === 1 ? undefined : await sides.ours.evaluate(textOf(query));
  if (got?.kind !== 'rows') {
    if (some.length === 1 && first !== undefined) {
      const question = questionOf(first.case);
      return tell({ case: first.case, question, answer: await ask(sides, question) });
    }
    const half = Math.ceil(some.length / 2);
    await askTogether(sides, some.slice(0, half), tell);
    return askTogether(sides, some.slice(half), tell);
  }
  for (const [at, { case: one, expected }] of some.entries()) {
    const column: Outcome = { kind: 'rows', types: got.types.slice(at, at + 1), rows: got.rows.map((row) => [row[at] ?? null]) };
    const question = questionOf(one);
    const judged = judge(expected, column, question.comparison);
    if (judged.class === 'same') {
      await tell({ case: one, question, answer: { ...judged, expected, got: column } });
      continue;
    }
    const alone = await ask(sides, question);
    // What is wrong beside others only is a finding of all of them.
    const beside = alone.class === 'same' ? { query, comparison: question.comparison } : question;
    await tell({ case: one, question: beside, answer: alone.class === 'same' ? await ask(sides, beside) : alone });
  }
}
