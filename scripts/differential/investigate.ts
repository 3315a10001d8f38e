// What is kept of an answer: it is counted, and where it is a fault, made small.
import { differsByAngle } from './angles.ts';
import { shown } from './compare.ts';
import { featuresOf } from './features.ts';
import { type Answer, ask, type Question, type Sides } from './finding.ts';
import type { TablePair } from './generate/tables.ts';
import { isFault } from './judge.ts';
import { knownReason } from './known.ts';
import type { Table } from './outcome.ts';
import { fewerRows, setTables } from './queries.ts';
import { columnsIn, withoutTable } from './rows.ts';
import { type Shows, shrink } from './shrink.ts';
import { causeOf, type Finding, type Kind, plainReason, sides as shownSides, type Tally } from './statistics.ts';
import { textOf } from './tree.ts';
import { failsInPart } from './uncomputed.ts';

/** Findings of one kind that are made small: the first ones tell most of what there is to know. */
const SHRUNK = 5;
/** Questions that making one small may take. */
const SHRINKING: Readonly<Record<Kind, number>> = { expressions: 120, queries: 160, idioms: 160 };
/** Errors where the reference has rows are no fault of a kind that CI looks for, and seldom need more than an example. */
const EXAMPLES = 2;

const OF_ANGLE = 'an angle of many turns: the last digit of the number, which hangs on the C library, is the first one of the result';
const UNCOMPUTED = 'a part that the result does not need is not computed, and does not fail; alone it fails on both sides';

export interface Investigation {
  readonly findings: readonly Finding[];
  /** Takes the answer to an expression over the rows of `table`, whose function is `name`. */
  expression(name: string, question: Question, answer: Answer, table: Table): Promise<void>;
  query(kind: Exclude<Kind, 'expressions'>, question: Question, answer: Answer, tables: readonly TablePair[]): Promise<void>;
}

/** `small`: findings are made small, which takes most of the time. */
export function investigation(sides: Sides, counted: Tally, small: boolean): Investigation {
  const findings: Finding[] = [];
  const times = new Map<string, number>();

  async function reasonOf(question: Question, answer: Answer): Promise<string | undefined> {
    const known = knownReason(textOf(question.query), answer);
    if (known !== undefined) return known;
    if (await differsByAngle(sides, question, answer)) return OF_ANGLE;
    return (await failsInPart(sides, question, answer)) ? UNCOMPUTED : undefined;
  }

  /** How many there were of that kind before; undefined where it is none to look into. */
  async function worth(kind: Kind, group: string, question: Question, answer: Answer): Promise<number | undefined> {
    const known = answer.class === 'same' ? undefined : await reasonOf(question, answer);
    if (known !== undefined) counted.known(known);
    const name = known === undefined ? answer.class : 'same';
    counted.count(kind, name);
    if (kind !== 'expressions' && name !== 'reference-unable') counted.features(featuresOf(textOf(question.query)), name === 'same');
    if (known !== undefined) return undefined;
    counted.reason(answer.class, answer.why);
    const example = answer.class === 'error-where-rows';
    if (!isFault(answer.class) && !example) return undefined;
    const key = example ? plainReason(answer.why) : `${answer.class} ${group}`;
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    return example && before >= EXAMPLES ? undefined : before;
  }

  const showing =
    (question: Question, { class: wanted, expected }: Answer, rowsStay = false): Shows =>
    async (query) => {
      const asked = { ...question, query };
      const again = await ask(sides, asked);
      if (rowsStay && expected.kind === 'rows' && again.expected.kind === 'rows' && again.expected.rows.length === 0) return false;
      return again.class === wanted && (await reasonOf(asked, again)) === undefined;
    };

  async function keep(
    kind: Kind,
    question: Question,
    first: Answer,
    small = question.query,
    tables: readonly string[] = [],
  ): Promise<void> {
    const again = small === question.query ? first : await ask(sides, { ...question, query: small });
    // What does not show again, hangs on more than the query: it is told as it was.
    const [query, answer] = again.class === first.class ? [small, again] : [question.query, first];
    const sql = textOf(query);
    const group = answer.class === 'engine-error' || answer.class === 'error-where-rows' ? plainReason(answer.why) : causeOf(sql);
    const args = (question.args ?? []).map(({ name, type, value }) => `@${name} ${type.kind} ${shown(value)}`);
    findings.push({
      kind,
      class: answer.class,
      group,
      sql,
      ...shownSides(answer),
      ...(args.length === 0 ? {} : { arguments: args.join(', ') }),
      ...(tables.length === 0 ? {} : { tables }),
    });
  }

  return {
    findings,
    async expression(name, question, answer, table) {
      const before = await worth('expressions', name, question, answer);
      if (before === undefined) return;
      if (!small || before >= SHRUNK) return keep('expressions', question, answer);
      // Of no rows, only constants are left, which are computed at another time.
      const shows = showing(question, answer, true);
      const shorter = await shrink(question.query, shows, SHRINKING.expressions);
      await keep('expressions', question, answer, await shrink(await withoutTable(shorter, table, shows), shows, SHRINKING.expressions));
    },
    async query(kind, given, answer, tables) {
      const before = await worth(kind, plainReason(answer.why), given, answer);
      if (before === undefined) return;
      if (!small || before >= (answer.class === 'wrong' ? SHRUNK : 2)) return keep(kind, given, answer);
      let question = given;
      if (given.unordered !== undefined) {
        const loose = { ...given, query: given.unordered, comparison: { ...given.comparison, ordered: false } };
        if (await showing(loose, answer)(loose.query)) question = loose;
      }
      const shows = showing(question, answer);
      const shorter = await shrink(question.query, shows, SHRINKING[kind]);
      const left = await fewerRows(sides, textOf(shorter), tables, () => shows(shorter));
      const last = await shrink(shorter, shows, 40);
      await keep(
        kind,
        question,
        answer,
        last,
        left.flatMap(({ table, engine }) => engine(table.rows, columnsIn(textOf(last), table)).statements),
      );
      await setTables(sides, tables);
    },
  };
}
