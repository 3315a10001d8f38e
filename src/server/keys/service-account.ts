// Service accounts of API keys: files with which Google's libraries log in as they do at Google. The key file has their public keys only.
// https://google.aip.dev/auth/4112
import { createHash, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

const DOMAIN = 'keys.quern.internal';
/** Another than Google's: with it, its libraries sign tokens themselves instead of asking Google for them. */
const UNIVERSE = 'quern.internal';

/** Where quern answers for Google's token server. */
export const TOKEN_PATH = '/token';

const accountOf = (keyId: string): string => `${keyId}@${DOMAIN}`;

/** Returns the id of the key that an account belongs to. */
export function keyIdOf(account: unknown): string | undefined {
  return typeof account === 'string' && account.endsWith(`@${DOMAIN}`) ? account.slice(0, -DOMAIN.length - 1) : undefined;
}

interface AccountPlace {
  readonly keyId: string;
  /** The server's address, without a path. */
  readonly url: string;
  readonly universeDomain?: string | undefined;
}

/** Makes a pair of keys, which nobody else has. */
export async function newServiceAccount() {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const fingerprint = createHash('sha256').update(publicKey).digest('hex');
  return {
    /** See KeyRecord. */
    publicKey: publicKey.toString('base64'),
    /** Returns the text of the file, which holds the private key. */
    fileText: ({ keyId, url, universeDomain = UNIVERSE }: AccountPlace) => {
      const file = {
        type: 'service_account',
        project_id: 'quern',
        private_key_id: fingerprint.slice(0, 40),
        private_key: privateKey,
        client_email: accountOf(keyId),
        // Digits, as Google's are.
        client_id: String(BigInt(`0x${fingerprint.slice(0, 16)}`)).padStart(21, '1'),
        auth_uri: new URL('/auth', url).href,
        token_uri: new URL(TOKEN_PATH, url).href,
        universe_domain: universeDomain,
      };
      return `${JSON.stringify(file, null, 2)}\n`;
    },
  };
}
