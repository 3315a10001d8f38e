// Points on the earth. https://cloud.google.com/bigquery/docs/reference/standard-sql/geography_functions
import { fail } from '../../base/fail.ts';
import type { Expr } from '../../logical/nodes.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { and, array, call, element, iff, infix, isNull, lit, NULL, not, tuple } from '../../target/build.ts';
import { defineHelper } from '../../target/helpers.ts';
import type { Family, LowerCall } from '../define.ts';
import { strict } from '../strict.ts';
import { type FlatPolygon, NUMBER, readPoint, readPolygon, type Vector } from './polygon.ts';

/** The radius of BigQuery's sphere, in meters. */
const RADIUS = 6_371_010;

const times = (...factors: readonly [SqlExpression, ...SqlExpression[]]): SqlExpression =>
  factors.reduce((product, factor) => infix('*', product, factor));

/** A point is NULL where one of its coordinates is; 190 degrees east is 170 degrees west. */
const geogPoint = defineHelper('geog_point', ['_longitude', '_latitude'], (longitude, latitude) => {
  const isAbsent = infix('OR', isNull(longitude), isNull(latitude));
  const [east, north] = [call('ifNull', longitude, lit(0)), call('ifNull', latitude, lit(0))];
  const around = infix('-', east, times(lit(360), call('round', infix('/', east, lit(360)))));
  return iff(
    isAbsent,
    NULL,
    tuple(call('toFloat64', iff(infix('>', call('abs', east), lit(180)), around, east)), call('toFloat64', north)),
  );
});

/** Degrees, NULL where the point is. Longitudes go around, which sines do not mind. */
interface Coordinates {
  readonly longitude: SqlExpression;
  readonly latitude: SqlExpression;
}

/** Computes something of points by their coordinates: no tuple is made of those that stand there, and their checks come first. */
function ofPoints(points: readonly SqlExpression[], compute: (...coordinates: readonly Coordinates[]) => SqlExpression): SqlExpression {
  const checks = points.flatMap((point) => (point.kind === 'check' && coordinatesIn(point.value) !== undefined ? [point] : []));
  const result = compute(
    ...points.map(
      (point) =>
        coordinatesIn(point.kind === 'check' ? point.value : point) ?? { longitude: element(point, 1), latitude: element(point, 2) },
    ),
  );
  return checks.reduce<SqlExpression>((value, check) => ({ ...check, value }), result);
}

function coordinatesIn(point: SqlExpression | null): Coordinates | undefined {
  if (point?.kind !== 'func' || point.name !== 'geog_point') return undefined;
  const [longitude = NULL, latitude = NULL] = point.args;
  return { longitude, latitude };
}

/** The angle by its sine and cosine: exact to the last digits for near points, and for those on the other side of the earth. */
const sphereDistance = defineHelper('sphere_distance', ['_lon1', '_lat1', '_lon2', '_lat2'], (lon1, lat1, lon2, lat2) => {
  const [start, end] = [call('radians', lat1), call('radians', lat2)];
  const across = call('radians', infix('-', lon2, lon1));
  const [right, up] = [
    times(call('cos', end), call('sin', across)),
    infix('-', times(call('cos', start), call('sin', end)), times(call('sin', start), call('cos', end), call('cos', across))),
  ];
  const sine = call('sqrt', infix('+', times(right, right), times(up, up)));
  const cosine = infix('+', times(call('sin', start), call('sin', end)), times(call('cos', start), call('cos', end), call('cos', across)));
  return infix('*', call('atan2', sine, cosine), lit(RADIUS));
});

/** How far a point of the unit sphere is along an axis through its centre. */
const alongAxis = defineHelper('along_axis', ['_lon', '_lat', '_x', '_y', '_z'], (lon, lat, x, y, z) => {
  const [lambda, phi] = [call('radians', lon), call('radians', lat)];
  const flat = infix('+', times(call('cos', lambda), x), times(call('sin', lambda), y));
  return infix('+', times(call('cos', phi), flat), times(call('sin', phi), z));
});

/** Returns the point as BigQuery writes it. */
export const pointText = (point: SqlExpression): SqlExpression =>
  call('concat', lit('POINT('), call('toString', element(point, 1)), lit(' '), call('toString', element(point, 2)), lit(')'));

function distance(from: SqlExpression, to: SqlExpression, c: LowerCall, spheroid: number): SqlExpression {
  if (c.args[spheroid] != null && c.constant(spheroid) !== false)
    fail(
      'unsupported',
      c.args[spheroid]?.span ?? { start: 0, end: 0 },
      'distances are on a sphere: use_spheroid can only be FALSE',
      'leave it out',
    );
  return ofPoints([from, to], (...points) => {
    const [lon1 = NULL, lat1 = NULL, lon2 = NULL, lat2 = NULL] = points.flatMap(({ longitude, latitude }) => [longitude, latitude]);
    return sphereDistance(lon1, lat1, lon2, lat2);
  });
}

const constantPoint = ([east, north]: readonly [number, number]): SqlExpression => geogPoint(lit(east), lit(north));

const within = (value: SqlExpression, [least, most]: readonly [number, number]): SqlExpression =>
  infix('AND', infix('>=', value, lit(least)), infix('<=', value, lit(most)));

function isInside({ longitude, latitude }: Coordinates, { centre, east, north, rings, latitudes, longitudes }: FlatPolygon): SqlExpression {
  const along = ([x, y, z]: Vector): SqlExpression => alongAxis(longitude, latitude, lit(x), lit(y), lit(z));
  const depth = along(centre);
  const onPlane = (axis: Vector): SqlExpression => call('ifNull', infix('/', along(axis), depth), lit(0));
  const corners = rings.map((ring) => array(...ring.map(([x, y]) => tuple(lit(x), lit(y)))));
  const exact = infix('=', call('pointInPolygon', tuple(onPlane(east), onPlane(north)), ...corners), lit(1));
  // Most points are far off, and comparing is cheap. What is on the other side of the earth has a place on the plane, too.
  const near = longitudes === undefined ? [] : [infix('OR', within(longitude, longitudes), infix('>', call('abs', longitude), lit(180)))];
  return and(within(latitude, latitudes), ...near, infix('>', depth, lit(0)), exact);
}

/** The text of a polygon, where the argument is `ST_GEOGFROMTEXT` of a constant. */
function constantWkt(arg: Expr | null | undefined): string | undefined {
  if (arg?.kind !== 'call' || arg.fn.name !== 'ST_GEOGFROMTEXT') return undefined;
  const [text] = arg.args;
  return text?.kind === 'literal' && typeof text.value === 'string' ? text.value : undefined;
}

function contains(c: LowerCall, region: number, value: SqlExpression): SqlExpression {
  const arg = c.args[region];
  const span = arg?.span ?? { start: 0, end: 0 };
  const wkt = constantWkt(arg);
  if (wkt === undefined)
    return fail(
      'unsupported',
      span,
      'only a polygon that stands here as a constant can be asked for the points that it contains',
      "write ST_GEOGFROMTEXT('POLYGON((…))')",
    );
  const polygon = readPolygon(wkt, span);
  return ofPoints([value], (point = { longitude: NULL, latitude: NULL }) =>
    iff(infix('OR', isNull(point.longitude), isNull(point.latitude)), NULL, isInside(point, polygon)),
  );
}

function checkedPoint(name: string, longitude: SqlExpression, latitude: SqlExpression, c: LowerCall): SqlExpression {
  const isOff = infix('OR', not(infix('<=', call('abs', latitude), lit(90))), not(call('isFinite', longitude)));
  const message = `${name}: the latitude must be between -90 and 90, and the longitude a number`;
  return c.failIf(isOff, message, geogPoint(longitude, latitude));
}

const POINT = String.raw`(?i)^\s*POINT\s*\(\s*(${NUMBER})\s+(${NUMBER})\s*\)\s*$`;

/** Reads a text that only the rows have, which must be a point. */
function pointOf(text: SqlExpression, c: LowerCall): SqlExpression {
  const found = call('extractGroups', call('ifNull', text, lit('')), lit(POINT));
  const [longitude, latitude] = [1, 2].map((at) => call('toFloat64OrNull', call('arrayElement', found, lit(at)))) as [
    SqlExpression,
    SqlExpression,
  ]; // one for each
  const isOther = infix('AND', not(isNull(text)), call('empty', found));
  const message = 'ST_GEOGFROMTEXT: of texts that are no constants, only points can be read';
  return c.failIf(isOther, message, checkedPoint('ST_GEOGFROMTEXT', longitude, latitude, c));
}

const EDGES = { approximate: 'of a point and a constant polygon; a point right on an edge may be on either side of it' };
const REGION_FIRST = 'polygon GEOGRAPHY, point GEOGRAPHY -> BOOL';
const POINT_FIRST = 'point GEOGRAPHY, polygon GEOGRAPHY -> BOOL';

export const geography = (): Family => ({
  ST_GEOGPOINT: strict('longitude FLOAT64, latitude FLOAT64 -> GEOGRAPHY', ({ longitude, latitude }, c) => {
    const [east, north] = [c.constant(0), c.constant(1)];
    const known = typeof east === 'number' && Number.isFinite(east) && typeof north === 'number' && Math.abs(north) <= 90;
    return known ? geogPoint(longitude, latitude) : checkedPoint('ST_GEOGPOINT', longitude, latitude, c);
  }),
  ST_GEOGFROMTEXT: strict('wkt STRING -> GEOGRAPHY', ({ wkt: text }, c) => {
    const span = c.args[0]?.span ?? { start: 0, end: 0 };
    const wkt = c.constant(0);
    if (typeof wkt !== 'string') return pointOf(text, c);
    const position = readPoint(wkt, span);
    if (position !== undefined) return constantPoint(position);
    readPolygon(wkt, span);
    if (c.safe) return fail('unsupported', span, 'SAFE. before a polygon is not translated', 'leave it out');
    return c.failIf(
      infix('=', lit(1), lit(1)),
      'a polygon can only be the argument of ST_CONTAINS, ST_COVERS, ST_WITHIN, ST_COVEREDBY or ST_INTERSECTS',
      constantPoint([0, 0]),
    );
  }),
  ST_X: strict('point GEOGRAPHY -> FLOAT64', ({ point: value }) => element(value, 1)),
  ST_Y: strict('point GEOGRAPHY -> FLOAT64', ({ point: value }) => element(value, 2)),
  ST_ASTEXT: strict('point GEOGRAPHY -> STRING', ({ point: value }) => pointText(value)),
  ST_DISTANCE: strict('from GEOGRAPHY, to GEOGRAPHY, [use_spheroid BOOL] -> FLOAT64', ({ from, to }, c) => distance(from, to, c, 2), {
    approximate: 'of two points; the last digits may differ',
  }),
  ST_DWITHIN: strict('from GEOGRAPHY, to GEOGRAPHY, distance FLOAT64, [use_spheroid BOOL] -> BOOL', ({ from, to, distance: most }, c) =>
    infix('<=', distance(from, to, c, 3), most),
  ),
  ST_CONTAINS: strict(REGION_FIRST, ({ point: value }, c) => contains(c, 0, value), EDGES),
  ST_COVERS: strict(REGION_FIRST, ({ point: value }, c) => contains(c, 0, value), EDGES),
  ST_WITHIN: strict(POINT_FIRST, ({ point: value }, c) => contains(c, 1, value), EDGES),
  ST_COVEREDBY: strict(POINT_FIRST, ({ point: value }, c) => contains(c, 1, value), EDGES),
  ST_INTERSECTS: strict(
    'left GEOGRAPHY, right GEOGRAPHY -> BOOL',
    ({ left, right }, c) => (constantWkt(c.args[0]) === undefined ? contains(c, 1, left) : contains(c, 0, right)),
    EDGES,
  ),
});
