// A whole terminal that is drawn again and again, and restored at the end.

import type { Output } from '../base/io.ts';

// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html: the alternate screen, the cursor, wrapping, and updates shown in one go.
const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const leave = '\u001b[?7h\u001b[?25h\u001b[?1049l';
const [beginUpdate, endUpdate] = ['\u001b[?2026h', '\u001b[?2026l'];
const [home, clearLine, clearBelow] = ['\u001b[H', '\u001b[K', '\u001b[J'];

/** Lines are overwritten, never erased first, so that nothing flickers. */
export async function openScreen(terminal: Pick<Output, 'write'>) {
  let open = true;
  await terminal.write(enter);
  return {
    /** Replaces the lines on the screen; the terminal itself cuts lines that are too long. */
    async show(lines: readonly string[]) {
      if (!open) return;
      await terminal.write(`${beginUpdate}${home}${lines.map((line) => line + clearLine).join('\r\n')}${clearBelow}${endUpdate}`);
    },
    /** Restores the terminal. Nothing is shown from then on; closing twice is no error. */
    async close() {
      if (!open) return;
      open = false;
      await terminal.write(leave);
    },
  };
}
