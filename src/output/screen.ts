// A whole terminal that is drawn again and again, and given back as it was.

/** The part of standard output that is needed here. */
interface Terminal {
  write(data: string): Promise<void>;
}

interface Screen {
  /** Replaces what is shown; what is wider than the terminal is cut by the terminal itself. */
  show(lines: readonly string[]): Promise<void>;
  /** Gives the terminal back. Nothing is shown from then on; closing twice is no error. */
  close(): Promise<void>;
}

// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html: the alternate screen, the cursor, wrapping, and updates shown in one go.
const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const leave = '\u001b[?7h\u001b[?25h\u001b[?1049l';
const [beginUpdate, endUpdate] = ['\u001b[?2026h', '\u001b[?2026l'];
const [home, clearLine, clearBelow] = ['\u001b[H', '\u001b[K', '\u001b[J'];

/** Lines are overwritten, never erased first, so that nothing flickers. */
export async function openScreen(terminal: Terminal): Promise<Screen> {
  let open = true;
  await terminal.write(enter);
  return {
    async show(lines) {
      if (!open) return;
      await terminal.write(`${beginUpdate}${home}${lines.map((line) => line + clearLine).join('\r\n')}${clearBelow}${endUpdate}`);
    },
    async close() {
      if (!open) return;
      open = false;
      await terminal.write(leave);
    },
  };
}
