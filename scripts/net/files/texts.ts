// Files of text with what readers of files take for something else: codes with leading zeros, numbers beyond every type, times, quotes, empty fields.
import { gzipSync } from 'node:zlib';
import type { NetFile } from './file.ts';

const lines = (...rows: readonly string[]): string => rows.map((row) => `${row}\n`).join('');

const CSV: Readonly<Record<string, string>> = {
  'codes.csv': lines(
    'id,zip,digits,phone,mixed,version',
    '1,00501,12345678901234567890,+4930123,1,1.10',
    '2,02134,98765432109876543210,+4930456,x,1.2',
  ),
  'numbers.csv': lines(
    'id,small,large,beyond,point,exponent,thousands,percent,hex,special',
    '1,-1,9223372036854775807,9223372036854775808,1.50,1e3,"1,000",10%,0xFF,nan',
    '2,+7,-9223372036854775808,1,0.1,2.5E-3,"2,000.5",5%,0x10,inf',
  ),
  'decimals.csv': lines('id,price,long', '1,10.00,0.1234567890123456789', '2,9.99,12345678901234567890.123456789'),
  'times.csv': lines(
    'id,day,clock,short_clock,plain,spaced,zulu,offset,fraction,american,german,year,month,seconds',
    '1,2026-01-31,12:34:56,12:34,2026-01-31T12:34:56,2026-01-31 12:34:56,2026-01-31T12:34:56Z,2026-01-31T12:34:56+05:30,2026-01-31 12:34:56.123456,01/31/2026,31.01.2026,2026,2026-01,1767225600',
    '2,1969-12-31,23:59:59.5,00:00,1969-12-31T23:59:59,1969-12-31 23:59:59,1969-12-31T23:59:59.5Z,2026-01-31T12:34:56-0800,2026-01-31 12:34:56.1,12/01/2026,01.12.2026,1999,1999-12,0',
  ),
  'far-times.csv': lines(
    'id,early,late,named',
    '1,0001-01-01,9999-12-31T23:59:59Z,2026-01-31 12:00:00 UTC',
    '2,1850-06-01,2300-01-01T00:00:00Z,2026-01-31 12:00:00 Europe/Berlin',
  ),
  'mixed-times.csv': lines(
    'id,day_or_time,clock_or_text,time_or_empty',
    '1,2026-01-31,12:34:56,2026-01-31T00:00:00Z',
    '2,2026-01-31 10:00:00,noon,',
  ),
  'booleans.csv': lines('id,lower,upper,words,letters,digits,with_empty', '1,true,TRUE,yes,t,1,true', '2,false,FALSE,no,f,0,'),
  'empty-fields.csv': lines(
    'id,text,quoted,number,day,null_word,backslash',
    '1,,"",,,NULL,\\N',
    '2,a,"b",1,2026-01-31,x,y',
    '3,,"",2,,null,\\N',
  ),
  'only-empty.csv': lines('id,nothing,quoted', '1,,""', '2,,""'),
  'quotes.csv': lines('id,text,single', '1,"a ""quoted"" word",\'it is\'', '2,"two\nlines, and a comma",it\'s', '3," spaces ",  bare  '),
  'windows-lines.csv': 'id,text\r\n1,a\r\n2,"b\r\nc"\r\n',
  'no-last-newline.csv': 'id,text\n1,a\n2,b',
  'blank-lines.csv': 'id,text\n1,a\n\n2,b\n\n',
  'spaces-in-header.csv': lines('id,First Name, padded ,a.b,select,Größe', '1,x,y,z,1,2', '2,p,q,r,3,4'),
  'same-names.csv': lines('id,a,A,a', '1,x,y,z'),
  'unnamed.csv': lines('id,,b', '1,x,y'),
  'numbers-only.csv': lines('1,2.5,a', '2,3.5,b'),
  'texts-only.csv': lines('a,b', 'c,d', 'e,f'),
  'header-only.csv': lines('id,text'),
  'nothing.csv': '',
  'short-rows.csv': lines('id,a,b', '1,x', '2,x,y'),
  'long-rows.csv': lines('id,a', '1,x', '2,x,y'),
  'bad-number.csv': lines('id,n', ...Array.from({ length: 40 }, (_, i) => `${i + 1},${i}`), '41,many'),
  'late-zeros.csv': lines('id,zip', ...Array.from({ length: 40 }, (_, i) => `${i + 1},${10000 + i}`), '41,00501'),
  'semicolon.csv': lines('id;name;price', '1;a,b;1,5', '2;c;2,5'),
  'tabs.csv': lines('id\tname\tprice', '1\ta\t1.5', '2\tb\t2.5'),
  'pipes.csv': lines('id|name|price', '1|a|1.5', '2|b|2.5'),
  'mark.csv': `\ufeff${lines('id,text', '1,ä', '2,日本')}`,
  'json-in-cells.csv': lines('id,object,array', '1,"{""a"": 1, ""b"": [1, 2]}","[1, 2]"', '2,"{""a"": 2}","[]"'),
  'uuids.csv': lines(
    'id,uuid,hash,address',
    '1,7a0e9c52-1f0b-4e53-8a67-3f5d3f0b1000,d41d8cd98f00b204,192.0.2.1',
    '2,7a0e9c52-1f0b-4e53-8a67-3f5d3f0b1001,0e12345678901234,2001:db8::1',
  ),
  'not-numbers.csv': lines(
    'id,double,whole,only,named',
    '1,0.1,1,NaN,NaN',
    '2,NaN,NaN,,x',
    '3,Infinity,-Infinity,NaN,Infinity',
    '4,-Infinity,4,,',
  ),
  'open-quote.csv': lines('id,text', '1,a', '2,"b', '3,c'),
  'quote-in-cell.csv': lines('id,text', '1,a', '2,b"c', '3,"d"e'),
  'zips.tsv': lines('id\tzip\tcity', '1\t00501\tHoltsville', '2\t02134\tBoston'),
  'escapes.tsv': lines('id\ttext\tempty', '1\ta\\tb\\nc\\\\d\t\\N', '2\t"quoted"\t', "3\tit's\tx"),
};

const NDJSON: Readonly<Record<string, string>> = {
  'scalars.ndjson': lines(
    '{"id":1,"i":1,"f":1.5,"b":true,"s":"a","n":null,"zip":"00501","digits":"12345678901234567890","e":1e3,"whole":2.0}',
    '{"id":2,"i":-9223372036854775808,"f":2,"b":false,"s":"","n":null,"zip":"02134","digits":"1","e":5,"whole":3}',
  ),
  'large.ndjson': lines(
    '{"id":1,"beyond":9223372036854775808,"twenty":12345678901234567890,"thirty":123456789012345678901234567890}',
    '{"id":2,"beyond":1,"twenty":2,"thirty":3}',
  ),
  'times.ndjson': lines(
    '{"id":1,"day":"2026-01-31","clock":"12:34:56","plain":"2026-01-31T12:34:56","zulu":"2026-01-31T12:34:56.123Z","offset":"2026-01-31T12:34:56+05:30","seconds":1767225600}',
    '{"id":2,"day":"1969-12-31","clock":"00:00:00.5","plain":"2026-01-31 12:34:56","zulu":"2026-01-31T12:34:56Z","offset":"2026-01-31T12:34:56-08:00","seconds":0}',
  ),
  'not-numbers.ndjson': lines('{"id":1,"double":0.5,"texts":"1"}', '{"id":2,"double":"NaN","texts":"2"}', '{"id":3,"double":"-Infinity"}'),
  'json-values.ndjson': lines(
    '{"id":1,"doc":"text"}',
    '{"id":2,"doc":1.50}',
    '{"id":3,"doc":{"a":"1"}}',
    '{"id":4,"doc":null}',
    '{"id":5,"doc":"7"}',
  ),
  'nested.ndjson': lines(
    '{"id":1,"o":{"a":1,"s":"x","deep":{"b":[1,2]}},"list":[1,2],"objects":[{"k":"a","v":1},{"k":"b"}],"empty_list":[],"empty_object":{}}',
    '{"id":2,"o":{"a":null,"more":true},"list":[],"objects":[],"empty_list":[],"empty_object":{}}',
  ),
  'nulls-in-lists.ndjson': lines(
    '{"id":1,"list":[1,null,3],"texts":["a",null],"matrix":[[1],[2,3]]}',
    '{"id":2,"list":null,"texts":[],"matrix":[]}',
  ),
  'changing.ndjson': lines('{"id":1,"x":1,"y":1,"z":{"a":1}}', '{"id":2,"x":"a","y":1.5,"z":"text"}', '{"id":3,"y":true,"z":[1]}'),
  'late-fields.ndjson': lines('{"id":1}', '{"id":2,"late":"x"}', '{"late":"y","id":3,"other":1}'),
  'odd.ndjson': lines(
    '{"id":1,"text":"\\u00e4 \\ud83d\\ude00 \\n \\"","a b":1,"a.b":2,"select":4}',
    '',
    '{"id":2,"text":"x","a b":null,"a.b":5,"select":7}',
  ),
  'nameless.ndjson': lines('{"id":1,"":5}'),
  'same-fields.ndjson': lines('{"id":1,"a":0}', '{"id":1,"a":1,"a":2}'),
  'same-names.ndjson': lines('{"id":2,"a":3,"A":4}'),
  'lists-of-lists.ndjson': lines('{"id":1,"m":[[1],[2,3]],"o":{"x":1,"m":[[1]]}}', '{"id":2,"m":[],"o":null}'),
  'broken.ndjson': lines('{"id":1,"a":"x"}', '{"id":2,"a":', '{"id":3,"a":"z"}'),
  'mark.ndjson': `\ufeff${lines('{"id":1,"a":"x"}')}`,
  'no-objects.ndjson': lines('[1,2]', '"text"'),
  'list.json': '[\n  {"id": 1, "zip": "00501", "at": "2026-01-31T12:34:56Z"},\n  {"id": 2, "zip": "02134", "at": null}\n]\n',
  'compact.json': '[{"id":1,"o":{"a":[{"b":1}]}},{"id":2,"o":{"a":[]}}]',
  'one-object.json': '{"id": 1, "a": "x"}\n',
  'no-rows.json': '[]\n',
};

const bytes = (encoding: 'latin1' | 'utf16le'): Uint8Array =>
  Buffer.from(`${encoding === 'utf16le' ? '\ufeff' : ''}${lines('id,text', '1,Größe', '2,b')}`, encoding);

export const TEXT_FILES: readonly NetFile[] = [
  ...Object.entries({ ...CSV, ...NDJSON }).map(([name, content]): NetFile => ({ name, content })),
  { name: 'latin1.csv', content: bytes('latin1') },
  { name: 'utf16.csv', content: bytes('utf16le') },
  // The same files read as one asks for it.
  { name: 'with-schema.csv', content: CSV['codes.csv'] ?? '', options: { schema: 'zip:STRING,digits:BIGNUMERIC,version:STRING' } },
  {
    name: 'times-with-schema.csv',
    content: CSV['times.csv'] ?? '',
    options: { schema: 'clock:TIME,plain:DATETIME,spaced:DATETIME,zulu:TIMESTAMP,year:STRING,day:STRING' },
  },
  { name: 'semicolon-said.csv', content: CSV['semicolon.csv'] ?? '', options: { delimiter: ';' } },
  { name: 'tabs-said.csv', content: CSV['tabs.csv'] ?? '', options: { delimiter: '\t' } },
  { name: 'utf16-said.csv', content: bytes('utf16le'), options: { encoding: 'UTF-16LE' } },
  { name: 'latin1-said.csv', content: bytes('latin1'), options: { encoding: 'ISO-8859-1' } },
  { name: 'nulls-said.csv', content: CSV['empty-fields.csv'] ?? '', options: { null_text: 'NULL', schema: 'number:STRING,day:STRING' } },
  { name: 'no-header-said.csv', content: CSV['texts-only.csv'] ?? '', options: { header: false } },
  {
    name: 'no-header-schema.csv',
    content: CSV['numbers-only.csv'] ?? '',
    options: { header: false, schema: 'n:INT64,x:NUMERIC,t:STRING' },
  },
  { name: 'no-header.tsv', content: '00501\tHoltsville\n02134\tBoston\n', options: { header: false, schema: 'zip:STRING,city:STRING' } },
  { name: 'skipped-lines.csv', content: lines('A report', 'of 2026', 'id,zip', '1,00501', '2,02134'), options: { skip_leading_rows: 3 } },
  { name: 'values-with-schema.ndjson', content: NDJSON['json-values.ndjson'] ?? '', options: { schema: 'doc:JSON' } },
  {
    name: 'nested-with-schema.ndjson',
    content: NDJSON['nested.ndjson'] ?? '',
    options: { schema: 'o:STRUCT<a NUMERIC, s STRING>,objects:ARRAY<STRUCT<k STRING, v NUMERIC>>' },
  },
  {
    name: 'nested-types.ndjson',
    content: lines(
      '{"id":1,"o":{"n":1.25,"b":"YWJj","d":"2026-01-31","t":"2026-01-31T12:34:56+02:00","c":"12:34:56"},"l":["1.0000000005",2],"deep":[{"k":[{"n":"12345678901234567890.5"}]}]}',
      '{"id":2,"o":null,"l":[],"deep":[{"k":[]},{}]}',
      '{"id":3,"o":{"n":"","d":"0001-01-01","t":"9999-12-31T23:59:59"}}',
    ),
    options: {
      schema:
        'o:STRUCT<n NUMERIC, b BYTES, d DATE, t TIMESTAMP, c TIME>,l:ARRAY<NUMERIC>,deep:ARRAY<STRUCT<k ARRAY<STRUCT<n BIGNUMERIC>>>>',
    },
  },
  {
    name: 'nested-times.ndjson',
    content: lines('{"id":1,"o":{"t":"2026-01-31 12:34:56"}}', '{"id":2,"o":{"t":"noon"}}'),
    options: { schema: 'o:STRUCT<t DATETIME>' },
  },
  {
    name: 'places-with-schema.csv',
    content: lines('id,place,span', '1,POINT(1 2),"[2026-01-01, 2026-02-01)"'),
    options: { schema: 'place:GEOGRAPHY,span:RANGE<DATE>' },
  },
  {
    name: 'late-bad-line.csv',
    content: '# a report\r\nid,text,n\r\n1,"two\r\nlines",1\r\n2,"and\nthree\n",2\r\n3,x,many\r\n',
    options: { skip_leading_rows: 2, schema: 'n:INT64' },
  },
  { name: 'windows-1252-said.csv', content: Buffer.from('id,text\n1,\x80 5\n', 'latin1'), options: { encoding: 'Windows-1252' } },
  { name: 'utf16-said.ndjson', content: Buffer.from('\ufeff{"id":1,"text":"Größe"}\n', 'utf16le'), options: { encoding: 'UTF-16' } },
  { name: 'latin1.csv.gz', content: gzipSync(bytes('latin1')) },
  { name: 'latin1-said.csv.gz', content: gzipSync(bytes('latin1')), options: { encoding: 'ISO-8859-1' } },
  { name: 'cut-utf16.csv', content: bytes('utf16le').subarray(0, 21), options: { encoding: 'UTF-16' } },
  { name: 'latin1.ndjson', content: Buffer.from('{"id":1,"text":"a"}\n{"id":2,"text":"Größe"}\n', 'latin1') },
  { name: 'bytes-and-json.csv', content: lines('id,b,j', '1,YWJj,"{""a"": 1}"', '2,,null'), options: { schema: 'b:BYTES,j:JSON' } },
  { name: 'json-with-schema.ndjson', content: NDJSON['nested.ndjson'] ?? '', options: { schema: 'o:JSON,objects:JSON' } },
];
