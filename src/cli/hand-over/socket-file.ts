// The socket at which the process that uses a store takes commands of others.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const SOCKET = 'serve.sock';

export const socketFile = (store: string): string => join(store, SOCKET);

/** False where no process can listen: what would ask it need not be loaded. */
export const mayListen = (store: string): boolean => existsSync(socketFile(store));
