// `quern serve` in-process, until it is interrupted.
import type { CliHome, CliResult } from './run-cli.ts';

export interface ServingCli {
  /** `http://127.0.0.1:…` */
  readonly address: string;
  /** Interrupts the server, and gives what it printed and its exit code. */
  stop(): Promise<CliResult>;
}

/** Rejects with what was printed when the command ends instead of listening. */
export async function serveCli(home: CliHome, argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<ServingCli> {
  let interrupt: () => void = () => undefined;
  let listening: (address: string) => void = () => undefined;
  const address = new Promise<string>((resolve) => {
    listening = resolve;
  });
  const ended = home.run(['serve', '--port', '0', ...argv], {
    env,
    onStderr(text) {
      const found = /^listening on (\S+)$/m.exec(text)?.[1];
      if (found !== undefined) listening(found);
    },
    onListen: (listener) => {
      interrupt = listener;
    },
  });
  const early = ended.then(({ stderr }) => {
    throw new Error(stderr);
  });
  early.catch(() => undefined); // it always ends in the end
  return {
    address: await Promise.race([address, early]),
    async stop() {
      interrupt();
      return ended;
    },
  };
}
