// Rows that differ by an angle: its last digit, which hangs on the C library and on the order of additions, is the first one of the result where the angle
// is of many turns. The angle, asked alone, is nearly the same on both sides, and not the same.
import { difference } from './compare.ts';
import { type Answer, ask, type Question, type Sides } from './finding.ts';
import type { Outcome } from './outcome.ts';
import { type Node, nodesOf, outermost, replaced, textOf } from './tree.ts';

const OF_ANGLE = /^(?:SAFE\.)?(?:SIN|COS|TAN|SEC|CSC|COT)\(/;
/** Of the angle, relative to its size. */
const NEARLY = 1e-11;
/** Of the angle, in radians. Less does not show. */
const SHOWS = 1e-14;
/** Angles that are asked at most. */
const ANGLES = 20;

export async function differsByAngle(sides: Sides, question: Question, { class: name, expected, got }: Answer): Promise<boolean> {
  if (name !== 'wrong' || !onlyFloats(expected, got)) return false;
  const pairs = outermost(question.query).flatMap((whole) => anglesIn(whole).map((angle) => ({ whole, angle })));
  for (const { whole, angle } of pairs.slice(0, ANGLES)) {
    const comparison = { ...question.comparison, tolerance: NEARLY };
    const alone = await ask(sides, { ...question, comparison, query: replaced(question.query, whole, angle) });
    if (alone.class === 'same' && differs(alone.expected, alone.got)) return true;
  }
  return false;
}

/** The arguments of functions of angles. */
function anglesIn(whole: Node): readonly Node[] {
  return nodesOf(whole).flatMap((node) => {
    if (node.type?.kind !== 'FLOAT64' || !OF_ANGLE.test(textOf(node))) return [];
    const angle = nodesOf(node).find((inner) => inner !== node && inner.type !== undefined);
    return angle === undefined ? [] : [angle];
  });
}

/** Whether a value differs by an angle that shows. */
function differs(expected: Outcome, got: Outcome): boolean {
  if (expected.kind !== 'rows' || got.kind !== 'rows') return false;
  return expected.rows.some((row, i) => row.some((value, at) => Math.abs(Number(value) - Number(got.rows[i]?.[at])) > SHOWS));
}

/** Whether rows are the same but for FLOAT64s, which are finite on both sides. */
function onlyFloats(expected: Outcome, got: Outcome): boolean {
  if (expected.kind !== 'rows' || got.kind !== 'rows') return false;
  const plain = (outcome: typeof expected): typeof expected => ({
    ...outcome,
    rows: outcome.rows.map((row) => row.map((value) => (typeof value === 'number' && Number.isFinite(value) ? 0 : value))),
  });
  return difference(plain(expected), plain(got), { ordered: true }) === undefined;
}
