// The format html: a page with the chart and the rows of a result.

import { QuernError } from '../../base/errors.ts';
import { formatCount } from '../../base/quantity.ts';
import type { QueryResult } from '../../base/result.ts';
import { batched } from '../batch.ts';
import type { Layout } from '../format.ts';
import { svgElement } from '../svg/picture.ts';
import { chartPicture } from '../svg/svg.ts';
import { page, words } from './page.ts';
import { htmlTable } from './table.ts';

/** Leaves the chart out where there are no numbers, unless the user wants one: then that is an error. */
export const html = (result: QueryResult, layout: Layout): Iterable<string> =>
  batched(page(layout.heading?.title ?? 'Result', body(result, layout)));

function* body(result: QueryResult, layout: Layout): Iterable<string> {
  const { heading } = layout;
  const notes: string[] = [];
  const chart = chartOf(result, { ...layout, onNote: (text) => void notes.push(text) });
  yield `<h1>${words(heading?.title ?? 'Result')}</h1>\n`;
  if (heading !== undefined && heading.facts.length > 0) yield `<p>${heading.facts.map(words).join(' · ')}</p>\n`;
  const count = formatCount(result.rows.length, 'row');
  yield `<p class="quiet">${count}${result.truncated ? ', cut off by the row limit' : ''}</p>\n`;
  for (const part of result.missing ?? []) yield `<p class="warn">Rows are missing: ${words(part)} did not answer</p>\n`;
  if (chart !== undefined) yield `<div class="chart">${chart}</div>\n`;
  for (const note of notes) yield `<p class="quiet">${words(note)}</p>\n`;
  yield* htmlTable(result);
}

function chartOf(result: QueryResult, layout: Layout): string | undefined {
  if (result.rows.length === 0) return undefined;
  try {
    return svgElement(chartPicture(result, layout));
  } catch (error) {
    if (layout.chart === undefined && error instanceof QuernError && error.code === 'usage') return undefined;
    throw error;
  }
}
