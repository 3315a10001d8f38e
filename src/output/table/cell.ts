// One value as a table shows it.
import { widthOf } from '../width.ts';

export interface Cell {
  /** Safe on a terminal. */
  readonly text: string;
  /** Terminal columns. */
  readonly width: number;
  readonly isNull: boolean;
}

export function cell(text: string, isNull = false): Cell {
  return { text, width: widthOf(text), isNull };
}
