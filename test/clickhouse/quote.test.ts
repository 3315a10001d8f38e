// Names and texts as ClickHouse reads them, and as it shows them.
import { expect, test } from 'vitest';
import { escapeControl, quoteAnyIdentifier, quoteIdentifier, quoteString, unescapeString } from '../../src/clickhouse/quote.ts';

test.each([
  ['plain', 'plain', '`plain`'],
  ['Select', '`Select`', '`Select`'],
  ['a`b\\c', '`a\\`b\\\\c`', '`a\\`b\\\\c`'],
])('the name %s', (name, quoted, always) => {
  expect([quoteIdentifier(name), quoteAnyIdentifier(name)]).toEqual([quoted, always]);
});

test.each(["it's", 'a\\n', 'line\nend\r\t\0\b\f', 'é'])('%j is the same text again', (text) => {
  expect(unescapeString(quoteString(text).slice(1, -1))).toBe(text);
  expect(unescapeString(escapeControl(text))).toBe(text);
});

test('a text for TSV keeps its quotes', () => {
  expect(escapeControl("it's\t1\\2")).toBe("it's\\t1\\\\2");
});
