// The format svg: the chart of a result as a picture document.
import type { QueryResult } from '../../base/result.ts';
import { drawingOf } from '../chart/drawing.ts';
import type { Layout } from '../format.ts';
import type { Picture } from './frame.ts';
import { pictureOf, svgElement } from './picture.ts';
import { chartStyle } from './style.ts';
import { px } from './text.ts';

const WIDTH = 800;
const MARGIN = 16;

/** Reports to `onNote` what the chart leaves out. Throws as drawingOf does. */
export function chartPicture(result: QueryResult, { chart = {}, onNote }: Layout): Picture {
  const drawing = drawingOf(result, chart);
  if (drawing.kind !== 'nothing') for (const note of drawing.notes) onNote?.(note);
  return pictureOf(drawing, { width: WIDTH - 2 * MARGIN, kind: chart.kind, legend: true, hints: true });
}

/** Makes a document. With `dark` it follows the reader's colour scheme, which programs with little support for style sheets cannot. */
export function svgDocument(picture: Picture, dark: boolean): string {
  const framed: Picture = {
    ...picture,
    width: picture.width + 2 * MARGIN,
    height: picture.height + 2 * MARGIN,
    markup: `<g transform="translate(${px(MARGIN)} ${px(MARGIN)})">${picture.markup}</g>`,
  };
  return `${svgElement(framed, chartStyle(dark))}\n`;
}

export function* svg(result: QueryResult, layout: Layout): Iterable<string> {
  yield svgDocument(chartPicture(result, layout), true);
}
