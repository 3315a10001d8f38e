// quern completion: prints the script with which a shell completes quern's words.
import { Argument, type Command } from 'commander';
import { QuernError } from '../../base/errors.ts';
import { completionScript, SHELLS, type Shell } from '../completion/scripts.ts';
import type { Parts } from '../parts.ts';

export function register(command: Command, { io }: Parts): void {
  const shell = new Argument('<shell>', SHELLS.join(', '));
  shell.argChoices = [...SHELLS]; // checked by readShell, which has quern's words for an error
  command
    .addArgument(shell)
    .addHelpText(
      'after',
      `
Examples:
  source <(quern completion bash)                                      bash, for this session; add it to ~/.bashrc to keep it
  quern completion zsh > "\${fpath[1]}/_quern"                          zsh; or source <(quern completion zsh) after compinit
  quern completion fish > ~/.config/fish/completions/quern.fish        fish

Completes commands, flags, saved queries, their parameters and parameter values, folders and files.`,
    )
    .action(async (name: string) => io.stdout.write(completionScript(readShell(name))));
}

function readShell(name: string): Shell {
  const shell = SHELLS.find((candidate) => candidate === name);
  if (shell !== undefined) return shell;
  throw new QuernError('usage', `there is no completion for ${JSON.stringify(name)}`, {
    hint: `the shells are ${SHELLS.join(', ')}`,
  });
}
