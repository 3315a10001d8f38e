// The characters that charts are drawn with, on terminals that know them and on those that know only ASCII.

export type Glyphs = typeof blocks;

const blocks = {
  plain: false as boolean,
  /** Cells from a sliver to a full one, filled from below. */
  up: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  /** The same, filled from above. */
  down: ['▔', '▀', '█'],
  /** The same, filled from the left. */
  right: ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
  /** The same, filled from the right. */
  left: ['▐', '█'],
  /** A zero among columns. */
  none: '_',
  tick: '┤',
  wall: '│',
  corner: '└',
  floor: '─',
  floorTick: '┬',
  /** One per series, for terminals without colours. */
  marks: ['●', '×', '○', '+', '■', '◇', '▲', '□'],
  swatch: '━━',
};

const ascii: Glyphs = {
  plain: true,
  up: ['.', '#'],
  down: ['#'],
  right: ['#'],
  left: ['#'],
  none: '_',
  tick: '|',
  wall: '|',
  corner: '+',
  floor: '-',
  floorTick: '+',
  marks: ['*', 'x', 'o', '+', '#', '@', '%', '&'],
  swatch: '--',
};

export const glyphsFor = (plain: boolean): Glyphs => (plain ? ascii : blocks);

/** Draws `length` cells of a bar, with the character that comes nearest to the rest; a bar that is not empty is never drawn as nothing. */
export function barOf(length: number, partial: readonly string[]): string {
  const steps = length <= 0 ? 0 : Math.max(1, Math.round(length * partial.length));
  return `${(partial.at(-1) ?? '').repeat(Math.floor(steps / partial.length))}${steps % partial.length === 0 ? '' : partial[(steps % partial.length) - 1]}`;
}
