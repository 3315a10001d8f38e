// What redaction hides, and what it must leave alone.
import { describe, expect, test } from 'vitest';
import type { QueryResult, Value } from '../../../src/base/result.ts';
import { redact } from '../../../src/server/answers/redact.ts';
import { redactText } from '../../../src/server/answers/redact-text.ts';
import type { Type } from '../../../src/sql/base/types.ts';
import { processorTime } from '../../support/processor-time.ts';

describe('an address is hidden:', () => {
  test.each<[string, string]>([
    ['1.2.3.4', 'REDACTED'],
    ['0.0.0.0 255.255.255.255', 'REDACTED REDACTED'],
    ['010.001.000.001', 'REDACTED'],
    ['from 203.0.113.7.', 'from REDACTED.'],
    ['203.0.113.7:8080', 'REDACTED:8080'],
    ['203.0.113.0/24', 'REDACTED/24'],
    ['(203.0.113.7),203.0.113.8;203.0.113.9', '(REDACTED),REDACTED;REDACTED'],
    ['GET | 200 | 203.0.113.56 | https://h/p', 'GET | 200 | REDACTED | https://h/p'],
    ['https://203.0.113.7/a?ip=203.0.113.8&x', 'https://REDACTED/a?ip=REDACTED&x'],
    ['4.3.2.1.in-addr.arpa', 'REDACTED.in-addr.arpa'],
    ['ip203.0.113.7ip', 'ipREDACTEDip'],
    ['a%20203.0.113.7', 'a%20REDACTED'],
    ['a%2C192.168.1.1', 'a%2CREDACTED'],
    ['\\u0020192.168.1.1', '\\u0020REDACTED'],
    ['line\\n203.0.113.7', 'line\\nREDACTED'],
    ['::1', 'REDACTED'],
    ['[::1]:8080', '[REDACTED]:8080'],
    ['fe80::1%eth0', 'REDACTED'],
    ['fe80::1%25en0.', 'REDACTED'],
    ['fe80::1%12', 'REDACTED%12'],
    ['::ffff:1.2.3.4', 'REDACTED'],
    ['64:ff9b::192.0.2.33', 'REDACTED'],
    ['2001:db8::1', 'REDACTED'],
    ['2001:DB8:0:0:0:0:0:1', 'REDACTED'],
    ['2001:0db8:85a3:0000:0000:8a2e:0370:7334', 'REDACTED'],
    ['2001:db8::/32', 'REDACTED/32'],
    ['2001:db8::', 'REDACTED'],
    ['from 2001:db8::1.', 'from REDACTED.'],
    ['2001:db8::1, 2001:db8::2', 'REDACTED, REDACTED'],
    ['2001:db8::1,203.0.113.7', 'REDACTED,REDACTED'],
    ['http://[2001:db8::1]:443/x', 'http://[REDACTED]:443/x'],
    ['2001:db8:0:0:0:0:0:1:443', 'REDACTED'],
    ['2001:db8::1.443', 'REDACTED.443'],
    ['ip:2001:db8::1', 'ip:REDACTED'],
    ['node:fe80::1', 'node:REDACTED'],
    ['eth0:2001:db8::1', 'eth0:REDACTED'],
    ['address: ::1', 'address: REDACTED'],
    ['add:2001:db8:0:0:0:0:0:1', 'REDACTED'],
    ['peer:2001:db8:0:0:0:0:0:1:443', 'peer:REDACTED:443'],
    ['2001:db8::1:http', 'REDACTED:http'],
    [':2001:db8::1:', ':REDACTED:'],
    ['?ip=2001%3Adb8%3A%3A1&x', '?ip=REDACTED&x'],
    ['ip%3D2001%3adb8%3a%3a1', 'ip%3DREDACTED'],
    ['%5B2001:db8::1%5D', '%5BREDACTED%5D'],
    ['{"a":"x\\n2001:db8::1\\t::1"}', '{"a":"x\\nREDACTED\\tREDACTED"}'],
    ['\\f2001:db8::1', '\\fREDACTED'],
  ])('%j', (text, shown) => {
    expect(redactText(text)).toBe(shown);
  });
});

describe('what is no address stays:', () => {
  test.each([
    '',
    '1.2.3',
    'v1.2.3',
    '1.2.3.4.5',
    '1.3.6.1.4.1.311',
    '256.1.1.1',
    '1.2.3.256',
    '1.2.3.1234',
    '1.2..3.4',
    '1.2.3.',
    '12345.1.1.1',
    '3.14159',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Version/18.1',
    '12:34:56',
    '12:34:56.789',
    '2026-01-02T03:04:05.678901Z',
    '2026-01-02 03:04:05+00:00',
    'aa:bb:cc:dd:ee:ff',
    'AA-BB-CC-DD-EE-FF',
    'aa:bb:cc:dd:ee:ff:00:11',
    'SHA256 4f:2a:91:0c:77:de:ad:be:ef:00:12:34:56:78:9a:bc',
    'deadbeef',
    'e471312a-c165-4bf3-a05d-a2a6c4d8e3e8',
    'a'.repeat(64),
    'std::vector',
    'Feed::Cache',
    'ABC::method',
    'node::1',
    'use crate::db::a',
    "'2026-01-02'::date, 1::text, id::uuid, price::decimal",
    'a :: b',
    '::',
    ':::',
    '1:2:3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9:10',
    'g::1g',
    '12345::1',
    'https://example.net:8080/a:b:c',
    'key:value:other',
    '%3A%3A',
    '\u{1f600}:\u{1f600}:\u{1f600}',
  ])('%j', (text) => {
    expect(redactText(text)).toBe(text);
  });

  test('in no longer time than reading takes, however long the text', () => {
    for (const piece of ['a', ':', '1', '1.', 'a:', ':a', '1.2.3.', '%3a', '%', '::1', '1:'.repeat(9)]) {
      const text = piece.repeat(200_000 / piece.length);
      const started = processorTime();
      redactText(text);
      expect(processorTime() - started, piece).toBeLessThan(2000);
    }
  });
});

const result = (type: Type, value: Value): QueryResult => ({ columns: [{ name: 'c', type }], rows: [[value]], truncated: false });
const redacted = (type: Type, value: Value): Value | undefined => redact(result(type, value)).rows[0]?.[0];
const RECORD: Type = { kind: 'RECORD', fields: [] };

describe('in a result', () => {
  test('addresses are hidden in texts, lists, structs and records at any depth', () => {
    expect(redacted({ kind: 'STRING' }, 'at 1.2.3.4')).toBe('at REDACTED');
    expect(redacted({ kind: 'ARRAY', element: { kind: 'STRING' } }, ['1.2.3.4', 'x', '::1'])).toEqual(['REDACTED', 'x', 'REDACTED']);
    const struct: Type = { kind: 'STRUCT', fields: [] };
    expect(redacted(struct, [1, 'from 1.2.3.4', null, ['::1']])).toEqual([1, 'from REDACTED', null, ['REDACTED']]);
    const event = [{ request: [{ headers: [{ x_real_ip: '2001:db8::1', n: 5, ok: true, big: 2n ** 60n, none: null }] }], path: '/a' }];
    expect(redacted(RECORD, event)).toEqual([
      { request: [{ headers: [{ x_real_ip: 'REDACTED', n: 5, ok: true, big: 2n ** 60n, none: null }] }], path: '/a' },
    ]);
    expect(redacted({ kind: 'DYNAMIC' }, '1.2.3.4')).toBe('REDACTED');
  });

  test('an address as the name of a field is hidden, and no field is lost', () => {
    const record = { '1.2.3.4': 1, '::1': 2, REDACTED: 3, path: 4, __proto__x: 5 };
    expect(redacted(RECORD, record)).toEqual({ REDACTED: 1, 'REDACTED 2': 2, 'REDACTED 3': 3, path: 4, __proto__x: 5 });
    const named: Value = JSON.parse('{"__proto__": "1.2.3.4"}');
    expect(JSON.stringify(redacted(RECORD, named))).toBe('{"__proto__":"REDACTED"}');
    const both: Value = JSON.parse('{"__proto__": {"::1": "1.2.3.4"}, "1.2.3.4": ["::1"]}');
    expect(JSON.stringify(redacted(RECORD, both))).toBe('{"__proto__":{"REDACTED":"REDACTED"},"REDACTED":["REDACTED"]}');
  });

  test('JSON text changes in its strings only', () => {
    const json = '{"ip": "1.2.3.4", "1.2.3.4": [12345678901234567890, 1.10, "a\\n::1\\u00e9", "x\\ny"], "q": "\\"1.2.3.4\\""}';
    expect(redacted({ kind: 'JSON' }, json)).toBe(
      '{"ip": "REDACTED", "REDACTED": [12345678901234567890, 1.10, "a\\nREDACTEDé", "x\\ny"], "q": "\\"REDACTED\\""}',
    );
  });

  test('numbers, times and NULL are what they were', () => {
    const columns = (['INT64', 'FLOAT64', 'TIMESTAMP', 'BYTES', 'STRING', 'JSON'] as const).map((kind) => ({ name: kind, type: { kind } }));
    const row = [1, Number.NaN, '2026-01-02T03:04:05.678901Z', 'MS4yLjMuNA==', null, null];
    const before: QueryResult = { columns, rows: [row], truncated: true, statistics: { elapsedMs: 1 } };
    expect(redact(before)).toEqual(before);
  });

  test('the result it was given stays as it was', () => {
    const before = result(RECORD, [{ ip: '1.2.3.4' }]);
    redact(before);
    expect(before).toEqual(result(RECORD, [{ ip: '1.2.3.4' }]));
  });
});
