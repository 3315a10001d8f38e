// A table of events whose parameters and items are arrays of structs, as exports of web analytics have them.

import type { Value } from '../../../../src/base/result.ts';
import type { Random } from '../../../../src/cli/demo/random.ts';
import { arrayOf, FLOAT64, INT64, STRING, structOf, type Type } from '../../../../src/sql/base/types.ts';
import { engineLiteral } from '../../literal.ts';
import type { Table } from '../../outcome.ts';
import type { TablePair } from '../tables.ts';

const named = (fields: Readonly<Record<string, Type>>): Type => structOf(Object.entries(fields).map(([name, type]) => ({ name, type })));

const VALUE = named({ string_value: STRING, int_value: INT64, double_value: FLOAT64 });
const COLUMNS: Table['columns'] = [
  { name: 'id', type: INT64 },
  { name: 'user', type: STRING },
  { name: 'params', type: arrayOf(named({ key: STRING, value: VALUE })) },
  { name: 'device', type: named({ os: STRING, size: named({ w: INT64 }) }) },
  { name: 'items', type: arrayOf(named({ name: STRING, price: FLOAT64, quantity: INT64, tags: arrayOf(STRING) })) },
];
const ENGINE_TYPES = [
  'Int64',
  'Nullable(String)',
  'Array(Tuple(key String, value Tuple(string_value Nullable(String), int_value Nullable(Int64), double_value Nullable(Float64))))',
  'Tuple(os Nullable(String), size Tuple(w Nullable(Int64)))',
  'Array(Tuple(name String, price Nullable(Float64), quantity Int64, tags Array(String)))',
];

export function eventTable(random: Random): TablePair {
  const some = <T>(most: number, one: () => T): readonly T[] => Array.from({ length: random.below(most + 1) }, one);
  const parameter = (): Value => [
    random.pick(['page', 'count', 'price', 'other']),
    [random.pick([null, '/a', '/b', '']), random.pick([null, 1n, 2n, 40n]), random.pick([null, 0.5, 2, 2.5])],
  ];
  const item = (): Value => [
    random.pick(['x', 'y', 'é']),
    random.pick([null, 1.5, 2, 10]),
    random.pick([1n, 2n, 3n]),
    some(2, () => random.pick(['a', 'b'])),
  ];
  const rows = Array.from({ length: 7 }, (_, at): readonly Value[] => [
    BigInt(at + 1),
    random.pick(['u1', 'u2', null]),
    some(3, parameter),
    [random.pick(['iOS', 'Android', null]), [random.pick([320n, 640n, null])]],
    some(3, item),
  ]);
  return {
    table: { name: 'ev', columns: COLUMNS, rows },
    engine: (wanted) => ({
      name: 'ev',
      statements: [
        `CREATE TABLE x.ev (${COLUMNS.map(({ name }, at) => `${name} ${ENGINE_TYPES[at]}`).join(', ')}) ENGINE = MergeTree ORDER BY id`,
        ...(wanted.length === 0
          ? []
          : [
              `INSERT INTO x.ev VALUES ${wanted.map((row) => `(${row.map((value, at) => engineLiteral(COLUMNS[at]?.type ?? INT64, value, ENGINE_TYPES[at] ?? '')).join(', ')})`).join(', ')}`,
            ]),
      ],
    }),
  };
}
