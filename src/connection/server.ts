// A ClickHouse server, or a cluster behind one, as the place where the rows are.

import { QuernError } from '../base/errors.ts';
import type { Engine } from '../engine/engine.ts';
import { type LimitRules, limitsOf } from '../execution/limits.ts';
import type { Sections } from '../sources/definition.ts';
import type { FilesPlace } from '../sources/files/list-files.ts';
import { openPlaceSources, type PlaceOptions } from '../sources/open.ts';
import { versionOf } from '../sources/version.ts';
import type { Connection } from './connection.ts';
import { loginName, needsCommand, QUERY_MEMORY, type ServerEngineOptions, serverEngine } from './server-engine.ts';
import { tellMissingShards } from './shards.ts';
import { tableTrouble } from './table-trouble.ts';

/** The first argument of `Distributed('cluster', 'database', 'table', …)`. */
const DISTRIBUTED_CLUSTERS = `SELECT DISTINCT extract(engine_full, 'Distributed.\\'([^\\']+)') FROM system.tables WHERE engine = 'Distributed'`;

interface ServerConnectionOptions extends ServerEngineOptions {
  /** Where addresses of files may be read. */
  readonly place: FilesPlace;
  readonly sections: Sections;
  readonly limits: LimitRules;
  /** Where described tables are remembered. */
  readonly folder: string;
  /** Names this very build of quern. */
  readonly build: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function serverConnection(options: ServerConnectionOptions): Connection {
  const { values, origins, sections, limits, folder, build, now } = options;
  const { origin, pathname } = new URL(options.url);
  const place = `${origin}${pathname.replace(/\/$/, '')}`;
  const database = values.database ?? '';
  // Rows may depend on who asks, and on the database that unqualified tables are in.
  const id = `server:${place}/${database}?${loginName(options)}`;
  let engine: Promise<Engine> | undefined;
  /** Clusters that the sources are read from, by a Distributed table or by name. */
  const clusters = async (): Promise<readonly string[]> => {
    const named = Object.values(Object(sections.sources?.value)).map((source) => Object(source).cluster);
    const rows = await (await open()).rows(DISTRIBUTED_CLUSTERS);
    return [...new Set([...named, ...rows.map(([name]) => name)])].filter(
      (name): name is string => typeof name === 'string' && name !== '',
    );
  };
  const connect = async (): Promise<Engine> => {
    const server = await serverEngine(options);
    return values.skip_unavailable_shards ? tellMissingShards(server, clusters) : server;
  };
  const open = async (): Promise<Engine> => {
    engine ??= connect();
    try {
      return await engine;
    } catch (error) {
      engine = undefined; // a password command may do better the next time
      throw error;
    }
  };

  const describe = async (table: string) => {
    const rows = await (await open()).rows(`DESCRIBE TABLE ${table}`);
    return rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
  };

  /** What is said of a log source whose table is not there. */
  const absent = (name: string) => {
    const where = database === '' ? 'the default database' : `the database ${database}`;
    return {
      message: `${name}: ${where} of ${place} has no table ${name}`,
      hint: `say in quern.yaml which table to use: sources: { ${name}: { table: database.table } }`,
    };
  };

  const asked: PlaceOptions = {
    sections,
    closed: [],
    server: { absent },
    describe,
    files: { onServer: true, place: options.place, ask: async (sql) => (await open()).rows(sql) },
    ask: async (sql) => (await open()).rows(sql),
    folder,
    engine: id,
    build,
    ttlSeconds: values.sources_ttl,
    now,
  };

  /** What nobody has asked for yet, and what asking takes. */
  const unasked = (): QuernError => {
    const profile = origins.profile.from === 'flag' ? ` --profile ${values.profile}` : '';
    return new QuernError(
      'config',
      `the tables at ${place} have not been looked up yet; that would run password_command, which never happens just to translate a query`,
      { hint: `run \`quern sources${profile}\` first, which looks them up and remembers them` },
    );
  };

  return {
    place,
    remote: true,
    bounds: { maxMemoryBytes: QUERY_MEMORY, ...limitsOf({}, limits, true) },
    async sources() {
      if (engine !== undefined || !needsCommand(options)) return openPlaceSources(asked);
      const error = unasked();
      const ask = async (): Promise<never> => {
        throw error;
      };
      return openPlaceSources({ ...asked, ask, files: { ...asked.files, ask }, unasked: error });
    },
    async snapshot() {
      const sources = await openPlaceSources(asked);
      return {
        version: versionOf({ data: id, place: `${id} ${build}` }, sources.files),
        sources,
        files: sources.files,
        limits,
        engine: open,
        forgetSources: sources.forget,
        async outdated(error) {
          if (!sources.wasRemembered || !tableTrouble(error)) return false;
          await sources.forget();
          return true;
        },
      };
    },
    explainEmpty: async () => undefined,
    async close() {
      await (await engine?.catch(() => undefined))?.close();
    },
  };
}
