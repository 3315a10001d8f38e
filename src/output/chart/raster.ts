// Lines on a grid of dots: eight dots to a character where braille can be shown, one where each series has a mark of its own.

interface Dot {
  readonly x: number;
  readonly y: number;
}

export interface Drawn {
  readonly series: number;
  readonly braille: string;
}

/** The bits of dots by column and row in the character, as Unicode numbers them. */
const dotBits = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;

export type Raster = ReturnType<typeof createRaster>;

/** `columns` by `rows` characters. */
export function createRaster(columns: number, rows: number, braille: boolean) {
  const [across, down] = braille ? [2, 4] : [1, 1];
  const bits = new Uint8Array(columns * rows);
  const owners = new Uint8Array(columns * rows);
  const [width, height] = [columns * across, rows * down];
  const set = (x: number, y: number, series: number) => {
    const top = height - 1 - y;
    const cell = Math.floor(top / down) * columns + Math.floor(x / across);
    bits[cell] = (bits[cell] ?? 0) | (dotBits[x % across]?.[top % down] ?? 0);
    owners[cell] = series;
  };
  return {
    /** Dots. */
    width,
    height,
    /** Draws from one dot to another, both included; the bottom row is 0. */
    line(from: Dot, to: Dot, series: number) {
      const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y));
      for (let i = 0; i <= steps; i++) {
        const share = steps === 0 ? 0 : i / steps;
        set(Math.round(from.x + (to.x - from.x) * share), Math.round(from.y + (to.y - from.y) * share), series);
      }
    },
    /** Returns the cells of a row of characters, counted from the top, and the series that each belongs to; undefined for an empty one. */
    row: (row: number) =>
      Array.from({ length: columns }, (_, column) => {
        const dots = bits[row * columns + column] ?? 0;
        return dots === 0 ? undefined : { series: owners[row * columns + column] ?? 0, braille: String.fromCharCode(0x2800 + dots) };
      }),
  };
}
