// Writes a service-account file for Google's libraries, next to a new key or secret.
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { QuernError } from '../../../base/errors.ts';
import type { SettingValues } from '../../../config/settings.ts';
import type { IssuedKey } from '../../../server/keys/change-keys.ts';
import { newServiceAccount } from '../../../server/keys/service-account.ts';

export interface CredentialsFlags {
  readonly googleCredentials?: string | undefined;
  readonly url?: string | undefined;
  readonly universeDomain?: string | undefined;
}

/** Issues a key with a service account in `file`, which must not exist. Throws QuernError `usage` where it does, or cannot be written. */
export async function withCredentialsFile(
  { googleCredentials: file = '', url, universeDomain }: CredentialsFlags,
  values: Pick<SettingValues, 'host' | 'port' | 'tls_cert'>,
  issue: (publicKey: string) => Promise<IssuedKey>,
): Promise<IssuedKey> {
  const place = url ?? usualUrl(values);
  const account = await newServiceAccount();
  const fd = create(file);
  try {
    const issued = await issue(account.publicKey);
    writeSync(fd, account.fileText({ keyId: issued.key.id, url: place, universeDomain }));
    return issued;
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

function create(file: string): number {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // openSync throws system errors only
    throw code === 'EEXIST'
      ? new QuernError('usage', `${file} already exists`, { hint: 'name another file, or remove this one first' })
      : new QuernError('usage', `${file} cannot be written: ${code}`, { hint: 'name a file in a folder that exists and is yours', cause });
  }
}

/** Returns the address at which `quern serve` listens with these settings. */
function usualUrl({ host, port, tls_cert: certificate }: Pick<SettingValues, 'host' | 'port' | 'tls_cert'>): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `${certificate === undefined ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${port === 0 ? 4000 : port}`;
}
