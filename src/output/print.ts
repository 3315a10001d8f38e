// Puts a result where it should go: to standard output or into a file, in the format asked for.
import { isDrawing } from '../formats.ts';
import type { QueryResult } from '../result.ts';
import type { Layout } from './format.ts';
import { formatAskedFor, loadFormat, readTarget } from './index.ts';
import { visible } from './visible.ts';

/** The part of standard output that is needed here. */
interface Terminal {
  write(data: string | Uint8Array): Promise<void>;
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
}

interface PrintTarget {
  /** A format's name; without one the file's extension decides, and else whether a person is watching. */
  readonly format: string | undefined;
  readonly file: string | undefined;
  readonly output: Terminal;
  readonly colour: boolean;
  /** Columns of a drawing that does not go to a terminal. */
  readonly pageWidth?: number | undefined;
  /** Columns that a table does not cut. */
  readonly whole?: readonly string[] | undefined;
  /** How many rows a table draws where each must be a block. */
  readonly mostBlocks?: number | undefined;
  readonly chart?: Layout['chart'];
  readonly sparklines?: Layout['sparklines'];
  /** Drawings hold nothing beyond ASCII, as far as they can. */
  readonly ascii?: boolean;
  readonly formulas?: Layout['formulas'];
  /** Hears what the reader should know about the drawing, once it is printed. */
  readonly onNote?: (text: string) => Promise<void>;
}

/** Throws `usage` for an unknown format, or a file that cannot be written. */
export async function printResult(
  result: QueryResult,
  { format, file, output, colour, pageWidth, whole, mostBlocks, chart, sparklines, ascii, formulas, onNote }: PrintTarget,
): Promise<void> {
  const usual = file === undefined && output.isTerminal ? 'table' : 'ndjson';
  const name = formatAskedFor(format, file) ?? usual;
  const write = await loadFormat(name);
  if (file !== undefined) {
    const { writeFileAtomically } = await import('./file.ts');
    await writeFileAtomically(file, write(result, { width: undefined, colour: false, chart, sparklines, ascii, formulas }), {
      compression: readTarget(format, file).compression,
    });
    return;
  }
  const notes: string[] = [];
  const layout = {
    width: output.isTerminal ? (output.columns ?? 80) : pageWidth,
    colour,
    whole,
    mostBlocks,
    chart,
    sparklines,
    ascii,
    formulas,
    onNote: (text: string) => void notes.push(text),
  };
  for (const chunk of write(result, layout)) {
    // Drawings hold no data as it is; the other formats do, which is right in a pipe and unsafe on a terminal.
    await output.write(output.isTerminal && !isDrawing(name) ? chunk.split('\n').map(onTerminal).join('\n') : chunk);
  }
  for (const note of notes) await onNote?.(note);
}

const onTerminal = (line: string): string => line.split('\t').map(visible).join('\t');
