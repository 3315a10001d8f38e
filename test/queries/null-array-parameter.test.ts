// An array parameter that was not given is NULL, which ClickHouse cannot bind: another parameter says so.
import { expect, test } from 'vitest';
import { openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { bindingsFor } from '../../src/queries/parameters.ts';
import { arrayOf, INT64 } from '../../src/sql/base/types.ts';
import { bind } from '../../src/sql/compile/specialize.ts';
import { translateSpecializable } from '../../src/sql/index.ts';
import { tempFolder } from '../support/temp-store.ts';

const SQL = 'SELECT x FROM UNNEST([1, 2, 3]) AS x WHERE @ids IS NULL OR x IN UNNEST(@ids) ORDER BY x';

test('a filter on an absent list keeps all rows, one on an empty list none', async () => {
  const folder = tempFolder();
  const engine = await openEmbedded({ path: folder.path });
  const translation = translateSpecializable(SQL, { parameters: { ids: arrayOf(INT64) } });
  const rowsFor = async (ids: readonly number[] | null): Promise<unknown> => {
    const given = { ids: ids === null ? null : [...ids] };
    const run = async ({ sql, parameters }: Pick<typeof translation, 'sql' | 'parameters'>): Promise<unknown> =>
      (await engine.execute({ sql, bindings: bindingsFor(parameters, given, undefined), settings: translation.settings })).rows.flat();
    const rows = await run(translation);
    expect(await run(bind(translation, given))).toEqual(rows);
    return rows;
  };
  expect(translation.parameters.map(({ name, type }) => `${name} ${type}`)).toEqual([
    'quern_null_ids Nullable(Bool)',
    'ids Array(Nullable(Int64))',
  ]);
  expect(await rowsFor(null)).toEqual([1, 2, 3]);
  expect(await rowsFor([])).toEqual([]);
  expect(await rowsFor([2])).toEqual([2]);
  await engine.close();
  folder.remove();
});
