// Columns whose values a table holds in a type that stands for none of BigQuery's, and through whose conversion ClickHouse does not see to a key. What is
// said here of each such column of a plan's scans is what rules need to compare the stored value instead.
import { bareType, literalArgument, readType } from '../../clickhouse/type.ts';
import type { Column, LogicalPlan } from '../logical/nodes.ts';
import type { RuleContext } from './rule.ts';
import { scannedColumns } from './scanned-columns.ts';

/** A number of `scale` digits after the point; bounds are counted in the last of these. */
export interface StoredNumber {
  readonly kind: 'number';
  readonly scale: number;
  readonly first: bigint;
  readonly last: bigint;
}

/** A text that is held as something shorter. */
interface StoredText {
  readonly kind: 'text';
  readonly of: 'UUID' | 'IPv4' | 'IPv6' | readonly string[];
}

export interface StoredValue<As = StoredNumber | StoredText> {
  readonly as: As;
  readonly shown: Column;
  /** From here on the scan reads the value as it is stored too. */
  readonly stored: () => Column;
  /** ClickHouse type without Nullable. */
  readonly type: string;
}

/** All of a plan's, by the id of the column that is shown. */
export function storedValues(plan: LogicalPlan, { scanColumn }: RuleContext): ReadonlyMap<number, StoredValue> {
  const values = new Map<number, StoredValue>();
  for (const [id, { scan, column, from }] of scannedColumns(
    plan,
    ({ part, from: { read } }) => part.kind === 'whole' && read.layout === 'column',
  )) {
    const { read } = from;
    if (read.layout !== 'column' || read.key !== undefined || (read.castTo ?? read.byParts) === undefined) continue;
    const type = bareType(readType(read.clickhouseType));
    const as = heldAs(type, column.type.kind);
    if (as === undefined) continue;
    values.set(id, { as, shown: column, stored: () => scanColumn(scan, from, { kind: 'stored' }, column.type), type: type.text });
  }
  return values;
}

function heldAs(type: ReturnType<typeof readType>, shown: Column['type']['kind']): StoredValue['as'] | undefined {
  if (shown === 'STRING') {
    if (type.name === 'UUID' || type.name === 'IPv4' || type.name === 'IPv6') return { kind: 'text', of: type.name };
    if (!type.name.startsWith('Enum')) return undefined;
    const names = type.args.map(({ type: { text } }) => memberName(text));
    return names.every((name) => name !== undefined) ? { kind: 'text', of: names } : undefined;
  }
  const exact = shown === 'NUMERIC' || shown === 'BIGNUMERIC';
  if (type.name === 'Decimal' && exact) {
    const last = 10n ** BigInt(literalArgument(type, 0)) - 1n;
    return { kind: 'number', scale: Number(literalArgument(type, 1)), first: -last, last };
  }
  const [, unsigned, digits] = /^(U?)Int(\d+)$/.exec(type.name) ?? [];
  // An INT64 of fewer bits is found by its key, and one of 64 too.
  if (digits === undefined || !(exact || (shown === 'INT64' && Number(digits) > 64))) return undefined;
  const values = 2n ** BigInt(digits);
  return unsigned === 'U'
    ? { kind: 'number', scale: 0, first: 0n, last: values - 1n }
    : { kind: 'number', scale: 0, first: -values / 2n, last: values / 2n - 1n };
}

/** Of `'name' = 1`. */
function memberName(member: string): string | undefined {
  const [, name] = /^'((?:[^'\\]|\\['\\])*)' = -?\d+$/s.exec(member) ?? [];
  return name?.replace(/\\(.)/gs, '$1');
}
