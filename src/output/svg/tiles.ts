// Draws one row of numbers, each large enough to be read from afar.

import type { Series } from '../chart/series.ts';
import type { Picture, PictureOptions } from './frame.ts';
import { escaped, fitted, px, textWidth } from './text.ts';
import { fullValue, shortValue } from './units.ts';

const [LEAST_WIDTH, MOST_WIDTH, TILE_HEIGHT, GAP, NAME] = [180, 420, 104, 12, 12];

/** The sizes of a number, the largest that fits first; bold type is wider. */
const [SIZES, BOLD] = [[52, 40, 32, 26, 20], 1.2];

export function tilePicture(all: readonly Series<unknown>[], { width, hidden, hints }: PictureOptions): Picture {
  const shown = all.filter(({ name }) => hidden?.has(name) !== true);
  const columns = Math.max(1, Math.min(shown.length, Math.floor((width + GAP) / (LEAST_WIDTH + GAP))));
  const tileWidth = Math.min(MOST_WIDTH, (width - (columns - 1) * GAP) / columns);
  const tiles = shown.map(({ name, column = name, points }, i) => {
    const value = points[0]?.value ?? Number.NaN;
    const [x, y] = [(i % columns) * (tileWidth + GAP), Math.floor(i / columns) * (TILE_HEIGHT + GAP)];
    const full = fullValue(value, column);
    const room = tileWidth - 32;
    const fits = (text: string) => SIZES.find((size) => textWidth(text, size) * BOLD <= room);
    const text = fits(full) === undefined ? shortValue(value, column) : full;
    const title = hints ? `<title>${escaped(`${name}: ${full}`)}</title>` : '';
    return [
      `<g>${title}<rect class="tile" x="${px(x)}" y="${px(y)}" width="${px(tileWidth)}" height="${TILE_HEIGHT}" rx="6"/>`,
      `<text class="soft" x="${px(x + 16)}" y="${px(y + 28)}">${escaped(fitted(name, room, NAME))}</text>`,
      `<text class="number" font-size="${fits(text) ?? SIZES.at(-1)}" x="${px(x + 16)}" y="${px(y + 76)}">${escaped(text)}</text></g>`,
    ].join('');
  });
  const lines = Math.ceil(shown.length / columns);
  return {
    width,
    height: Math.max(TILE_HEIGHT, lines * (TILE_HEIGHT + GAP) - GAP),
    markup: tiles.join('\n'),
    summary: shown.map(({ name, column = name, points }) => `${name}: ${fullValue(points[0]?.value ?? Number.NaN, column)}`).join(', '),
  };
}
