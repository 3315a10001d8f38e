// Starts a server in a process of its own, and waits until it listens.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export async function startServer(args, env) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const lines = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    const address = /^listening on (.*)$/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stderr.resume(); // a full pipe would stop the server
    return { child, address };
  }
  throw new Error(`the server did not start:\n${lines.join('\n')}`);
}
