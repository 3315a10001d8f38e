// Values by what a parameter of a function is for.
import type { Value } from '../../../src/base/result.ts';
import type { Type } from '../../../src/sql/base/types.ts';
import { bytes } from './values.ts';

/** By name of the parameter; `NAME.parameter` is for one function. */
const POOLS: Readonly<Record<string, readonly Value[]>> = {
  zone: [
    'UTC',
    'Europe/London',
    'America/New_York',
    'Asia/Tokyo',
    'America/St_Johns',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    '+05:30',
    '-08:00',
    '+00',
    'Pacific/Auckland',
    'Europe/Berlin',
  ],
  regexp: [
    'a',
    '(b)',
    'a|b',
    '^a',
    '\\d+',
    '[a-c]+',
    '(a)?b',
    'é',
    '.',
    'c$',
    '\\s',
    '(?i)A',
    'x*',
    '(?:a)(b)',
    '\\.',
    '[^a]',
    'b.',
    '\\w+',
    '(\\d)(\\d)?',
  ],
  'REGEXP_EXTRACT.regexp': ['a', '(b)', '^a', '\\d+', '[a-c]+', '(a)?b', '.', '(?i)A', '(?:a)(b)', '^(.)', 'a(x)?', '\\w+'],
  replacement: ['', 'X', '\\0', '<\\0>', '$', '\\\\', 'a'],
  path: ['$', '$.a', '$.b', '$.b[0]', '$.b[2].c', '$.a.b', "$['x y']", '$[0]', '$[1]', '$.z', '$[10]'],
  'json STRING': [
    '{"a":1,"b":[1,2,{"c":"d"}]}',
    '{"a":"1","x y":null}',
    '[1,null,"x",2.5]',
    '"a"',
    '1',
    '',
    '{"a":1,"a":2}',
    '{"a":{"b":"é"}}',
    '[]',
    '{"a": [ 1 , 2 ]}',
    'null',
    '{"a":1.0}',
    '{"a":"\\u00e9\\n"}',
    '{"a":',
  ],
  url: ['https://a.example.co/x?y=1', 'http://user@host:80/', 'ftp://X.Y', '//b.c', 'a.b/c', '', 'https://[::1]:80/', 'mailto:a@b.c'],
  digits: [0n, 1n, 2n, -1n, -2n, 5n, 9n, 15n, -15n, 20n, 38n, 400n],
  count: [0n, 1n, 2n, 3n, 5n, -1n],
  length: [0n, 1n, 2n, 3n, 5n, 10n, -1n],
  position: [0n, 1n, 2n, 3n, -1n, -2n, -10n, 10n],
  occurrence: [1n, 2n, 3n, 0n],
  occurrence_position: [0n, 1n, 2n],
  max_distance: [0n, 1n, 2n, 10n],
  year: [1970n, 1969n, 2024n, 1900n, 2299n, 2000n, -1n, 1n, 9999n],
  month: [1n, 2n, 12n, 0n, 13n, 6n, -1n],
  day: [1n, 28n, 29n, 31n, 0n, 15n, 30n, -1n],
  hour: [0n, 23n, 12n, 24n, -1n],
  minute: [0n, 59n, 30n, 60n],
  second: [0n, 59n, 60n, 1n, -1n],
  days: [0n, 1n, -1n, 19000n, -25567n, 120529n, 10957n],
  'TIMESTAMP_SECONDS.count': [0n, 1n, -1n, 1700000000n, -2208988800n, 10413791999n, 946684800n],
  'TIMESTAMP_MILLIS.count': [0n, 1n, -1n, 1700000000123n, -1500n, 946684800000n, -2208988800000n],
  'TIMESTAMP_MICROS.count': [0n, 1n, -1n, 1700000000123456n, -1500001n, 946684800000000n],
  code: [0n, 65n, 97n, 233n, 128512n, 1114111n, 55296n, 127n, -1n, 1114112n, 496n],
  delimiter: [',', '', ' ', 'a', 'ab', '😀', '-'],
  delimiters: ['', ' ', 'b', '-_', 'é'],
  characters: ['a', 'ab', ' ', 'é', 'cba', '😀'],
  part: ['', 'a', 'b', 'bc', 'é', 'x', 'A', '日'],
  prefix: ['', 'a', 'ab', 'é'],
  suffix: ['', 'c', 'bc', 'é'],
  from: ['', 'a', 'ab', 'é', 'b'],
  to: ['', 'x', 'xy', 'é'],
  'TRANSLATE.from': ['a', 'abc', 'éa', 'b'],
  'TRANSLATE.to': ['', 'x', 'xyz', 'éß'],
  'FROM_HEX.text': ['', '00', 'ff0A', 'f', 'abc', 'zz', 'c3a9'],
  'FROM_BASE64.text': ['', 'YQ==', 'YWJj', '/+8=', 'YQ', '!', 'w6k='],
  'FROM_BASE32.text': ['', 'ME======', 'MFRGG===', 'mfrgg===', '1', 'AAAA'],
  'PARSE_NUMERIC.text': [
    '1',
    '-1.5',
    ' 12 ',
    '1e3',
    '.5',
    '1,000',
    '',
    '+3',
    '1 -',
    '99999999999999999999999999999.9999999999',
    'a',
    '-.5e-2',
  ],
  'PARSE_BIGNUMERIC.text': ['1', '-1.5', ' 12 ', '1e30', '.5', '1,000', '', '+3', 'a', '-.5e-2'],
  'PARSE_JSON.text': [
    '1',
    '{"a":1,"b":[1,2]}',
    '{"a":1,"a":2}',
    '"x"',
    '[1, 2.50, null]',
    'null',
    '',
    '{',
    '1e400',
    '12345678901234567890',
    '{"b":1,"a":2}',
    '"\\u00e9"',
  ],
  'PARSE_JSON.wide_number_mode': ['round', 'exact'],
  address: ['1.2.3.4', '::1', '2001:db8::ff00', '255.255.255.255', '0.0.0.0', '1.2.3', '', '::ffff:1.2.3.4'],
  'NET.IP_FROM_STRING.address': ['1.2.3.4', '::1', '2001:db8::ff00', '0.0.0.0'],
  'address BYTES': [
    bytes(1, 2, 3, 4),
    bytes(255, 255, 255, 255),
    bytes(0, 0, 0, 0),
    bytes(...Array(15).fill(0), 1),
    bytes(32, 1, 13, 184, ...Array(12).fill(1)),
  ],
  prefix_length: [0n, 8n, 24n, 31n, 32n, 33n, 128n, -1n],
  output_length: [4n, 16n, 5n],
  number: [0n, 1n, 16909060n, 4294967295n, -1n, 4294967296n],
  percentile: [0, 0.5, 1, 0.25],
};

/** The pool for a parameter, where it has one. */
export function poolOf(name: string, parameter: string, type: Type): readonly Value[] | undefined {
  const keys = [`${name}.${parameter}`, `${parameter} ${type.kind}`, parameter];
  for (const key of keys) {
    const pool = POOLS[key];
    if (pool === undefined || pool.length === 0) continue;
    const fits = pool.filter((value) => typeFits(type, value));
    if (fits.length > 0) return type.kind === 'BYTES' && key === parameter ? undefined : fits;
  }
  return undefined;
}

function typeFits(type: Type, value: Value): boolean {
  switch (type.kind) {
    case 'STRING':
    case 'BYTES':
      return typeof value === 'string';
    case 'INT64':
      return typeof value === 'bigint';
    case 'FLOAT64':
      return typeof value === 'number';
    default:
      return false;
  }
}
