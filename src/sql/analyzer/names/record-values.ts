// Records of log events as values: their text is known, but not what BigQuery would compute from them beside their fields.
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import { holdsKind, type Type } from '../../base/types.ts';
import type { Expr } from '../../logical/nodes.ts';

/** The functions that pass a value on, count it, or say themselves why they don't take it. */
const OF_ANY_VALUE: ReadonlySet<string> = new Set(
  'ANY_VALUE COALESCE IFNULL COUNT MAX MIN FIRST_VALUE LAST_VALUE NTH_VALUE LAG LEAD ARRAY_LENGTH OFFSET ORDINAL SAFE_OFFSET SAFE_ORDINAL FORMAT'.split(
    ' ',
  ),
);
/** The functions that move values which have records in them, and never look at these. */
const OF_ANY_ELEMENT: ReadonlySet<string> = new Set(
  'ARRAY_AGG ARRAY_CONCAT ARRAY_CONCAT_AGG ARRAY_REVERSE ARRAY_FIRST ARRAY_LAST ARRAY_SLICE ARRAY_FILTER ARRAY_TRANSFORM'.split(' '),
);
const NULL_TESTS: ReadonlySet<string> = new Set(['IS NULL', 'IS NOT NULL']);
const HINT = 'UNNEST the records, and name the fields: CROSS JOIN UNNEST(array) AS r … r.field';

const isRecords = (type: Type): boolean => type.kind === 'RECORD' || (type.kind === 'ARRAY' && type.element.kind === 'RECORD');

/** Refuses the arguments that function or operator `name` could only misread. */
export function refuseRecords(name: string, args: readonly (Expr | null)[]): void {
  if (OF_ANY_VALUE.has(name)) return;
  for (const arg of args) {
    if (arg === null || !holdsKind(arg.type, 'RECORD') || (OF_ANY_ELEMENT.has(name) && !isRecords(arg.type))) continue;
    // A record that a LEFT JOIN has not found is NULL; an array of records is an empty one then.
    if (!NULL_TESTS.has(name)) fail('unsupported', arg.span, `${name} of records is not supported`, HINT);
    if (arg.type.kind === 'ARRAY')
      fail(
        'unsupported',
        arg.span,
        'quern can’t tell whether this array is NULL: ClickHouse has no NULL arrays',
        'test ARRAY_LENGTH(array) = 0',
      );
  }
}

/** Refuses an array whose elements would be records: those of events are stored in other ways. */
export function refuseRecordElements(element: Type, span: Span): void {
  if (isRecords(element))
    fail(
      'unsupported',
      span,
      'an array of records can’t be built',
      'build structs from their fields: ARRAY(SELECT AS STRUCT r.field, … FROM …)',
    );
}
