// Draws a chart as the inside of an <svg>. It knows no pages, colours or fonts: elements have classes, and a style sheet does the rest.

import type { Drawing } from '../chart/drawing.ts';
import { barPicture } from './bars.ts';
import type { Picture, PictureOptions } from './frame.ts';
import { escaped, px } from './text.ts';
import { tilePicture } from './tiles.ts';
import { timePicture } from './times.ts';

/** Shows one number as such, numbers over time as lines or columns, and numbers by label as bars. */
export function pictureOf(drawing: Drawing, options: PictureOptions): Picture {
  if (drawing.kind === 'nothing') {
    const { width, height = 120 } = options;
    const text = `${drawing.reason} to draw`;
    return {
      width,
      height,
      markup: `<text class="soft" x="${px(width / 2)}" y="${px(height / 2)}" text-anchor="middle">${text}</text>`,
      summary: text,
    };
  }
  const isOne =
    drawing.series.every(({ points }) => points.length === 1) && (drawing.kind === 'times' ? drawing.times.length === 1 : !drawing.named);
  if (isOne) return tilePicture(drawing.series, options);
  return drawing.kind === 'labels' ? barPicture(drawing, options) : timePicture(drawing, options);
}

/** Puts the picture into its element. `style` is the text of a style sheet of its own. */
export function svgElement({ width, height, markup, summary }: Picture, style?: string): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" class="quern-chart" viewBox="0 0 ${px(width)} ${px(height)}"`;
  const sheet = style === undefined ? '' : `<style>${style}</style><rect class="paper" width="100%" height="100%"/>`;
  return `${head} width="${px(width)}" height="${px(height)}" role="img" aria-label="${escaped(summary)}">${sheet}${markup}</svg>`;
}
