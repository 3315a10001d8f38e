// Certificates of servers that tests start.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  /** Of the PEM file with the certificate. */
  readonly path: string;
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** One for 127.0.0.1 that nobody else has signed, as files in `folder`. */
export function certificate(folder: string, name: string): Certificate {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  return { path: cert, cert: readFileSync(cert), key: readFileSync(key) };
}
