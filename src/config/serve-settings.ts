// Rows of the table of settings: how `quern serve` listens and what it tells.
import { oneOf, SECONDS } from '../fields/kinds.ts';
import { optional, setting } from './setting.ts';
import { FILE, ORIGINS, PORT, REDIS_URL, SWITCH, TEXT, TEXTS, URL_TEXT } from './setting-kinds.ts';

const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

export const SERVE_SETTINGS = {
  host: setting<string>({
    kind: TEXT,
    fallback: () => '127.0.0.1',
    flag: 'host',
    help: 'address that `quern serve` listens on; 0.0.0.0 for all addresses of the machine',
  }),
  port: setting<number>({
    kind: PORT,
    fallback: () => 4000,
    flag: 'port',
    help: 'port that `quern serve` listens on; 0 takes a free one',
  }),
  tls_cert: optional<string>({
    kind: FILE,
    flag: 'tls-cert',
    help: 'PEM file of the certificate with which `quern serve` speaks TLS; without it, plain HTTP',
  }),
  tls_key: optional<string>({
    kind: FILE,
    flag: 'tls-key',
    help: 'PEM file of the private key of tls_cert',
  }),
  oidc_issuer: optional<string>({
    kind: URL_TEXT,
    help: 'identity provider whose tokens `quern serve` accepts in addition to API keys, such as https://login.example.com/realms/main',
  }),
  oidc_audience: optional<string>({
    kind: TEXT,
    help: 'audience that the tokens of oidc_issuer must name',
  }),
  oidc_scopes_claim: setting<string>({
    kind: TEXT,
    fallback: () => 'scope',
    help: 'claim that lists the saved queries a token covers, as words such as quern:usage.*',
  }),
  oidc_pins: setting<Readonly<Record<string, string>>>({
    kind: TEXTS,
    fallback: () => ({}),
    example: '{"project":"project_ref"}',
    help: 'parameters that a token sets, each with the claim that has its value',
  }),
  redis_url: optional<string>({
    kind: REDIS_URL,
    flag: 'redis-url',
    sensitive: true,
    example: 'rediss://user@cache.example:6379/0 (the password may be in redis_password)',
    help: 'Redis or Valkey server through which several `quern serve` share results, runs, rates and budgets',
  }),
  redis_password: optional<string>({
    kind: TEXT,
    secret: true,
    help: 'password for redis_url, instead of one in the address',
  }),
  redis_ca_file: optional<string>({
    kind: FILE,
    help: 'certificate (PEM) of the authority that signed the certificate of redis_url',
  }),
  redis_prefix: setting<string>({
    kind: TEXT,
    fallback: () => 'quern',
    help: 'how the names of all keys in Redis begin; servers with the same prefix share what they hold, so each environment needs its own',
  }),
  compat: optional<'logflare'>({
    kind: oneOf(['logflare']),
    flag: 'compat',
    help: 'the product whose clients `quern serve` should work for: logflare',
  }),
  bigquery: setting<boolean>({
    kind: SWITCH,
    fallback: () => false,
    flag: 'bigquery',
    help: 'whether `quern serve` also answers clients of BigQuery, through its REST API',
  }),
  cors_origins: setting<readonly string[]>({
    kind: ORIGINS,
    fallback: () => [],
    flag: 'cors-origin',
    help: 'origins whose web pages may read responses of `quern serve`; * for all',
  }),
  drain: setting<number>({
    kind: SECONDS,
    fallback: () => 10,
    help: 'how long requests may take to finish when `quern serve` is stopped',
  }),
  translate_timeout: setting<number>({
    kind: SECONDS,
    fallback: () => 0.25,
    help: 'how long `quern serve` may take to translate SQL from a caller before it answers with 422',
  }),
  log_level: setting<LogLevel>({
    kind: oneOf(LOG_LEVELS),
    fallback: () => 'info',
    flag: 'log-level',
    help: 'what `quern serve` logs: error, warn, info, debug (including cache hits) or silent',
  }),
  audit_log: optional<string>({
    kind: FILE,
    flag: 'audit-log',
    help: 'file in which `quern serve` records each request: who asked what, when, and how many rows, but no values',
  }),
  log_arguments: setting<boolean>({
    kind: SWITCH,
    fallback: () => false,
    help: 'whether the log of `quern serve` contains parameter values',
  }),
};
