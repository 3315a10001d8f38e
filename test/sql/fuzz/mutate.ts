// Damages texts: at the level of words, which keeps them near the grammar, and of characters, which does not.
import type { Random } from './random.ts';

const WORDS =
  'SELECT FROM WHERE GROUP BY HAVING QUALIFY WINDOW ORDER LIMIT OFFSET UNION ALL DISTINCT EXCEPT REPLACE WITH RECURSIVE AS JOIN LEFT FULL CROSS ON USING UNNEST ' +
  'STRUCT ARRAY INT64 CAST SAFE_CAST CASE WHEN THEN ELSE END AND OR NOT IN LIKE ANY BETWEEN IS NULL TRUE INTERVAL DAY EXTRACT OVER PARTITION ROWS RANGE UNBOUNDED ' +
  'PRECEDING CURRENT ROW FOLLOWING PIVOT UNPIVOT CREATE TEMP FUNCTION TABLE VIEW DECLARE DEFAULT SET DROP OPTIONS ( ) [ ] < > , . ; : @ @@ | |> -> => + - * / = != <> || << >> ~ ^ & ? { } $ # -- /* */ ` \' " \'\'\' """ ' +
  "r' b' 0x 1e 1e999 .5 5. 99999999999999999999 0 -1 \\ \u0000 \u2028 é 😀 \ufeff \u00a0 \t \n \r";
const TOKENS = WORDS.split(' ');
const WORD = /\s+|[A-Za-z_][A-Za-z_0-9]*|\d+|'(?:[^'\\]|\\.)*'|./gsu;

/** `text` with a few changes; parts of `other` may get into it. */
export function mutate(text: string, other: string, random: Random): string {
  const words = text.match(WORD) ?? [];
  const donor = other.match(WORD) ?? [];
  for (let changes = 1 + random.below(4); changes > 0 && words.length > 0; changes--) {
    const at = random.below(words.length);
    const length = 1 + random.below(random.chance(0.2) ? 20 : 3);
    switch (random.below(7)) {
      case 0:
        words.splice(at, length);
        break;
      case 1:
        words.splice(at, 0, ...words.slice(at, at + length));
        break;
      case 2:
        words.splice(at, 1, random.pick(TOKENS));
        break;
      case 3:
        words.splice(at, 0, ` ${random.pick(TOKENS)} `);
        break;
      case 4: {
        const from = random.below(donor.length + 1);
        words.splice(at, random.below(3), ...donor.slice(from, from + length));
        break;
      }
      case 5: {
        const other_ = random.below(words.length);
        const [a = '', b = ''] = [words[at], words[other_]];
        words[at] = b;
        words[other_] = a;
        break;
      }
      default: {
        const word = words[at] ?? '';
        const cut = random.below(word.length + 1);
        words[at] = word.slice(0, cut) + random.pick(TOKENS) + word.slice(cut + 1);
      }
    }
  }
  return words.join('');
}
