// The forms in which a file usually writes times, and ClickHouse SQL for texts that have one.
import { timeForm, usualForms } from '../../clickhouse/time-form.ts';

/** ClickHouse SQL, true where `text`, SQL of a Nullable(String), has the form `form`, see timeForm. Undefined for a form that it does not know. */
export function hasForm(text: string, form: string): string | undefined {
  const known = timeForm(form);
  if (known === undefined) return undefined;
  const { mask, wanted, sum, twenties, fours, month, day } = known;
  const value = `reinterpretAsUInt256(${text})`;
  const number = (digits: string): string => `toUInt256('${digits}')`;
  const bits = (of: string): string => `bitAnd(${value}, ${number(of)})`;
  return (
    `(${bits(mask)} = ${number(wanted)} AND bitAnd(${value} + ${number(sum)}, ${number(mask)}) = ${number(wanted)}` +
    ` AND (${bits(twenties)} = 0 OR ${bits(fours)} = 0) AND ${bits(month)} != 0 AND ${bits(day)} != 0)`
  );
}

const TIME = /\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| UTC|[+-]\d\d(?::?\d\d)?)?/g;

/** The forms of the times in the text of a file's beginning, the most frequent first. */
export const formsIn = (head: string): readonly string[] => usualForms(head.match(TIME) ?? []);
