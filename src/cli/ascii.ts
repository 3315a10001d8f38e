// Replaces what quern draws and writes by ASCII, for terminals that know nothing else. Data stays as it is.
import type { Io, Output } from '../base/io.ts';

/** The first of the variables that is set names the character set; where none is, it is UTF-8. */
export function asciiOnly(env: Io['env']): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((text) => text !== undefined && text !== '');
  return locale !== undefined && !/utf-?8/i.test(locale);
}

/** Each has the width of what it replaces, so that columns stay where they are. */
const STAND_INS: Readonly<Record<string, string>> = {
  '─': '-',
  '━': '=',
  '│': '|',
  '…': '~',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '→': '>',
  '×': 'x',
  '·': '.',
  '✓': '+',
  '✗': 'x',
  '▁': '_',
  '▂': '.',
  '▃': ':',
  '▄': '-',
  '▅': '=',
  '▆': '+',
  '▇': '*',
  '█': '#',
};
const DRAWN = /[─-▟…’‘“”–→×·✓✗]/g;

/** Corners and crossings of boxes, which are not in the table, become a `+`. */
const asciiDrawing = (text: string): string => text.replace(DRAWN, (character) => STAND_INS[character] ?? (character < '▀' ? '+' : '#'));

/** Returns the same output, which writes texts in ASCII. */
export function asciiOutput<O extends Output>(output: O): O {
  const write = (data: string | Uint8Array): Promise<void> => output.write(typeof data === 'string' ? asciiDrawing(data) : data);
  return Object.create(output, { write: { value: write, enumerable: true } });
}

/** Returns the same Io with terminals that get ASCII. */
export function asciiIo(io: Io): Io {
  const shown = (output: Output): Output => (output.isTerminal ? asciiOutput(output) : output);
  return Object.create(io, {
    stdout: { value: shown(io.stdout), enumerable: true },
    stderr: { value: shown(io.stderr), enumerable: true },
  });
}
