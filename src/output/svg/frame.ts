// A picture, and the options with which it is drawn.

import type { Series } from '../chart/series.ts';
import type { ChartOptions } from '../format.ts';

export interface PictureOptions {
  readonly width: number;
  /** By default as high as the content needs. */
  readonly height?: number | undefined;
  readonly kind?: ChartOptions['kind'];
  /** Draws numbers over time on a logarithmic scale. */
  readonly log?: boolean;
  /** Names series above their panel. */
  readonly legend: boolean;
  /** Adds titles, which show the values under the pointer. */
  readonly hints: boolean;
  /** Names of series that are not drawn. */
  readonly hidden?: ReadonlySet<string> | undefined;
  /** The part of the time axis that is drawn, in milliseconds since 1970. */
  readonly window?: { readonly from: number; readonly to: number } | undefined;
}

/** The part of a picture in which times stand. */
export interface TimeField {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly from: number;
  readonly to: number;
  xOf(time: number): number;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly markup: string;
  /** Describes the picture in words. */
  readonly summary: string;
  readonly field?: TimeField;
  /** Lines and columns over time, hidden ones included. */
  readonly series?: readonly Drawn[];
}

/** More than eight colours cannot be told apart. */
export const COLOURS = 8;

export interface Drawn extends Series<number> {
  /** The name in a legend. */
  readonly label: string;
  /** The place among all series, which decides its colour. */
  readonly index: number;
}
