// The connections of a server that is to end. Servers of HTTP/2 have no words for those of HTTP/1.1 that they serve too, so these are counted here.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';

interface Connections {
  /** Those on which nothing is being answered. */
  closeIdle(): void;
  closeAll(): void;
}

export function connectionsOf(server: Server | Http2SecureServer): Connections {
  if ('closeAllConnections' in server) {
    return { closeIdle: () => server.closeIdleConnections(), closeAll: () => server.closeAllConnections() };
  }
  /** How many requests each connection has under way; those of HTTP/2 end with their session, which Fastify closes. */
  const underWay = new Map<Socket, number>();
  const sockets = new Set<Socket>();
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    if (socket.alpnProtocol !== 'h2') underWay.set(socket, 0);
    socket.once('close', () => {
      sockets.delete(socket);
      underWay.delete(socket);
    });
  });
  server.on('request', ({ socket }: Pick<IncomingMessage, 'socket'>, response: Pick<ServerResponse, 'once'>) => {
    const count = underWay.get(socket);
    if (count === undefined) return;
    underWay.set(socket, count + 1);
    response.once('close', () => {
      const now = underWay.get(socket);
      if (now !== undefined) underWay.set(socket, now - 1);
    });
  });
  return {
    closeIdle() {
      for (const [socket, count] of underWay) if (count === 0) socket.destroySoon();
    },
    closeAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
