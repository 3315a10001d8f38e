// Terminals that know only ASCII: what quern draws and writes itself is put in characters that they have. Data stays as it is.
import type { Io, Output } from '../base/io.ts';

/** The first of the variables that is set names the character set; where none is, UTF-8 is taken for granted. */
export function asciiOnly(env: Io['env']): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((text) => text !== undefined && text !== '');
  return locale !== undefined && !/utf-?8/i.test(locale);
}

/** As wide as what they stand for, so that columns stay where they are. */
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

/** Corners and crossings of boxes, which have no stand-in of their own, are a `+`. */
const asciiDrawing = (text: string): string => text.replace(DRAWN, (character) => STAND_INS[character] ?? (character < '▀' ? '+' : '#'));

/** The same terminal, for text. */
export function asciiOutput<O extends Output>(output: O): O {
  const write = (data: string | Uint8Array): Promise<void> => output.write(typeof data === 'string' ? asciiDrawing(data) : data);
  return Object.create(output, { write: { value: write, enumerable: true } });
}

/** The same world with terminals that get ASCII. */
export function asciiIo(io: Io): Io {
  const shown = (output: Output): Output => (output.isTerminal ? asciiOutput(output) : output);
  return Object.create(io, {
    stdout: { value: shown(io.stdout), enumerable: true },
    stderr: { value: shown(io.stderr), enumerable: true },
  });
}
