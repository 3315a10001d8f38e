// The password of a server, from where the settings say it is.
import { type ExecFileException, execFile } from 'node:child_process';
import { QuernError } from '../base/errors.ts';

interface PasswordSettings {
  readonly password: string | undefined;
  /** A shell command whose output is the password. */
  readonly password_command: string | undefined;
}

/** Long enough for a person who has to unlock a vault. */
const COMMAND_MS = 60_000;

/**
 * Throws QuernError `config` when the command does not print a password, and what `permit` throws. Neither what it printed is shown nor the
 * command, which may hold a secret itself.
 */
export async function readPassword({ password, password_command: command }: PasswordSettings, ask: Asking): Promise<string | undefined> {
  if (password !== undefined || command === undefined) return password;
  await ask.permit();
  return printedBy(command, ask);
}

export interface Asking {
  /** Resolves when password_command may be run; rejects when not. */
  readonly permit: () => Promise<void>;
  /** Where the settings have the command from: a file, or a variable. */
  readonly where: string;
  /** Hears what the command says on standard error: it may ask its user for something. */
  readonly onText: (text: string) => void;
  readonly signal: AbortSignal;
}

const SHELL = '/bin/sh';

/** Leaves out the lines in which the shell itself complains: it repeats what it cannot run, which may be the secret. They come in parts. */
function withoutShell(onText: (text: string) => void): (text: string) => void {
  const prefix = `${SHELL}: `;
  let held = '';
  let begins = true;
  return (text) => {
    for (const line of (held + text).split(/(?<=\n)/)) {
      const ends = line.endsWith('\n');
      const isShell = begins && line.startsWith(prefix);
      held = !ends && begins && (isShell || prefix.startsWith(line)) ? line : '';
      if (held !== '') return;
      begins = ends;
      if (!isShell) onText(line);
    }
  };
}

/** The exit codes of shells themselves, whatever programs mean by theirs. */
const MEANINGS: Readonly<Record<string, string>> = { 126: 'does not start with a program', 127: 'names a program that cannot be found' };

function whyNone(error: ExecFileException | null): string {
  if (error === null) return 'printed nothing';
  if (error.killed === true) return 'took longer than a minute';
  return MEANINGS[error.code ?? ''] ?? `ended with ${error.code ?? 'an error'}`;
}

function printedBy(command: string, { where, onText, signal }: Asking): Promise<string> {
  const [shell, flag] = process.platform === 'win32' ? ['cmd.exe', '/c'] : [SHELL, '-c'];
  return new Promise((resolve, reject) => {
    const child = execFile(shell, [flag, command], { timeout: COMMAND_MS, signal }, (error, stdout) => {
      const password = stdout.replace(/\r?\n$/, '');
      if (error === null && password !== '') {
        resolve(password);
        return;
      }
      reject(
        new QuernError('config', `the password_command of ${where} ${whyNone(error)}`, {
          hint: 'run it in a shell: it must print the password, and nothing else, to standard output',
        }),
      );
    });
    child.stderr?.setEncoding('utf8').on('data', withoutShell(onText));
  });
}
