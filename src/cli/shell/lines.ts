// Reads the lines of a shell from a terminal, or from a pipe.
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline/promises';
import { asQuernError } from '../../base/errors.ts';
import { defaultPaths } from '../../config/paths.ts';
import { StoreElsewhere } from '../../mcp/elsewhere.ts';
import { HandedOver } from '../hand-over/commands.ts';
import type { Parts } from '../parts.ts';
import { complete } from './completer.ts';
import { MOST_LINES, readHistory, writeHistory } from './history.ts';
import { COMMANDS, FORMATS, type Session } from './session.ts';

/** Statements of a pipe or a file. Rejects with what is wrong with the first that fails. */
export async function runLines({ io, signal }: Parts, session: Session): Promise<void> {
  const lines = createInterface({ input: io.stdin, signal });
  for await (const line of lines) if (!(await session.take(line, signal))) return;
  await session.end(signal);
}

/** Until the user leaves; what fails is told, and the next line is read. */
export async function runTerminal(parts: Parts, session: Session): Promise<void> {
  const { io, terminal } = parts;
  const file = join(defaultPaths(io.env).state, 'history');
  let running: AbortController | undefined;
  const lines: Interface = createInterface({
    input: io.stdin,
    output: io.stdout.terminal ?? io.stderr.terminal,
    terminal: true,
    history: readHistory(file),
    historySize: MOST_LINES,
    removeHistoryDuplicates: true,
    completer: async (line: string) =>
      complete(line, session.begun, await known(parts, `${session.begun} ${lines.line}`), lines.line.slice(line.length)),
  });
  let history: readonly string[] = [];
  lines.on('history', (typed: readonly string[]) => {
    history = [...typed];
  });
  const prompt = (): void => {
    lines.setPrompt(session.begun === '' ? 'quern> ' : '    -> ');
    lines.prompt();
  };
  lines.on('SIGINT', () => {
    if (running !== undefined) return running.abort();
    session.clear();
    clearLine(lines);
    prompt();
  });
  const stop = (): void => {
    running?.abort();
    lines.close();
  };
  parts.signal.addEventListener('abort', stop);
  let left = false;
  await terminal.note('\\? for help, \\q to leave');
  prompt();
  try {
    for await (const line of lines) {
      running = new AbortController();
      const stays = await session.take(line, running.signal).catch(async (error: unknown) => {
        if (!(error instanceof HandedOver)) await terminal.showError(asQuernError(error));
        return true;
      });
      running = undefined;
      left = !stays;
      if (left) break;
      prompt();
    }
  } finally {
    parts.signal.removeEventListener('abort', stop);
    lines.close();
    // Behind the prompt, where Ctrl-D was pressed.
    if (!left) await io.stderr.write('\n');
    if (history.length > 0) writeHistory(file, history);
  }
  parts.signal.throwIfAborted();
}

/** Discards the line, and starts the next prompt on a new one. */
function clearLine(lines: Interface): void {
  lines.write('', { ctrl: true, name: 'e' });
  lines.write('', { ctrl: true, name: 'u' });
}

/** Examines only the sources whose names the text contains. */
async function known(parts: Parts, text: string): Promise<Parameters<typeof complete>[2]> {
  const [{ dialectWords }, sources] = await Promise.all([
    import('../../suggest/dialect-words.ts'),
    parts.connection().then(async (connection) => connection.sources()),
  ]);
  const unread = await sources.resolve([]);
  const lower = text.toLowerCase();
  const named = await sources.resolve(unread.names.filter((name) => lower.includes(name.toLowerCase()))).catch((error: unknown) => {
    if (error instanceof StoreElsewhere) return unread; // no columns, then
    throw error;
  });
  return { ...dialectWords(), sources: named, commands: Object.keys(COMMANDS), formats: FORMATS };
}
