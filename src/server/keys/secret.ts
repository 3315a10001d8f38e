// The secret that a client sends: `quern_<id>_<256 random bits>`. Only its hash is kept.
import { hash, randomBytes, randomInt } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 8;
/** Of 32 bytes in base 62. */
const RANDOM_LENGTH = 43;

const PREFIX = /^quern_([0-9A-Za-z]{8})(?:_.*)?$/s;
const SECRET = /^quern_([0-9A-Za-z]{8})_[0-9A-Za-z]{43}$/;
const SECRET_LENGTH = prefixOf('x'.repeat(ID_LENGTH)).length + 1 + RANDOM_LENGTH;

export function newId(): string {
  return Array.from({ length: ID_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');
}

export function newSecret(id: string): string {
  let rest = BigInt(`0x${randomBytes(32).toString('hex')}`);
  let text = '';
  for (let i = 0; i < RANDOM_LENGTH; i++) {
    text = (DIGITS[Number(rest % 62n)] ?? '') + text;
    rest /= 62n;
  }
  return `${prefixOf(id)}_${text}`;
}

/** The public beginning of a key's secrets. */
export function prefixOf(id: string): string {
  return `quern_${id}`;
}

/** The id in a secret; undefined for text of another form. */
export function idInSecret(text: string): string | undefined {
  return text.length === SECRET_LENGTH ? SECRET.exec(text)?.[1] : undefined;
}

/** The id in `quern_<id>`, or in a secret that somebody pasted, whole or in part. */
export function idInPrefix(text: string): string | undefined {
  return PREFIX.exec(text)?.[1];
}

/** A slow hash would add nothing: 256 random bits cannot be guessed. As text on its way, since Node makes that fastest. */
export function hashOf(secret: string): Buffer {
  return Buffer.from(hash('sha256', secret, 'hex'), 'hex');
}
