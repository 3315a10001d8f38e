// What a picture is asked for, and what it is.

import type { Series } from '../chart/series.ts';
import type { ChartWishes } from '../format.ts';

export interface PictureOptions {
  readonly width: number;
  /** What fits the content when absent. */
  readonly height?: number | undefined;
  readonly kind?: ChartWishes['kind'];
  /** Whether equal steps upward are equal factors, for numbers over time. */
  readonly log?: boolean;
  /** Whether series are named above their panel. */
  readonly legend: boolean;
  /** Whether what lies under the pointer is told, by titles of elements. */
  readonly hints: boolean;
  /** Names of series that are not drawn. */
  readonly hidden?: ReadonlySet<string> | undefined;
  /** Milliseconds since 1970: the part of the time axis that is drawn. */
  readonly window?: { readonly from: number; readonly to: number } | undefined;
}

/** Where times stand in a picture. */
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
  /** What is seen, in words. */
  readonly summary: string;
  readonly field?: TimeField;
  /** Lines and columns over time, hidden ones included. */
  readonly series?: readonly Drawn[];
}

/** More than eight colours cannot be told apart. */
export const COLOURS = 8;

export interface Drawn extends Series<number> {
  /** What it is called in a legend. */
  readonly label: string;
  /** Its place among all, which is its colour. */
  readonly index: number;
}
