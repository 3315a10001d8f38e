// Polygons that stand in a query as WKT. Seen from the centre of the earth, the geodesics between their corners are straight lines on the plane that touches
// the sphere amid them, so that whether a point is inside can be asked there.
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';

/** Longitude and latitude in degrees. */
type Position = readonly [number, number];
export type Vector = readonly [number, number, number];
type Flat = readonly [number, number];

/** A polygon on the plane that touches the sphere at `centre`; `east` and `north` are the plane's axes. */
export interface FlatPolygon {
  readonly centre: Vector;
  readonly east: Vector;
  readonly north: Vector;
  /** The outer ring, then the holes; the last corner is not the first again. */
  readonly rings: readonly (readonly Flat[])[];
  /** Bounds of all points inside, in degrees; no longitudes where a pole or the date line is inside. */
  readonly latitudes: readonly [number, number];
  readonly longitudes: readonly [number, number] | undefined;
}

/** A number as WKT has it, for patterns. */
export const NUMBER = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?`;
const PAIR = new RegExp(String.raw`^\s*(${NUMBER})\s+(${NUMBER})\s*$`, 'i');
const DEGREES = 180 / Math.PI;
/** Degrees by which bounds are wider than need be. */
const MARGIN = 1e-6;
/** The most corners, whose edges are all compared with each other. */
const MOST_CORNERS = 2000;
/** The farthest that a corner may be from the centre: the plane has no place for what is 90 degrees away. */
const LEAST_COSINE = 0.05;

/** Reads `POINT(30 10)`; undefined for another shape. Throws `type` for a text that is no point. */
export function readPoint(wkt: string, span: Span): Position | undefined {
  const [, inner] = /^\s*POINT\s*\(([^()]*)\)\s*$/is.exec(wkt) ?? [];
  return inner === undefined ? undefined : readPosition(inner, span);
}

/** Reads `POLYGON((30 10, 40 40, 20 40, 30 10))`. Throws `type` for a text that is no polygon, and `unsupported` for one that is too large. */
export function readPolygon(wkt: string, span: Span): FlatPolygon {
  const [, inner] = /^\s*POLYGON\s*\(\s*(\(.*\))\s*\)\s*$/is.exec(wkt) ?? [];
  if (inner === undefined)
    return fail('unsupported', span, 'only a POLYGON can contain points here', "e.g. ST_GEOGFROMTEXT('POLYGON((0 0, 1 0, 1 1, 0 0))')");
  const rings = [...inner.matchAll(/\(([^()]*)\)/g)].map(([, ring = '']) => readRing(ring, span));
  if (inner.replace(/\([^()]*\)/g, '').replace(/[\s,]/g, '') !== '') fail('type', span, 'the rings of the POLYGON can’t be read');
  const [outer = []] = rings;
  const corners = outer.map(unitVector);
  const centre = unit(corners.reduce((sum, corner) => [sum[0] + corner[0], sum[1] + corner[1], sum[2] + corner[2]], [0, 0, 0]));
  // Any axis serves that is not the centre's own.
  const east = unit(cross(Math.abs(centre[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], centre));
  const north = cross(centre, east);
  const flat = rings.map((ring) =>
    ring.map((position): Flat => {
      const at = unitVector(position);
      const depth = dot(at, centre);
      if (depth < LEAST_COSINE)
        return fail('unsupported', span, 'the POLYGON is too large: its corners are more than 87 degrees from their centre', 'split it');
      return [dot(at, east) / depth, dot(at, north) / depth];
    }),
  );
  refuseCrossing(flat, span);
  const radius = Math.acos(Math.max(-1, Math.min(...corners.map((corner) => dot(corner, centre)))));
  return { centre, east, north, rings: flat, ...boundsOf(centre, radius) };
}

/** The bounds of a cap around the centre, in which all edges are: they are geodesics, and the cap is less than half of the sphere. */
function boundsOf([x, y, z]: Vector, radius: number): Pick<FlatPolygon, 'latitudes' | 'longitudes'> {
  const [lambda, phi] = [Math.atan2(y, x) * DEGREES, Math.asin(Math.max(-1, Math.min(1, z)))];
  const [south, north] = [(phi - radius) * DEGREES - MARGIN, (phi + radius) * DEGREES + MARGIN];
  const latitudes = [Math.max(south, -90), Math.min(north, 90)] as const;
  if (south <= -90 || north >= 90) return { latitudes, longitudes: undefined };
  const half = Math.asin(Math.min(1, Math.sin(radius) / Math.cos(phi))) * DEGREES + MARGIN;
  const [west, east] = [lambda - half, lambda + half];
  return { latitudes, longitudes: west < -180 || east > 180 ? undefined : [west, east] };
}

function readRing(text: string, span: Span): readonly Position[] {
  const positions = text.split(',').map((pair) => readPosition(pair, span));
  const first = positions[0];
  const last = positions.at(-1);
  if (positions.length < 4 || first?.[0] !== last?.[0] || first?.[1] !== last?.[1])
    fail('type', span, 'a ring of a POLYGON has at least three corners, and ends with the first one');
  if (positions.length > MOST_CORNERS) fail('too-complex', span, `a ring of a POLYGON has at most ${MOST_CORNERS} corners`);
  return positions.slice(0, -1);
}

function readPosition(text: string, span: Span): Position {
  const [, longitude, latitude] = PAIR.exec(text) ?? [];
  if (longitude === undefined || latitude === undefined)
    return fail('type', span, `${JSON.stringify(text.trim())} is no position`, 'e.g. -122.35 47.62');
  if (Math.abs(Number(latitude)) > 90) fail('type', span, `the latitude ${latitude} is not between -90 and 90`);
  return [Number(longitude), Number(latitude)];
}

/** BigQuery refuses polygons whose edges cross. */
function refuseCrossing(rings: readonly (readonly Flat[])[], span: Span): void {
  const edges = rings.flatMap((ring, r) =>
    ring.map((from, i) => ({ from, to: ring[(i + 1) % ring.length] ?? from, r, i, count: ring.length })),
  );
  for (const [at, one] of edges.entries())
    for (const other of edges.slice(at + 1)) {
      const apart = Math.abs(one.i - other.i);
      if (one.r === other.r && (apart === 1 || apart === one.count - 1)) continue;
      if (side(one, other.from) * side(one, other.to) < 0 && side(other, one.from) * side(other, one.to) < 0)
        fail('type', span, 'edges of the POLYGON cross each other');
    }
}

type Edge = { readonly from: Flat; readonly to: Flat };
const side = ({ from, to }: Edge, [x, y]: Flat): number => Math.sign((to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]));

function unitVector([longitude, latitude]: Position): Vector {
  const [lambda, phi] = [(longitude * Math.PI) / 180, (latitude * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

function unit(vector: Vector): Vector {
  const length = Math.hypot(...vector) || 1;
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}
