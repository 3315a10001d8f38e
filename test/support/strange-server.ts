// Servers that are not what they should be: each connection is handled by a function that writes bytes.
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

export interface StrangeServer {
  readonly url: string;
  /** The first line of what each connection sent. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** `handle` gets each connection once its first bytes have come; `number` counts from 1. */
export async function strangeServer(handle: (socket: Socket, number: number, request: string) => void): Promise<StrangeServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', (bytes) => {
      socket.resume();
      const text = bytes.toString('latin1');
      requests.push(text.slice(0, text.indexOf('\r\n')));
      handle(socket, requests.length, text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** An answer with a length, after which the connection is closed. */
export function httpAnswer(status: string, body: string | Buffer, headers: Readonly<Record<string, string | number>> = {}): Buffer {
  const lines = Object.entries({ 'Content-Length': Buffer.byteLength(body), Connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`), Buffer.from(body)]);
}
