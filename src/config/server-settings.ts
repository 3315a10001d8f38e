// The settings of a connection to a ClickHouse server; without an address the embedded store is used.

import { optional, setting } from './setting.ts';
import { FILE, SWITCH, TEXT, TEXTS, URL_TEXT } from './setting-kinds.ts';

export const SERVER_SETTINGS = {
  profile: optional<string>({
    kind: TEXT,
    flag: 'profile',
    everywhere: { value: 'name' },
    help: 'the profile in quern.yaml whose settings are used',
  }),
  url: optional<string>({
    kind: URL_TEXT,
    env: 'CLICKHOUSE_URL',
    flag: 'url',
    everywhere: { value: 'url' },
    sensitive: true,
    example: 'https://host:8443 (in a password / : @ # ? are percent-encoded)',
    help: 'address of a ClickHouse server to use instead of the embedded store',
  }),
  user: optional<string>({ kind: TEXT, env: 'CLICKHOUSE_USER', help: 'user of the ClickHouse server' }),
  password: optional<string>({ kind: TEXT, env: 'CLICKHOUSE_PASSWORD', secret: true, help: 'password of the ClickHouse server' }),
  password_command: optional<string>({
    kind: TEXT,
    env: 'QUERN_PASSWORD_COMMAND',
    sensitive: true,
    help: 'shell command that prints the password; it runs when quern connects to the server',
  }),
  access_token: optional<string>({
    kind: TEXT,
    env: 'CLICKHOUSE_ACCESS_TOKEN',
    secret: true,
    help: 'token (JWT) for the ClickHouse server, instead of user and password',
  }),
  database: optional<string>({
    kind: TEXT,
    env: 'CLICKHOUSE_DATABASE',
    flag: 'database',
    everywhere: { value: 'name' },
    help: 'database of the ClickHouse server',
  }),
  ca_file: optional<string>({
    kind: FILE,
    help: "certificate (PEM) of the authority that signed the server's certificate",
  }),
  client_cert_file: optional<string>({
    kind: FILE,
    help: 'certificate (PEM) that identifies this client to the server',
  }),
  client_key_file: optional<string>({ kind: FILE, help: 'key (PEM) of that certificate' }),
  headers: setting<Readonly<Record<string, string>>>({
    kind: TEXTS,
    fallback: () => ({}),
    env: 'QUERN_HEADERS',
    sensitive: true,
    example: `'{"X-Team": "data"}'`,
    help: 'extra HTTP headers for the server, such as those of a proxy; their values are never printed',
  }),
  server_settings: setting<Readonly<Record<string, string>>>({
    kind: TEXTS,
    fallback: () => ({}),
    help: 'extra ClickHouse settings for every query, such as max_threads: 4',
  }),
  compression: optional<boolean>({
    kind: SWITCH,
    help: 'whether the server compresses its answers; by default only if it is on another machine',
  }),
  skip_unavailable_shards: setting<boolean>({
    kind: SWITCH,
    fallback: () => false,
    help: 'read a cluster without the shards that cannot be reached, with a note',
  }),
};
