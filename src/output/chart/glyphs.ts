// The characters that charts are drawn with, on terminals that know them and on those that know only ASCII.

export interface Glyphs {
  readonly plain: boolean;
  /** From a sliver to a full cell, filled from below. */
  readonly up: readonly string[];
  /** The same, filled from above. */
  readonly down: readonly string[];
  /** The same, filled from the left. */
  readonly right: readonly string[];
  /** The same, filled from the right. */
  readonly left: readonly string[];
  /** A zero among columns. */
  readonly none: string;
  readonly tick: string;
  readonly wall: string;
  readonly corner: string;
  readonly floor: string;
  readonly floorTick: string;
  /** One per series, where colours do not tell them apart. */
  readonly marks: readonly string[];
  readonly swatch: string;
}

const blocks: Glyphs = {
  plain: false,
  up: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  down: ['▔', '▀', '█'],
  right: ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
  left: ['▐', '█'],
  none: '_',
  tick: '┤',
  wall: '│',
  corner: '└',
  floor: '─',
  floorTick: '┬',
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

/** `length` cells of a bar, and the character that comes nearest to what is left; what is not nothing is never drawn as nothing. */
export function barOf(length: number, partial: readonly string[]): string {
  const steps = length <= 0 ? 0 : Math.max(1, Math.round(length * partial.length));
  return `${(partial.at(-1) ?? '').repeat(Math.floor(steps / partial.length))}${steps % partial.length === 0 ? '' : partial[(steps % partial.length) - 1]}`;
}
