// Rows where the reference reports an error, because quern did not compute what the result does not need: the other operand of an AND, an argument
// beside a NULL. That part, asked alone, fails on both sides, and for the reference in the same words as the whole.
import { type Answer, ask, type Question, type Sides } from './finding.ts';
import { plainReason } from './statistics.ts';
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
      if (await failsAlone(sides, { ...question, query }, expected.message)) return true;
    }
  }
  return failsInNoRow(sides, question, expected.message);
}

/** In a query: what is computed of a table whose rows, or whose column, the result does not need. */
async function failsInNoRow(sides: Sides, question: Question, message: string): Promise<boolean> {
  // A query that the one around it reads no column of.
  for (const inner of nodesOf(question.query)) {
    if (inner === question.query || !/^(?:SELECT|WITH|FROM) /.test(textOf(inner))) continue;
    if (await failsAlone(sides, { ...question, query: inner }, message, plainReason)) return true;
  }
  const seen = new Set<string>();
  for (const part of outermost(question.query).flatMap(nodesOf)) {
    const text = textOf(part);
    if (part.type === undefined || seen.has(text) || seen.size >= PARTS) continue;
    seen.add(text);
    const [alias] = /\b[abc](?=\.\w)/.exec(text) ?? [];
    // Most names stand for the table of their place in the alphabet.
    const first = alias === undefined ? 0 : 'abc'.indexOf(alias);
    const tables = alias === undefined ? ['', ' FROM t1'] : [0, 1, 2].map((at) => ` FROM t${((first + at) % 3) + 1} AS ${alias}`);
    for (const from of tables)
      if (await failsAlone(sides, { ...question, query: { parts: ['SELECT ', part, ` AS y${from}`] } }, message, plainReason)) return true;
  }
  return false;
}

async function failsAlone(sides: Sides, question: Question, message: string, plain = (text: string): string => text): Promise<boolean> {
  const alone = await ask(sides, question);
  return alone.expected.kind === 'error' && plain(alone.expected.message) === plain(message) && failed(alone);
}

const failed = ({ got }: Answer): boolean => got.kind === 'error' || (got.kind === 'refused' && got.code === 'type');
