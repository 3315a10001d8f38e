// Draws the names of series above their panel, each with its colour, on as many lines as they need.

import { COLOURS } from './frame.ts';
import { escaped, fitted, px, textWidth } from './text.ts';

const [LINE, SWATCH, TEXT, GAP, LONGEST] = [22, 10, 12, 18, 260];

interface Named {
  readonly label: string;
  readonly index: number;
}

/** The height includes the room below the legend. `caption` stands before the names. */
export function legendOf(
  all: readonly Named[],
  width: number,
  caption?: string,
): { readonly markup: readonly string[]; readonly height: number } {
  const head = caption === undefined ? '' : fitted(caption, width / 2, TEXT);
  let [x, line] = [head === '' ? 0 : textWidth(head, TEXT) + GAP, 0];
  const before = head === '' ? [] : [`<text class="soft" x="0" y="12">${escaped(head)}</text>`];
  const names = all.map(({ label, index }) => {
    const text = fitted(label, Math.min(LONGEST, width - SWATCH - 8), TEXT);
    const size = SWATCH + 6 + textWidth(text, TEXT);
    if (x > 0 && x + size > width) [x, line] = [0, line + 1];
    const [at, y] = [x, line * LINE];
    x += size + GAP;
    return `<rect class="f${index % COLOURS}" x="${px(at)}" y="${px(y + 3)}" width="${SWATCH}" height="${SWATCH}" rx="2"/><text class="ink" x="${px(at + SWATCH + 6)}" y="${px(y + 12)}">${escaped(text)}</text>`;
  });
  return { markup: [...before, ...names], height: (line + 1) * LINE + 4 };
}
