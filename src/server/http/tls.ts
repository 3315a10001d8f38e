// The certificate of a server that speaks TLS by itself: read from two files, and read again when they change.
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { messageOf, QuernError } from '../../base/errors.ts';
import type { Clock } from '../clock.ts';

export interface TlsFiles {
  /** PEM: the certificate, and those between it and the authority's. */
  readonly cert: string;
  /** PEM, without a passphrase. */
  readonly key: string;
}

export interface TlsPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Throws QuernError `config` for files that cannot be read, or that do not belong together. */
export function readTls({ cert, key }: TlsFiles): TlsPair {
  const pair = { cert: readPem(cert, 'tls_cert'), key: readPem(key, 'tls_key') };
  try {
    createSecureContext(pair);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^error:[^:]*:/, '') : String(cause);
    throw new QuernError('config', `the certificate ${cert} and the key ${key} cannot be used together: ${reason}`, {
      hint: 'tls_cert is a PEM file with the certificate first, tls_key the PEM file of its private key, without a passphrase',
      cause,
    });
  }
  return pair;
}

function readPem(file: string, setting: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new QuernError('config', `${setting} cannot be read: ${messageOf(cause)}`, {
      hint: 'check the path, and the rights of the user that runs quern',
      cause,
    });
  }
}

/** Tools that renew certificates replace one file and then the other. */
const LOOK_EVERY_MS = 10_000;

interface Watched {
  readonly files: TlsFiles;
  readonly clock: Clock;
  readonly onChange: (pair: TlsPair) => void;
  /** The old certificate stays in use. */
  readonly onTrouble: (error: QuernError) => void;
}

/** Looks at the files now and then; `look` does so at once. */
export function watchTls({ files, clock, onChange, onTrouble }: Watched): { readonly look: () => void; readonly stop: () => void } {
  let stamp = stampOf(files);
  const look = (): void => {
    const found = stampOf(files);
    if (found === stamp) return;
    stamp = found;
    try {
      onChange(readTls(files));
    } catch (error) {
      if (!(error instanceof QuernError)) throw error;
      onTrouble(error);
    }
  };
  let callOff: () => void = () => undefined;
  const again = (): void => {
    callOff = clock.after(LOOK_EVERY_MS, () => {
      look();
      again();
    });
  };
  again();
  return { look, stop: () => callOff() };
}

function stampOf({ cert, key }: TlsFiles): string {
  return [cert, key]
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return stat === undefined ? 'no file' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
    })
    .join('\n');
}
