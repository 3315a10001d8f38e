// What a saved query hides is hidden from who reads its rows page by page.
import { expect, test } from 'vitest';
import { ByteWriter, rowCopier } from '../../../../src/server/doors/bigquery/row-bytes.ts';
import { arrayOf, INT64, JSON_TYPE, STRING, structOf, TIMESTAMP } from '../../../../src/sql/base/types.ts';

const TYPES = [STRING, INT64, arrayOf(STRING), structOf([{ name: 'ip', type: STRING }]), JSON_TYPE, TIMESTAMP];
const LINE = '["from 10.1.2.3, \\"x\\"", 7, ["10.1.2.3", null], ["2001:db8::1"], "{\\"ip\\":\\"10.1.2.3\\"}", "2026-01-02 03:04:05"]\n';

function written(redacts: boolean): unknown[] {
  const to = new ByteWriter(1);
  const lines = Buffer.from(LINE);
  const next = rowCopier({ columns: TYPES.map((type, i) => ({ name: `c${i}`, type })), redacts }, 'iso')(lines, 0, to);
  expect(next).toBe(lines.length);
  const { f } = JSON.parse(to.whole().toString()) as { readonly f: readonly { readonly v: unknown }[] };
  return f.map(({ v }) => v);
}

test('addresses in texts of all columns', () => {
  expect(written(true)).toEqual([
    'from REDACTED, "x"',
    '7',
    [{ v: 'REDACTED' }, { v: null }],
    { f: [{ v: 'REDACTED' }] },
    '{"ip":"REDACTED"}',
    '2026-01-02T03:04:05Z',
  ]);
  expect(written(false)[0]).toBe('from 10.1.2.3, "x"');
});
