// Points: BigQuery's sphere, NULLs, and polygons that stand in the query.
import { expect, test } from 'vitest';
import { translate } from '../../../src/sql/index.ts';
import { queryRunner, refusal } from '../../support/query-rows.ts';

const { rows, engineFailure } = queryRunner();
const one = async (expression: string): Promise<unknown> => (await rows(`SELECT ${expression}`))[0]?.[0];

test.each([
  ['ST_X(ST_GEOGPOINT(-122.35, 47.62))', -122.35],
  ['ST_Y(ST_GEOGPOINT(-122.35, 47.62))', 47.62],
  ['ST_ASTEXT(ST_GEOGPOINT(-122.35, 47))', 'POINT(-122.35 47)'],
  ['ST_GEOGPOINT(1, 2)', 'POINT(1 2)'],
  ['[ST_GEOGPOINT(1, 2)]', ['POINT(1 2)']],
  ['STRUCT(ST_GEOGPOINT(1, 2) AS p).p', 'POINT(1 2)'],
  ["ST_GEOGFROMTEXT('POINT( 30.5 -10 )')", 'POINT(30.5 -10)'],
  // Longitudes go around.
  ['ST_X(ST_GEOGPOINT(190, 0))', -170],
  ['ST_X(ST_GEOGPOINT(-541, 0))', 179],
  ['ST_X(ST_GEOGPOINT(180, 0))', 180],
  // NULL for NULL.
  ['ST_GEOGPOINT(NULL, 1)', null],
  ['ST_X(ST_GEOGPOINT(IF(TRUE, NULL, 1), 1))', null],
  ['ST_ASTEXT(ST_GEOGPOINT(1, (SELECT CAST(NULL AS FLOAT64))))', null],
  ['ST_DISTANCE(ST_GEOGPOINT((SELECT CAST(NULL AS FLOAT64)), 1), ST_GEOGPOINT(1, 1))', null],
  ['ST_DWITHIN(ST_GEOGPOINT(1, 1), ST_GEOGPOINT(1, 1), NULL)', null],
  ["ST_CONTAINS(ST_GEOGFROMTEXT('POLYGON((0 0, 1 0, 1 1, 0 0))'), ST_GEOGPOINT((SELECT CAST(NULL AS FLOAT64)), 1))", null],
  ['COALESCE(NULL, ST_GEOGPOINT(1, 2))', 'POINT(1 2)'],
  ['ST_GEOGPOINT(1, 2) IS NULL', false],
  ['IF(1 > 2, ST_GEOGPOINT(1, 2), NULL)', null],
  // Distances.
  ['ST_DISTANCE(ST_GEOGPOINT(7, 50), ST_GEOGPOINT(7, 50))', 0],
  ['ST_DWITHIN(ST_GEOGPOINT(0, 0), ST_GEOGPOINT(1, 0), 111196)', true],
  ['ST_DWITHIN(ST_GEOGPOINT(0, 0), ST_GEOGPOINT(1, 0), 111195)', false],
])('%s', async (expression, expected) => {
  expect(await one(expression)).toEqual(expected);
});

test.each([
  // As BigQuery has answered it.
  [[139.7454316, 35.658584, 139.8108103, 35.7100069], 8219.632821167155],
  [[0, 0, 1, 0], 111195.10117748393],
  [[0, 0, 180, 0], Math.PI * 6371010],
  [[0, 90, 33, -90], Math.PI * 6371010],
  [[179.9999, 10, -179.9999, 10], 0.0002 * (Math.PI / 180) * 6371010 * Math.cos((10 * Math.PI) / 180)],
])('the distance of %j is that of a sphere', async ([a, b, c, d], meters) => {
  const found = Number(await one(`ST_DISTANCE(ST_GEOGPOINT(${a}, ${b}), ST_GEOGPOINT(${c}, ${d}))`));
  expect(Math.abs(found - meters)).toBeLessThan(1e-6);
});

test('points go through tables, functions and joins', async () => {
  const text = `CREATE TEMP FUNCTION near(a GEOGRAPHY, b GEOGRAPHY) AS (ST_DWITHIN(a, b, 200000));
    WITH places AS (SELECT 'a' AS name, ST_GEOGPOINT(0, 0) AS place UNION ALL SELECT 'b', ST_GEOGPOINT(1, 0) UNION ALL SELECT 'c', NULL)
    SELECT p.name, q.name, ROUND(ST_DISTANCE(p.place, q.place)), p.place FROM places AS p LEFT JOIN places AS q ON near(p.place, q.place) AND p.name < q.name ORDER BY 1`;
  expect(await rows(text)).toEqual([
    ['a', 'b', 111195, 'POINT(0 0)'],
    ['b', null, null, 'POINT(1 0)'],
    ['c', null, null, null],
  ]);
  expect(translate('SELECT ST_GEOGPOINT(1, 2) AS place').columns).toEqual([{ name: 'place', type: { kind: 'GEOGRAPHY' } }]);
});

const POLYGON = (text: string): string => `ST_GEOGFROMTEXT('POLYGON(${text})')`;
const BOX = POLYGON('(0 0, 60 0, 60 60, 0 60, 0 0)');

test.each([
  [BOX, 30, 30, true],
  [BOX, 30, -0.001, false],
  [BOX, -1, 30, false],
  // The northern edge is a geodesic: amid the two corners it is at 63.4 degrees, where a straight line on a map stays at 60.
  [BOX, 30, 62, true],
  [BOX, 30, 63.5, false],
  // The other side of the earth.
  [BOX, -150, -30, false],
  // Whatever the direction of the ring, its inner side is the smaller one.
  [POLYGON('(0 0, 0 10, 10 10, 10 0, 0 0)'), 5, 5, true],
  // A hole, the date line, a pole.
  [POLYGON('(0 0, 10 0, 10 10, 0 10, 0 0), (4 4, 6 4, 6 6, 4 6, 4 4)'), 5, 5, false],
  [POLYGON('(0 0, 10 0, 10 10, 0 10, 0 0), (4 4, 6 4, 6 6, 4 6, 4 4)'), 3, 5, true],
  [POLYGON('(170 -10, -170 -10, -170 10, 170 10, 170 -10)'), 179, 0, true],
  [POLYGON('(170 -10, -170 -10, -170 10, 170 10, 170 -10)'), 0, 0, false],
  [POLYGON('(0 80, 90 80, 180 80, -90 80, 0 80)'), 45, 89, true],
  [POLYGON('(0 80, 90 80, 180 80, -90 80, 0 80)'), 45, 81, false],
] as const)('%s and the point %d %d: %s', async (polygon, x, y, expected) => {
  const point = `ST_GEOGPOINT(${x}, ${y})`;
  for (const call of [
    `ST_CONTAINS(${polygon}, ${point})`,
    `ST_COVEREDBY(${point}, ${polygon})`,
    `ST_WITHIN(${point}, ${polygon})`,
    `ST_INTERSECTS(${point}, ${polygon})`,
  ])
    expect(await one(call), call).toBe(expected);
});

test('points are read from texts of rows', async () => {
  const text = `SELECT ST_ASTEXT(ST_GEOGFROMTEXT(wkt)), ST_X(ST_GEOGFROMTEXT(wkt)) FROM UNNEST(['POINT(1.5 -2)', 'point ( -1e1  .5 ) ', NULL]) AS wkt WITH OFFSET AS o ORDER BY o`;
  expect(await rows(text)).toEqual([
    ['POINT(1.5 -2)', 1.5],
    ['POINT(-10 0.5)', -10],
    [null, null],
  ]);
  for (const wkt of ['POLYGON((0 0, 1 0, 1 1, 0 0))', 'POINT EMPTY', ''])
    expect(await engineFailure(`SELECT ST_GEOGFROMTEXT(wkt) FROM UNNEST(['${wkt}']) AS wkt`)).toMatch(/only points can be read/);
  expect(await engineFailure("SELECT ST_GEOGFROMTEXT(wkt) FROM UNNEST(['POINT(0 91)']) AS wkt")).toMatch(/latitude must be between/);
});

test('a polygon may be the value of a variable', async () => {
  const text = `DECLARE area DEFAULT ${POLYGON('(0 0, 2 0, 2 2, 0 2, 0 0)')};
    SELECT x FROM UNNEST([1, 2, 3, 5]) AS x WHERE ST_COVERS(area, ST_GEOGPOINT(x - 0.5, 1)) ORDER BY x`;
  expect(await rows(text)).toEqual([[1], [2]]);
});

test.each([
  ['ST_GEOGPOINT(0, 91)', /latitude must be between/],
  ['ST_GEOGPOINT(CAST("nan" AS FLOAT64), x)', /latitude must be between/],
  [BOX, /a polygon can only be the argument of ST_CONTAINS/],
])('%s fails', async (expression, expected) => {
  expect(await engineFailure(`SELECT ${expression} FROM UNNEST([1.0]) AS x`)).toMatch(expected);
});

test.each([
  ['ST_GEOGPOINT(1, 2) = ST_GEOGPOINT(1, 2)', 'unsupported: this does not take values of type GEOGRAPHY'],
  ['FORMAT("%t", ST_GEOGPOINT(1, 2))', 'unsupported: FORMAT does not take values of type GEOGRAPHY'],
  ['TO_JSON_STRING(STRUCT(ST_GEOGPOINT(1, 2)))', 'unsupported: TO_JSON_STRING does not take values of type GEOGRAPHY'],
  ['CAST(ST_GEOGPOINT(1, 2) AS STRING)', 'type: GEOGRAPHY can’t be cast to STRING'],
  ['ST_X(STRUCT(1.0, 2.0))', 'type: ST_X does not take (STRUCT<FLOAT64, FLOAT64>)'],
  ['x FROM UNNEST([1]) AS x GROUP BY x, ST_GEOGPOINT(x, 1)', 'type: GROUP BY can’t use values of type GEOGRAPHY'],
  ['x FROM UNNEST([1]) AS x ORDER BY ST_GEOGPOINT(x, 1)', 'type: values of type GEOGRAPHY have no order'],
  ['ST_DISTANCE(ST_GEOGPOINT(1, 2), ST_GEOGPOINT(1, 2), TRUE)', 'unsupported: distances are on a sphere: use_spheroid can only be FALSE'],
  [
    'ST_CONTAINS(ST_GEOGPOINT(1, 2), ST_GEOGPOINT(1, 2))',
    'unsupported: only a polygon that stands here as a constant can be asked for the points that it contains',
  ],
  [
    `ST_CONTAINS(${POLYGON('(0 0, 1 0, 1 1)')}, ST_GEOGPOINT(1, 2))`,
    'type: a ring of a POLYGON has at least three corners, and ends with the first one',
  ],
  [`ST_CONTAINS(${POLYGON('(0 0, 1 1, 1 0, 0 1, 0 0)')}, ST_GEOGPOINT(1, 2))`, 'type: edges of the POLYGON cross each other'],
  [`ST_CONTAINS(${POLYGON('(0 0, 120 0, -120 0, 0 0)')}, ST_GEOGPOINT(1, 2))`, /unsupported: the POLYGON is too large/],
  ["ST_GEOGFROMTEXT('LINESTRING(0 0, 1 1)')", 'unsupported: only a POLYGON can contain points here'],
  ['ST_LENGTH(ST_GEOGPOINT(1, 2))', /ST_LENGTH/],
])('SELECT %s is refused', (sql, expected) => {
  const found = refusal(`SELECT ${sql}`);
  if (typeof expected === 'string') expect(found).toBe(expected);
  else expect(found).toMatch(expected);
});

type Vector = readonly [number, number, number];
const toVector = ([x, y]: readonly [number, number]): Vector => {
  const [lambda, phi] = [(x * Math.PI) / 180, (y * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
};
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** How often the corners go around a point of the sphere, to the left; -1 seen from the other side of the earth. */
function turns(point: Vector, corners: readonly Vector[]): number {
  const angles = corners.map((a, i) => {
    const b = corners[(i + 1) % corners.length] ?? a;
    return Math.atan2(dot(point, cross(a, b)), dot(a, b) - dot(a, point) * dot(b, point));
  });
  return Math.round(angles.reduce((sum, angle) => sum + angle, 0) / (2 * Math.PI));
}

test.each([
  [
    [
      [0, 0],
      [60, 0],
      [60, 60],
      [0, 60],
    ],
  ],
  [
    [
      [-100, 20],
      [-60, -30],
      [-40, 10],
      [-70, 5],
      [-80, 60],
    ],
  ],
  [
    [
      [150, -60],
      [-150, -50],
      [-170, 10],
      [175, -40],
    ],
  ],
  [
    [
      [0, 70],
      [90, 60],
      [180, 75],
      [-90, 65],
    ],
  ],
] as const)('what is in %j is what its geodesics go around', async (ring) => {
  let seed = 7;
  const random = (): number => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  const points = Array.from({ length: 1500 }, (): [number, number] => [
    random() * 360 - 180,
    (Math.asin(2 * random() - 1) * 180) / Math.PI,
  ]);
  const corners = [...ring, ring[0]].map(([x, y]) => `${x} ${y}`).join(', ');
  const list = points.map(([x, y]) => `(${x}, ${y})`).join(', ');
  const text = `SELECT ST_CONTAINS(${POLYGON(`(${corners})`)}, ST_GEOGPOINT(p.x, p.y))
    FROM UNNEST(ARRAY<STRUCT<x FLOAT64, y FLOAT64>>[${list}]) AS p WITH OFFSET AS o ORDER BY o`;
  const found = (await rows(text)).map(([is]) => is);
  expect(found).toEqual(points.map((point) => turns(toVector(point), ring.map(toVector)) === 1));
  expect(found.filter((is) => is === true).length).toBeGreaterThan(20);
});
