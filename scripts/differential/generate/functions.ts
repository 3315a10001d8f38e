// Calls of ordinary functions that do not fail over small values: what queries compute between their clauses.
import type { Random } from '../../../src/cli/demo/random.ts';
import { BOOL, DATE, INT64, NUMERIC, STRING, TIMESTAMP, type Type } from '../../../src/sql/base/types.ts';
import { atom, compound, type Expression, operand } from '../tree.ts';

/** `one` makes an argument of a type. */
export function callsOf(random: Random, type: Type, one: (type: Type) => Expression): readonly (() => Expression)[] {
  const of = (template: string, ...types: readonly Type[]): (() => Expression) => {
    const texts = template.split('$');
    return () => atom(type, ...texts.flatMap((text, at) => (at === 0 ? [text] : [one(types[at - 1] ?? type), text])));
  };
  const some = (...texts: readonly string[]): string => random.pick(texts);
  const part = (): string => some('DAY', 'WEEK', 'ISOWEEK', 'MONTH', 'QUARTER', 'YEAR');
  const common = [of('GREATEST($, $)'), of('LEAST($, $)'), of(`IF($ > 1, $, $)`, INT64)];
  switch (type.kind) {
    case 'INT64':
      return [
        ...common,
        of('MOD($, 3)'),
        of('DIV($, 2)'),
        of(`EXTRACT(${some('YEAR', 'MONTH', 'DAY', 'DAYOFWEEK', 'ISOWEEK')} FROM $)`, random.pick([DATE, TIMESTAMP])),
        of(`DATE_DIFF($, $, ${part()})`, DATE, DATE),
        of(`TIMESTAMP_DIFF($, $, ${some('SECOND', 'HOUR', 'DAY')})`, TIMESTAMP, TIMESTAMP),
        of('STRPOS($, $)', STRING, STRING),
        of('SAFE_CAST($ AS INT64)', random.pick([STRING, BOOL])),
        of('SIGN($)'),
        of("ARRAY_LENGTH(SPLIT($, 'a'))", STRING),
        of('UNIX_DATE($)', DATE),
        of('CASE $ WHEN 1 THEN $ WHEN 2 THEN $ ELSE 0 END'),
      ];
    case 'STRING':
      return [
        ...common,
        of('SUBSTR($, 1, 1)'),
        of("REPLACE($, 'a', 'bb')"),
        of("REGEXP_EXTRACT($, 'a(.*)')"),
        of("FORMAT_DATE('%Y-%m', $)", DATE),
        of("FORMAT_TIMESTAMP('%F %H', $)", TIMESTAMP),
        of('CAST($ AS STRING)', random.pick([DATE, BOOL, NUMERIC])),
        of("SPLIT($, 'b')[SAFE_OFFSET(0)]"),
        of("LPAD($, 2, '*')"),
        of('TO_JSON_STRING($)', random.pick([INT64, STRING, BOOL])),
        of('TO_HEX(MD5($))'),
        of("CASE WHEN $ THEN 'x' WHEN $ IS NULL THEN $ ELSE $ END", BOOL, INT64),
        () => compound(type, operand(one(type)), ' || ', operand(one(type))),
      ];
    case 'FLOAT64':
      return [...common, of('ROUND($, 1)'), of('CAST($ AS FLOAT64)', INT64), of('ABS($)'), of('SAFE_CAST($ AS FLOAT64)', STRING)];
    case 'NUMERIC':
      return [...common, of('CAST($ AS NUMERIC)', INT64), of('ROUND($, 1)'), of('SAFE_CAST($ AS NUMERIC)', STRING)];
    case 'BOOL':
      return [of('STARTS_WITH($, $)', STRING, STRING), of("REGEXP_CONTAINS($, '^a')", STRING), of("($ LIKE 'a%')", STRING)];
    case 'DATE':
      return [
        ...common,
        of(`DATE_TRUNC($, ${some('MONTH', 'YEAR', 'QUARTER')})`),
        of('DATE($)', TIMESTAMP),
        of('SAFE.DATE_ADD($, INTERVAL ($) DAY)', DATE, INT64),
        of('SAFE_CAST($ AS DATE)', STRING),
      ];
    case 'TIMESTAMP':
      return [
        ...common,
        of(`TIMESTAMP_TRUNC($, ${some('MINUTE', 'HOUR', 'DAY', 'MONTH')})`),
        of('TIMESTAMP($)', DATE),
        of('SAFE.TIMESTAMP_ADD($, INTERVAL ($) MINUTE)', TIMESTAMP, INT64),
      ];
    default:
      return [];
  }
}
