// Rows where the reference reports an error, because quern did not compute what the result does not need: the other operand of an AND, an argument
// beside a NULL. That part, asked alone, fails on both sides, and for the reference in the same words as the whole.
import { type Answer, ask, type Question, type Sides } from './finding.ts';
import { nodesOf, outermost, replaced, textOf } from './tree.ts';

/** Parts that are asked at most. */
const PARTS = 40;

export async function failsInPart(sides: Sides, question: Question, { class: name, expected }: Answer): Promise<boolean> {
  if (name !== 'rows-where-error' || expected.kind !== 'error') return false;
  const seen = new Set<string>();
  for (const whole of outermost(question.query)) {
    for (const part of nodesOf(whole)) {
      if (part === whole || part.type === undefined || seen.size >= PARTS) continue;
      const query = replaced(question.query, whole, part);
      const text = textOf(query);
      if (seen.has(text)) continue;
      seen.add(text);
      const alone = await ask(sides, { ...question, query });
      if (alone.expected.kind === 'error' && alone.expected.message === expected.message && failed(alone)) return true;
    }
  }
  return false;
}

const failed = ({ got }: Answer): boolean => got.kind === 'error' || (got.kind === 'refused' && got.code === 'type');
