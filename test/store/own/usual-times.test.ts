// Forms of times that are seen at once, and texts that only look so: the engine is asked about each.
import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { readText } from '../../../src/store/own/from-text.ts';
import { formsIn, hasForm } from '../../../src/store/own/usual-times.ts';
import { createUtf8Check } from '../../../src/store/own/utf8.ts';
import { tempStore } from '../../support/temp-store.ts';

const FORMS = [
  '0000-00-00T00:00:00.000000Z',
  '0000-00-00 00:00:00',
  '0000-00-00 00:00:00.000000 UTC',
  '0000-00-00T00:00:00.000+00:00',
  '0000-00-00T00:00:00Z',
];
const time = (form: string, of: string): string => of + form.slice(of.length).replaceAll('0', '7').replace('+77:77', '+05:30');
const GOOD = ['2026-01-02T03:04:05', '2099-12-31T23:59:59', '2000-02-29T00:00:00', '2010-10-10T20:10:50', '2026-09-19T19:00:00'];
const BAD = [
  ...[
    '2026-02-30T00:00:00',
    '2026-00-10T00:00:00',
    '2026-10-00T00:00:00',
    '2026-13-01T00:00:00',
    '2026-01-40T00:00:00',
    '2026-01-02T24:00:00',
  ],
  ...[
    '2026-01-02T25:00:00',
    '2026-01-02T29:00:00',
    '2026-01-02T30:00:00',
    '2026-01-02T23:60:00',
    '2026-01-02T23:00:60',
    '2026-01-02T23:00:99',
  ],
  ...[
    '202x-01-02T03:04:05',
    '2026/01/02T03:04:05',
    '2026-01-02T03-04-05',
    '2026-0:-02T03:04:05',
    '2026-01-0?T03:04:05',
    '2026-01-02T0;:04:05',
  ],
  ...['2026-01-02T03:04:5 ', '2026-01-02T 3:04:05', '2026-01-*2T03:04:05', '20\u00b26-1-02T03:04:05', '2026-01-02T03:04:\u00b5'],
];

test.each(FORMS)('%s is seen where it is, and nothing else is taken for it', async (form) => {
  const { store } = await tempStore();
  const texts = [...GOOD, ...BAD].map((of) => time(form, of.replace('T', form[10] ?? '')));
  const odd = [
    ...texts,
    ...texts.map((text) => `${text}0`),
    ...texts.map((text) => text.slice(0, -1)),
    ...texts.map((text) => `1${text.slice(1)}`),
  ];
  const list = odd.map((text) => `'${text}'`).join(', ');
  const usual = readText({ kind: 'TIMESTAMP' }, 'x', { utf8: true, forms: [form] });
  const plain = readText({ kind: 'TIMESTAMP' }, 'x');
  const rows = await store.engine.rows(
    `SELECT x, ${hasForm('x', form)}, ${usual.bad}, ${plain.bad} FROM (SELECT arrayJoin([${list}])::Nullable(String) AS x)`,
  );
  expect(rows.map(([text]) => text)).toEqual(odd);
  const seen = rows.filter(([, has]) => Boolean(has)).map(([text]) => text);
  expect(seen).toEqual(expect.arrayContaining(texts.slice(0, GOOD.length)));
  // February 30 and the like have the form; that there is no such day is seen as ever.
  expect(rows.filter(([, , quick, slow]) => Boolean(quick) !== Boolean(slow))).toEqual([]);
  const bad = rows.filter(([, , , slow]) => Boolean(slow)).map(([text]) => text);
  expect(bad).toEqual(expect.arrayContaining(texts.slice(GOOD.length)));
  expect(bad).not.toEqual(expect.arrayContaining([texts[0]]));
});

test('the usual forms are the most frequent ones, and those of which the engine cannot be asked are left to the others', () => {
  const head =
    'a,2026-01-02T03:04:05Z\nb,2026-01-02T03:04:06Z,2026-01-02 03:04:05\nc,2026-01-02 03:04:05.123456+00:00\n2026-01-02 00:00:00';
  expect(formsIn(head)).toEqual(['0000-00-00T00:00:00Z', '0000-00-00 00:00:00']);
  expect(formsIn('no times, 2026-01-02')).toEqual([]);
  expect([hasForm('x', '0000-00-00'), hasForm('x', '0000-00-00T00:00:00.000000000+00:00')]).toEqual([undefined, undefined]);
});

const check = (pieces: readonly (string | Buffer)[], escapes = false): boolean => {
  const isUtf8 = createUtf8Check(escapes);
  return [...pieces, ''].every((piece, i) => isUtf8(Buffer.from(piece as string), i < pieces.length));
};

test('UTF-8 is seen piece by piece, wherever characters and escapes are cut', () => {
  const bytes = Buffer.from('aé€😀\\\\u');
  for (let a = 0; a <= bytes.length; a++)
    for (let b = a; b <= bytes.length; b++) expect(check([bytes.subarray(0, a), bytes.subarray(a, b), bytes.subarray(b)])).toBe(true);
  expect(check([bytes.subarray(0, 2)])).toBe(false);
  expect(check([bytes.subarray(0, 2), 'x'])).toBe(false);
  expect(check([Buffer.from([0x61, 0xe9, 0x0a])])).toBe(false);
  expect(check([Buffer.from([0xa9, 0x61])])).toBe(false);
  expect(check(['{"a":"\\ud83d"}'])).toBe(true);
  for (const pieces of [['{"a":"\\ud83d"}'], ['{"a":"\\', 'ud83d"}'], ['{"a":"\\u', 'D83D"}']]) expect(check(pieces, true)).toBe(false);
  expect(check(['{"a":"\\', 'u00e9"}'], true)).toBe(true);
});
