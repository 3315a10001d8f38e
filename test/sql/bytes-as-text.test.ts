// BYTES of a result: base64 where that is asked for, since JSON cannot carry them.
import { expect, test } from 'vitest';
import type { Value } from '../../src/base/result.ts';
import { translate } from '../../src/sql/index.ts';
import { queryRunner } from '../support/query-rows.ts';

const { rows } = queryRunner();

test.each<readonly [string, readonly (readonly Value[])[]]>([
  ['select b"a" as b', [['YQ==']]],
  ['select b"" as empty, cast(null as bytes) as none, b"\\xff\\x00" as high', [['', null, '/wA=']]],
  ['select from_hex("ff00") as b, sha1("a") as h', [['/wA=', 'hvfkN/qlp/zhXR3cuerq6jd2Z7g=']]],
  ['select [b"a", null, b"\\xff"] as list, array<bytes>[] as none', [[['YQ==', null, '/w=='], []]]],
  ['select struct(b"x" as y, 1 as n, [b"z"] as zs) as s', [[['eA==', 1, ['eg==']]]]],
  ['select [struct(b"x" as y)] as list', [[[['eA==']]]]],
  ['select as struct b"x" as y, 1 as n', [['eA==', 1]]],
  ['select distinct b from unnest([b"b", b"a", b"b", b"\\xff"]) as b order by b', [['YQ=='], ['Yg=='], ['/w==']]],
  ['select b from unnest([b"\\xff", b"a"]) as b order by length(b), b limit 1', [['YQ==']]],
  ['select b, count(*) as n from unnest([b"b", b"a", b"b"]) as b group by b having b > b"a"', [['Yg==', 2]]],
  ['select b"b" as x union distinct select b"a" union distinct select b"b" order by x', [['YQ=='], ['Yg==']]],
  ['with t as (select b"a" as x) select x, x = b"a" as same, length(x) as n from t', [['YQ==', true, 1]]],
  ['select to_base64(b"a") as t, cast(b"a" as string) as s', [['YQ==', 'a']]],
])('%s', async (sql, expected) => {
  expect(await rows(sql)).toEqual(expected);
});

test('without being asked for, BYTES stay as they are', () => {
  expect(translate('select b"a" as b').sql).toBe("SELECT 'a' AS b");
});
