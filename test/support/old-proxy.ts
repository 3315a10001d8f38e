// A proxy that speaks HTTP/1.0 to a ClickHouse server, where the end of an answer is the end of the connection, and spoils answers on request.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface OldAnswer {
  /** Up to the blank line, and with it. */
  readonly head: Buffer;
  readonly body: Buffer;
}

/** Writes what quern gets in place of the answer, and ends the connection. */
export type Spoil = (socket: Socket, answer: OldAnswer) => void;

interface OldProxy {
  readonly url: string;
  /** Of all answers from now on but errors; without a word they pass as they are. */
  spoil(how?: Spoil): void;
  /** How many answers were spoilt so far. */
  spoilt(): number;
  close(): Promise<void>;
}

const pass: Spoil = (socket, { head, body }) => void socket.end(Buffer.concat([head, body]));

export async function oldProxy(port: number): Promise<OldProxy> {
  let current: Spoil | undefined;
  let spoilt = 0;
  const sockets = new Set<Socket>();
  const server = createServer((request) => {
    const how = current;
    const { socket } = request;
    socket.on('error', () => undefined);
    forwarded(request, port).then(
      (answer) => {
        if (how === undefined || !answer.head.includes(' 200 ')) return pass(socket, answer);
        spoilt++;
        how(socket, answer);
      },
      () => socket.destroy(),
    );
  }).listen(0, '127.0.0.1');
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    spoil(how) {
      current = how;
    },
    spoilt: () => spoilt,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function forwarded(request: IncomingMessage, port: number): Promise<OldAnswer> {
  const body = Buffer.concat(await request.toArray());
  const { connection, 'transfer-encoding': _, ...headers } = request.headers;
  const lines = Object.entries({ ...headers, 'content-length': body.length }).map(([name, value]) => `${name}: ${value}\r\n`);
  const upstream = connect(port, '127.0.0.1');
  upstream.write(Buffer.concat([Buffer.from(`${request.method} ${request.url} HTTP/1.0\r\n${lines.join('')}\r\n`), body]));
  const answer = Buffer.concat(await upstream.toArray());
  const end = answer.indexOf('\r\n\r\n') + 4;
  return { head: answer.subarray(0, end), body: answer.subarray(end) };
}
