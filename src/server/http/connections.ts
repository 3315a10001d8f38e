// The connections of a server, and how they end without cutting anybody off: each reply says that it is the last, requests that were already on their way
// are answered for a while, and connections on which nothing is being answered are closed.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';
import { Server as NetServer, type Socket } from 'node:net';
import type { Clock } from '../clock.ts';

type Reply = Pick<ServerResponse, 'closed' | 'shouldKeepAlive'>;

export function connectionsOf(server: Server | Http2SecureServer) {
  const sockets = new Set<Socket>();
  /**
   * The last reply on each connection of HTTP/1.1; it answers requests in turn, so that nothing is under way once that one is closed. Node itself
   * calls a connection idle before the reply is sent.
   */
  const lastReply = new Map<Socket, Reply | undefined>();
  const sessions = new Set<ServerHttp2Session>();
  const speaksTls = !('closeAllConnections' in server);
  let ending = false;
  const forget = (socket: Socket): void => {
    sockets.delete(socket);
    lastReply.delete(socket);
  };
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    if (!speaksTls) lastReply.set(socket, undefined);
    socket.once('close', () => forget(socket));
  });
  server.on('secureConnection', (socket) => {
    if (socket.alpnProtocol !== 'h2') lastReply.set(socket, undefined);
    socket.once('close', () => forget(socket));
  });
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  const note = ({ socket }: Pick<IncomingMessage, 'socket'>, response: Reply): void => {
    if (!lastReply.has(socket)) return;
    lastReply.set(socket, response);
    if (ending) response.shouldKeepAlive = false;
  };
  // In place of Fastify's listener, which may reply at once, and not before it: Node copies a list of listeners for every request.
  const handlers = server.listeners('request');
  server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    note(request, response);
    for (const handle of handlers) handle.call(server, request, response);
  });
  return {
    /** Takes no more of them, and makes the next reply on each the last, which says so. Resolves when the last one has ended. */
    end() {
      ending = true;
      for (const reply of lastReply.values()) if (reply !== undefined) reply.shouldKeepAlive = false;
      // The methods of HTTP servers would close idle connections too, on which a request may be on its way.
      return new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
    },
    /** Closes those on which nothing is being answered. */
    closeIdle() {
      // This asks a client of HTTP/2 to go; the streams that it has opened are answered.
      for (const session of sessions) if (!session.closed) session.close();
      for (const [socket, reply] of lastReply) if (reply?.closed !== false) socket.destroySoon();
    },
    closeAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface DrainOptions {
  readonly clock: Clock;
  /** See ServerOptions. */
  readonly drainMs: number;
  readonly graceMs: number;
}

/** Clients keep connections open on which nothing more will be answered. */
const SWEEP_MS = 100;

/** Ends the connections, and lets requests end first; `abort` ends those that are late. */
export async function drain(
  connections: ReturnType<typeof connectionsOf>,
  { clock, drainMs, graceMs }: DrainOptions,
  abort: () => void,
): Promise<void> {
  let callOff = clock.after(drainMs, () => {
    abort();
    // Requests that waited get their replies; a client that does not read its own is cut off.
    callOff = clock.after(SWEEP_MS, () => connections.closeAll());
  });
  const ended = connections.end();
  let callOffSweep: () => void = () => undefined;
  const sweep = () => {
    // After the turn in which the event loop reads what has come.
    setImmediate(() => connections.closeIdle());
    callOffSweep = clock.after(SWEEP_MS, sweep);
  };
  if (graceMs === 0) sweep();
  else callOffSweep = clock.after(Math.min(graceMs, drainMs), sweep);
  await ended;
  callOff();
  callOffSweep();
}
