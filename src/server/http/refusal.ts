// Refusals of the server itself, before a saved query has a part in them.
import type { Credential } from '../keys/key.ts';
import type { Failure } from './failure.ts';

export const noKey: Failure = {
  status: 401,
  code: 'unauthorized',
  message: 'this server requires an API key',
  hint: 'send it in the header X-API-KEY',
  headers: { 'www-authenticate': 'Bearer' },
};

/** For a server that takes both. */
export const noKeyOrToken: Failure = {
  ...noKey,
  message: 'this server requires an API key, or a token of its identity provider',
  hint: 'send a key in the header X-API-KEY, or a token as Authorization: Bearer',
};

export const unknownKey: Failure = {
  status: 401,
  code: 'unauthorized',
  message: 'the API key is not valid',
  hint: 'it may be revoked or expired: see `quern keys list`',
  headers: { 'www-authenticate': 'Bearer' },
};

/** A token that stands where only keys are taken, or one too long to be one of a provider. */
export const misplacedToken: Failure = {
  ...unknownKey,
  message: 'this is no API key, and a token is accepted only in the header Authorization',
  hint: 'send it as Authorization: Bearer',
};

export const consoleOnly: Failure = {
  status: 403,
  code: 'forbidden',
  message: 'this API key works in the web console only',
  hint: 'create a separate key for programs: quern keys create --name N --scope S',
};

export const strangeHost: Failure = {
  status: 403,
  code: 'forbidden',
  message: 'without API keys, this server only answers requests addressed to this machine',
  hint: 'use http://127.0.0.1 or http://localhost, or start the server with keys',
};

export const outOfScope = (queryName: string, credential: Credential): Failure => ({
  status: 403,
  code: 'forbidden',
  message: `the ${credential} does not cover ${queryName}`,
  hint:
    credential === 'token'
      ? `let the identity provider give it the scope quern:${queryName}`
      : 'use a key with that scope: see `quern keys list`',
});

export const noOverseer = (path: string, credential: Credential): Failure => ({
  status: 403,
  code: 'forbidden',
  message: `the ${credential} does not cover ${path}`,
  hint: "use a key without pins and with the scope '*' or /metrics: quern keys create --name N --scope /metrics",
});

export const noBigQuery = (credential: Credential): Failure => ({
  status: 403,
  code: 'forbidden',
  message: `the ${credential} does not cover BigQuery's API, which takes SQL over all tables`,
  hint: 'use a key with the scope bigquery, which * does not include: quern keys create N --scope bigquery',
});

export const noSqlPage = (credential: Credential): Failure => ({
  status: 403,
  code: 'forbidden',
  message: `the ${credential} does not cover SQL over all tables`,
  hint:
    credential === 'token'
      ? 'let the identity provider give it the scope quern:/sql'
      : 'use a key with the scope /sql, which * does not include: quern keys create N --scope /sql',
});

export const noSuchPath = (path: string): Failure => ({
  status: 404,
  code: 'not-found',
  message: `there is nothing at ${path.length > 200 ? `${path.slice(0, 200)}…` : path}`,
  hint: 'endpoints are at /api/endpoints/<name>, and described at /openapi.json',
});

export const wrongMethod = (method: string, allowed: string): Failure => ({
  status: 405,
  code: 'method',
  message: `${method} is not allowed at this address`,
  hint: `use ${allowed}`,
  headers: { allow: allowed },
});

export const tooOften = (count: number, perSeconds: number, retryAfterSeconds: number): Failure => ({
  status: 429,
  code: 'rate',
  message: `the API key is limited to ${count} ${count === 1 ? 'request' : 'requests'} ${perSeconds === 1 ? 'a second' : `in ${perSeconds} seconds`}`,
  hint: `try again in ${retryAfterSeconds} s`,
  headers: { 'retry-after': String(retryAfterSeconds) },
});
