// One BigQuery query for many assertions over the same rows, that knows which text is whose.

import type { Span } from '../base/source-text.ts';
import { CHECKED_ROWS } from '../execution/query-over-rows.ts';
import type { RuleSql } from './rule-sql.ts';

export interface Composed {
  readonly sql: string;
  /** Returns the rule that a place in the SQL belongs to, and the place in the rule's text. */
  locate(span: Span): { readonly index: number; readonly span: Span } | undefined;
}

/** Text of the query: quern's own, or that of a rule. */
type Piece = string | { readonly rule: RuleSql; readonly index: number };

/** The rows as assertions may call them, those of which all of `where` is true. */
function rowsWhere(where: readonly RuleSql[]): readonly Piece[] {
  if (where.length === 0) return [`${CHECKED_ROWS} as result`];
  const conditions = where.flatMap((rule, i): readonly Piece[] => [i === 0 ? '(\n' : '\n) and (\n', { rule, index: FILTER }]);
  return [`(\nselect * from ${CHECKED_ROWS} as result where `, ...conditions, '\n)\n) as result'];
}

/** Text that is a condition on rows belongs to none of the rules. */
const FILTER = -1;
/** The names of columns with the verdict on a row begin so. */
const VERDICT = 'quern_verdict_';

/** A query of one column with the verdicts of a rule: once for all rows, or for each. */
export function verdictQuery(rule: RuleSql): Composed {
  return compose(['select (\n', { rule, index: 0 }, '\n) from ', ...rowsWhere([])]);
}

/**
 * A query of one row: how many rows there are; then for each rule, of those about all rows the verdict and the measures, of the others how
 * many rows break it.
 */
export function summaryQuery(rules: readonly RuleSql[], where: readonly RuleSql[] = []): Composed {
  const items = rules.flatMap((rule, index): readonly Piece[] =>
    rule.aggregate
      ? [',\n(\n', { rule, index }, '\n)', ...rule.measures.map(({ sql }) => `,\n(\n${sql}\n)`)]
      : [`,\ncountif(${VERDICT}${index} is not true)`],
  );
  const verdicts = rules.flatMap((rule, index): readonly Piece[] =>
    rule.aggregate ? [] : [',\n(\n', { rule, index }, `\n) as ${VERDICT}${index}`],
  );
  const rows = rowsWhere(where);
  const from = verdicts.length === 0 ? rows : ['(\nselect *', ...verdicts, '\nfrom ', ...rows, '\n) as result'];
  return compose(['select count(*)', ...items, '\nfrom ', ...from]);
}

/** A query of the rows that break a rule about each row. */
export function failingRowsQuery(rule: RuleSql, where: readonly RuleSql[]): Composed {
  const verdict = `${VERDICT}0`;
  const order = rule.orderBy.length === 0 ? '' : `\norder by ${rule.orderBy.join(', ')}`;
  return compose([
    `select * except (${verdict}) from (\nselect *, (\n`,
    { rule, index: 0 },
    `\n) as ${verdict} from `,
    ...rowsWhere(where),
    `\n)\nwhere ${verdict} is not true${order}`,
  ]);
}

function compose(pieces: readonly Piece[]): Composed {
  const places: { readonly rule: RuleSql; readonly index: number; readonly start: number }[] = [];
  let sql = '';
  for (const piece of pieces) {
    if (typeof piece !== 'string') places.push({ ...piece, start: sql.length });
    sql += typeof piece === 'string' ? piece : piece.rule.text;
  }
  return {
    sql,
    locate({ start, end }) {
      const place = places.find((one) => start >= one.start && start < one.start + one.rule.text.length);
      if (place === undefined) return undefined;
      const { rule, index } = place;
      const within = (at: number) => Math.min(at - place.start, rule.text.length) + rule.offset;
      return { index, span: { start: within(start), end: within(end) } };
    },
  };
}
