// A connection of which a test sees every byte, and when the other side closes it.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { until } from './answers/answers-support.ts';

export interface Connection {
  readonly socket: Socket;
  /** All that has come. */
  readonly received: () => string;
  send(text: string): void;
  /** When what has come matches. */
  hears(pattern: RegExp): Promise<string>;
  /** When no byte can be sent any more either: the other side has closed, not only ended. */
  closed(): Promise<void>;
}

/** `allowHalfOpen`: this side stays open when the other one ends, as a slow client does that never looks. */
export async function connected(address: string, { allowHalfOpen = false } = {}): Promise<Connection> {
  const { hostname, port } = new URL(address);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen });
  onTestFinished(() => void socket.destroy());
  let text = '';
  let gone = false;
  socket
    .on('data', (chunk) => {
      text += chunk.toString('latin1');
    })
    .on('error', () => undefined)
    .on('close', () => {
      gone = true;
    });
  await once(socket, 'connect');
  return {
    socket,
    received: () => text,
    send: (more) => void socket.write(more),
    async hears(pattern) {
      await until(() => pattern.test(text));
      return text;
    },
    closed: () => until(() => gone),
  };
}

/** Status and body of the first reply. */
export function firstReply(text: string): readonly [number, unknown] {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
  return [Number(head.split(' ')[1]), JSON.parse(body.slice(0, length))];
}
