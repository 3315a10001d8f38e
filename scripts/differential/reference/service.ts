// The reference as a service of this machine: started, asked, and started anew where a query crashes or hangs it.
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Argument, Outcome, Table } from '../outcome.ts';
import type { InstalledReference } from './install.ts';
import { type Message, readType, readValue, typeMessage, valueMessage } from './proto.ts';

export interface Reference {
  /** Replaces the tables. */
  setTables(tables: readonly Table[]): Promise<void>;
  evaluate(sql: string, args?: readonly Argument[]): Promise<Outcome>;
  /** Several queries, a few of them at once. */
  evaluateAll(queries: readonly string[]): Promise<readonly Outcome[]>;
  stop(): void;
}

interface Client {
  waitForReady(deadline: number, done: (error?: Error) => void): void;
  close(): void;
}
type Failure = Error & { readonly code?: number; readonly details?: string };

const START_MS = 20_000;
const QUERY_MS = 8_000;
const AT_ONCE = 6;
const CRASHED = 14;
const TIMED_OUT = 4;
/** OUT_OF_RANGE is what the reference says of values; other codes are about the query or the reference itself. */
const VALUES = 11;
/** Bounds of the reference itself, and what it lacks, said as if it were of values. */
const LACKS =
  /more than 16000 elements|max allowed output size|not supported|[Uu]nsupported|Unimplemented|Invalid interval datetime field|exceeds? the maximum/;

/** BigQuery has them and "all features that are done" of the reference do not. */
const MORE_FEATURES = [
  'FEATURE_INTERVAL_TYPE',
  'FEATURE_INVERSE_TRIG_FUNCTIONS',
  'FEATURE_TIME_BUCKET_FUNCTIONS',
  'FEATURE_V_1_4_LIKE_ANY_SOME_ALL_ARRAY',
  'FEATURE_V_1_4_LIKE_ANY_SOME_ALL_SUBQUERY',
  'FEATURE_V_1_4_SET_OPERATION_COLUMN_PROPAGATION_MODE',
];
/** BigQuery is without them. */
const FEWER_FEATURES =
  /^FEATURE_(?:TIMESTAMP_NANOS|PROTO_BASE|GEOGRAPHY|ANONYMIZATION|DIFFERENTIAL_PRIVACY|EXPERIMENTAL_MODULES|ENCRYPTION)/;

/** A port of this machine that nobody listens on: next to another run there may be another service. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** Starts the service. `tell` is told of restarts. */
export async function openReference({ home, files }: InstalledReference, tell: (line: string) => void): Promise<Reference> {
  const require = createRequire(join(home, 'index.js'));
  const grpc = require('@grpc/grpc-js');
  const definition = require('@grpc/proto-loader').loadSync('local_service.proto', {
    includeDirs: [join(files, 'protos')],
    keepCase: true,
    longs: String,
    enums: String,
    oneofs: true,
    defaults: false,
  });
  const Service = grpc.loadPackageDefinition(definition).zetasql.local_service.ZetaSqlLocalService;
  let child: ChildProcess | undefined;
  let client: Client | undefined;
  let language: Message = {};
  let catalog: unknown;
  let tables: readonly Table[] = [];

  const call = (method: string, request: Message, ms = START_MS): Promise<Message> =>
    new Promise((resolve, reject) => {
      const stub = client as unknown as Record<
        string,
        (request: Message, options: Message, done: (e: Failure | null, r: Message) => void) => void
      >;
      stub[method]?.(request, { deadline: Date.now() + ms }, (error, reply) => (error === null ? resolve(reply) : reject(error)));
    });

  async function start(): Promise<void> {
    const port = await freePort();
    child = spawn(join(files, 'remote_server.so'), ['localhost', String(port)], { stdio: 'ignore' });
    child.unref();
    const endless = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };
    const opened: Client = new Service(`localhost:${port}`, grpc.credentials.createInsecure(), endless);
    client = opened;
    await new Promise<void>((resolve, reject) => {
      opened.waitForReady(Date.now() + START_MS, (error) => (error === undefined || error === null ? resolve() : reject(error)));
    });
    const most = await call('GetLanguageOptions', { maximum_features: true });
    const features = (most['enabled_language_features'] as readonly string[]).filter((name) => !FEWER_FEATURES.test(name));
    language = { ...most, product_mode: 'PRODUCT_EXTERNAL', enabled_language_features: [...new Set([...features, ...MORE_FEATURES])] };
    await register();
  }

  async function register(): Promise<void> {
    const table = tables.map(({ name, columns }, at) => ({
      name,
      serialization_id: at + 1,
      column: columns.map((column) => ({ name: column.name, type: typeMessage(column.type) })),
    }));
    const content = tables.map(({ name, columns, rows }) => {
      const row = rows.map((values) => ({ cell: columns.map(({ type }, at) => valueMessage(type, values[at] ?? null)) }));
      return [name, { table_data: { row } }];
    });
    const { registered_id } = await call('RegisterCatalog', {
      simple_catalog: { name: 'tables', builtin_function_options: { language_options: language }, table },
      table_content: Object.fromEntries(content),
    });
    catalog = registered_id;
  }

  function leave(): void {
    client?.close();
    child?.kill('SIGKILL');
  }

  async function ask(sql: string, args: readonly Argument[] = []): Promise<Outcome> {
    try {
      const reply = await call(
        'EvaluateQuery',
        {
          sql,
          registered_catalog_id: catalog,
          options: {
            language_options: language,
            default_timezone: 'UTC',
            error_message_mode: 'ERROR_MESSAGE_ONE_LINE',
            query_parameters: args.map(({ name, type }) => ({ name, type: typeMessage(type) })),
          },
          params: args.map(({ name, type, value }) => ({ name, value: valueMessage(type, value) })),
        },
        QUERY_MS,
      );
      const { columns = [] } = (reply['prepared'] ?? {}) as { columns?: readonly { type: Message }[] };
      const content = reply['content'] as { table_data?: { row?: readonly { cell?: readonly Message[] }[] } } | undefined;
      const types = columns.map(({ type }) => readType(type));
      const rows = (content?.table_data?.row ?? []).map(({ cell = [] }) => types.map((type, at) => readValue(type, cell[at] ?? {})));
      return { kind: 'rows', types, rows };
    } catch (cause) {
      const { code, details, message } = cause as Failure;
      if (code === CRASHED || code === TIMED_OUT) throw cause;
      const said = details ?? message;
      return { kind: code === VALUES && !LACKS.test(said) ? 'error' : 'unable', message: said };
    }
  }

  /** A query that takes the service with it is told from those that ran beside it by asking each alone. */
  async function evaluate(sql: string, args?: readonly Argument[]): Promise<Outcome> {
    try {
      return await ask(sql, args);
    } catch (cause) {
      leave();
      await start();
      const how = (cause as Failure).code === CRASHED ? 'crashes' : 'does not end';
      tell(`the reference ${how}: ${sql.slice(0, 200)}`);
      return { kind: 'unable', message: `the reference ${how}` };
    }
  }

  await start();
  return {
    evaluate,
    async setTables(next) {
      tables = next;
      const former = catalog;
      catalog = undefined; // register() may throw: of a type that the reference lacks
      if (former !== undefined) await call('UnregisterCatalog', { registered_id: former });
      await register();
    },
    async evaluateAll(queries) {
      const outcomes: Outcome[] = [];
      for (let from = 0; from < queries.length; from += AT_ONCE) {
        const some = queries.slice(from, from + AT_ONCE);
        const asked = await Promise.allSettled(some.map((sql) => ask(sql)));
        const lost = asked.some(({ status }) => status === 'rejected');
        if (lost) {
          leave();
          await start();
        }
        for (const [at, sql] of some.entries()) {
          const result = asked[at];
          outcomes.push(result?.status === 'fulfilled' ? result.value : await evaluate(sql));
        }
      }
      return outcomes;
    },
    stop: leave,
  };
}
