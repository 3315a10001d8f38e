// The password of a server, from where the settings say it is.
import { execFile } from 'node:child_process';
import { QuernError } from '../errors.ts';

export interface PasswordSettings {
  readonly password: string | undefined;
  /** A shell command whose output is the password. */
  readonly password_command: string | undefined;
}

/** Long enough for a person who is asked to unlock a vault. */
const COMMAND_MS = 60_000;

/** Throws QuernError `config` when the command does not print a password; what it printed is never shown. */
export async function readPassword({ password, password_command: command }: PasswordSettings, signal?: AbortSignal): Promise<string> {
  if (password !== undefined) return password;
  return command === undefined ? '' : printedBy(command, signal);
}

function printedBy(command: string, signal: AbortSignal | undefined): Promise<string> {
  const [shell, flag] = process.platform === 'win32' ? ['cmd.exe', '/c'] : ['/bin/sh', '-c'];
  return new Promise((resolve, reject) => {
    const child = execFile(
      shell,
      [flag, command],
      { timeout: COMMAND_MS, ...(signal === undefined ? {} : { signal }) },
      (error, stdout) => {
        const password = stdout.replace(/\r?\n$/, '');
        if (error === null && password !== '') {
          resolve(password);
          return;
        }
        const why =
          error === null ? 'printed nothing' : error.killed ? 'took longer than a minute' : `ended with ${error.code ?? 'an error'}`;
        reject(
          new QuernError('config', `password_command ${why}: ${command}`, {
            hint: 'run it in a shell: it must print the password, and nothing else, on standard output',
          }),
        );
      },
    );
    // The command may ask its user, or say what is wrong.
    child.stderr?.pipe(process.stderr);
  });
}
