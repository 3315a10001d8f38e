// Servers and proxies repeat what they were sent when they complain: their words are ours to show, but not the secrets in them.

import { QuernError } from '../base/errors.ts';
import { around } from '../engine/around.ts';
import type { Engine } from '../engine/engine.ts';

/** Shorter ones would be found in words that have nothing to do with them. */
const LEAST_LENGTH = 6;

/** The same engine; no error of its holds one of `secrets`. */
export function hideSecrets(engine: Engine, secrets: readonly string[]): Engine {
  const hidden = secrets.filter((secret) => secret.length >= LEAST_LENGTH);
  if (hidden.length === 0) return engine;
  const clean = (text: string): string => hidden.reduce((shown, secret) => shown.replaceAll(secret, '(hidden)'), text);
  const cleanCause = (cause: unknown): unknown => {
    const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    return clean(text) === text ? cause : clean(text);
  };
  const cleanError = (error: unknown): unknown => {
    if (!(error instanceof QuernError)) return error;
    const { notes, hint, cause } = error.details;
    return new QuernError(error.code, clean(error.message), {
      ...error.details,
      ...(notes === undefined ? {} : { notes: notes.map(clean) }),
      ...(hint === undefined ? {} : { hint: clean(hint) }),
      ...(cause === undefined ? {} : { cause: cleanCause(cause) }),
    });
  };
  return around(engine, {
    async failed(error) {
      throw cleanError(error);
    },
  });
}
