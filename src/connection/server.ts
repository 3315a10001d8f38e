// A ClickHouse server, or a cluster behind one, as the place where the rows are.

import { QuernError } from '../base/errors.ts';
import type { Settings } from '../config/load.ts';
import type { Engine, ExecutionLimits } from '../engine/engine.ts';
import { type LimitRules, limitsOf } from '../execution/limits.ts';
import type { Snapshot } from '../execution/snapshot.ts';
import type { FilesPlace } from '../sources/files/list-files.ts';
import type { MemoryOptions } from '../sources/memory.ts';
import { openPlaceSources, type PlaceOptions, type PlaceSources } from '../sources/open.ts';
import { versionOf } from '../sources/version.ts';
import type { Connection } from './connection.ts';
import { loginName, needsCommand, QUERY_MEMORY, type ServerEngineOptions, serverEngine } from './server-engine.ts';
import { nameSilentServers, tellMissingShards } from './shards.ts';
import { tableTrouble } from './table-trouble.ts';

/** The first argument of `Distributed('cluster', 'database', 'table', …)`. */
const DISTRIBUTED_CLUSTERS = `SELECT DISTINCT extract(engine_full, 'Distributed.\\'([^\\']+)') FROM system.tables WHERE engine = 'Distributed'`;

interface ServerConnectionOptions extends ServerEngineOptions, Omit<MemoryOptions, 'engine' | 'unasked' | 'ttlSeconds'> {
  /** Where addresses of files may be read. */
  readonly place: FilesPlace;
  readonly limits: LimitRules;
}

class ServerConnection implements Connection {
  readonly remote = true;
  readonly place: string;
  readonly bounds: ExecutionLimits;
  readonly #options: ServerConnectionOptions;
  /** Names the server, the login and the database: rows may depend on who asks, and on where unqualified tables are. */
  readonly #id: string;
  #opening: Promise<Engine> | undefined;

  constructor(options: ServerConnectionOptions) {
    const { origin, pathname } = new URL(options.url);
    this.#options = options;
    this.place = `${origin}${pathname.replace(/\/$/, '')}`;
    this.bounds = { maxMemoryBytes: QUERY_MEMORY, ...limitsOf({}, options.limits, true) };
    this.#id = `server:${this.place}/${options.values.database ?? ''}?${loginName(options)}`;
  }

  async sources(): Promise<PlaceSources> {
    const place = this.#placeOptions();
    if (this.#opening !== undefined || !needsCommand(this.#options)) return openPlaceSources(place);
    const unasked = this.#unasked();
    const ask = async (): Promise<never> => {
      throw unasked;
    };
    return openPlaceSources({ ...place, ask, files: { ...place.files, ask }, unasked });
  }

  async snapshot(): Promise<Snapshot> {
    const sources = await openPlaceSources(this.#placeOptions());
    const { limits, build } = this.#options;
    return {
      version: versionOf({ data: this.#id, place: `${this.#id} ${build}` }, sources.files),
      sources,
      files: sources.files,
      limits,
      engine: this.#open,
      forgetSources: sources.forget,
      async outdated(error) {
        if (!sources.wasRemembered || !tableTrouble(error)) return false;
        await sources.forget();
        return true;
      },
    };
  }

  readonly explainEmpty = async (): Promise<undefined> => undefined;

  async close(): Promise<void> {
    await (await this.#opening?.catch(() => undefined))?.close();
  }

  readonly #open = async (): Promise<Engine> => {
    this.#opening ??= this.#connect();
    try {
      return await this.#opening;
    } catch (error) {
      this.#opening = undefined; // a password command may do better the next time
      throw error;
    }
  };

  async #connect(): Promise<Engine> {
    const clusters = () => this.#clusters();
    const server = nameSilentServers(await serverEngine(this.#options), clusters);
    return this.#options.values.skip_unavailable_shards ? tellMissingShards(server, clusters) : server;
  }

  /** Returns the clusters that the sources are read from, by a Distributed table or by name. */
  async #clusters(): Promise<readonly string[]> {
    const named = Object.values(Object(this.#options.sections.sources?.value)).map((source) => Object(source).cluster);
    const rows = await (await this.#open()).rows(DISTRIBUTED_CLUSTERS);
    return [...new Set([...named, ...rows.map(([name]) => name)])].filter(
      (name): name is string => typeof name === 'string' && name !== '',
    );
  }

  #placeOptions(): PlaceOptions {
    const { place, values } = this.#options;
    const ask = async (sql: string) => (await this.#open()).rows(sql);
    return {
      ...this.#options,
      closed: [],
      server: { absent: (name) => this.#absent(name) },
      files: { onServer: true, place, ask },
      ask,
      engine: this.#id,
      ttlSeconds: values.sources_ttl,
    };
  }

  /** Returns the error of a log source whose table is not there. */
  #absent(name: string): { readonly message: string; readonly hint: string } {
    const { database = '' } = this.#options.values;
    const where = database === '' ? 'the default database' : `the database ${database}`;
    return {
      message: `${name}: ${where} of ${this.place} has no table ${name}`,
      hint: `say in quern.yaml which table to use: sources: { ${name}: { table: database.table } }`,
    };
  }

  /** Returns the error of tables that are not described yet, where asking for them would run a command. */
  #unasked(): QuernError {
    const { origins, values } = this.#options;
    const profile = origins.profile.from === 'flag' ? ` --profile ${values.profile}` : '';
    return new QuernError(
      'config',
      `the tables at ${this.place} have not been looked up yet; that would run password_command, which never happens just to translate a query`,
      { hint: `run \`quern sources${profile}\` first, which looks them up and remembers them` },
    );
  }
}

type TrustOptions = Parameters<typeof import('./project-trust.ts').projectTrust>[0];
type CommonOptions = Omit<ServerConnectionOptions, 'url' | 'values' | 'origins' | 'permit' | 'onLogin'> & Pick<TrustOptions, 'signal'>;

/** Connects to the server at `url`. The user may have to trust the project before anything is sent to it. */
export function connectServer(
  url: string,
  settings: Settings,
  common: CommonOptions,
  { io, quiet }: Pick<TrustOptions, 'io'> & { readonly quiet: () => boolean },
): Connection {
  let asked: ReturnType<typeof trusted> | undefined;
  const trusted = async () => (await import('./project-trust.ts')).projectTrust({ io, signal: common.signal, settings, quiet: quiet() });
  const trust = () => {
    asked ??= trusted();
    return asked;
  };
  const { values, origins } = settings;
  return new ServerConnection({
    ...common,
    url,
    values,
    origins,
    permit: async () => (await trust()).permit(),
    onLogin: async (server, ownPassword) => (await trust()).onLogin(server, ownPassword),
  });
}
