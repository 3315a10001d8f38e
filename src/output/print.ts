// Prints a result to standard output or into a file, in the format that is wanted.
import { isDrawing } from '../base/formats.ts';
import type { Output } from '../base/io.ts';
import type { QueryResult } from '../base/result.ts';
import type { Layout } from './format.ts';
import { formatAskedFor, loadFormat, readTarget, refuseOnTerminal } from './index.ts';
import { visible } from './visible.ts';

interface PrintTarget extends Omit<Layout, 'width' | 'height' | 'onNote'> {
  /** A format's name; without one the file's extension decides, and else whether a person is watching. */
  readonly format: string | undefined;
  readonly file: string | undefined;
  readonly output: Omit<Output, 'terminal'>;
  /** The width of a drawing that does not go to a terminal; without it nothing is cut there. */
  readonly pageWidth?: number | undefined;
  /** Reports what the reader should know about the drawing, once it is printed. */
  readonly onNote?: (text: string) => Promise<void>;
}

/** Throws `usage` for an unknown format, or a file that cannot be written. */
export async function printResult(result: QueryResult, { format, file, output, pageWidth, onNote, ...given }: PrintTarget): Promise<void> {
  const usual = file === undefined && output.isTerminal ? 'table' : 'ndjson';
  const name = formatAskedFor(format, file) ?? usual;
  if (file === undefined && output.isTerminal) refuseOnTerminal(name);
  const write = await loadFormat(name);
  const notes: string[] = [];
  const layout = { ...given, onNote: (text: string) => void notes.push(text) };
  if (file !== undefined) {
    const { writeFileAtomically } = await import('./file.ts');
    await writeFileAtomically(file, write(result, { ...layout, width: undefined, colour: false }), {
      compression: readTarget(format, file).compression,
    });
  } else {
    const width = output.isTerminal ? (output.columns ?? 80) : pageWidth;
    for (const chunk of write(result, { ...layout, width })) {
      // Drawings escape the data; the other formats contain it as it is, which is right in a pipe and unsafe on a terminal.
      const raw = typeof chunk === 'string' && output.isTerminal && !isDrawing(name);
      await output.write(raw ? chunk.split('\n').map(onTerminal).join('\n') : chunk);
    }
  }
  for (const note of notes) await onNote?.(note);
}

const onTerminal = (line: string): string => line.split('\t').map(visible).join('\t');
