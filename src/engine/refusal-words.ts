// Says who is refused, or which name does not exist, with the place and the next step. ClickHouse's own text is the cause,
// which --verbose shows.
import type { ErrorTopic } from '../clickhouse/errors.ts';
import { quoteIdentifier } from '../clickhouse/quote.ts';

/** Where an engine is, and who uses it. */
export interface EngineAccess {
  /** The server's address; absent for the embedded engine. */
  readonly place?: string | undefined;
  /** The login; absent where an access token stands for it. */
  readonly user?: string | undefined;
}

interface Words {
  readonly message: string;
  readonly hint: string;
}

const SETTING_LOGIN =
  'set CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, or user and password_command in quern.yaml; `quern config list` shows what is set';

/** Reads texts of ClickHouse 26.7; returns undefined where another version says it otherwise, or the topic is another. */
export function refusalWords(topic: ErrorTopic | undefined, text: string, { place, user }: EngineAccess): Words | undefined {
  const server = place === undefined ? 'the store' : `ClickHouse at ${place}`;
  const where = place === undefined ? 'in the store' : `at ${place}`;
  switch (topic) {
    case 'login':
      return user === undefined
        ? { message: `${server} refuses the access token`, hint: 'it may have expired: set CLICKHOUSE_ACCESS_TOKEN to a new one' }
        : {
            message: `${server} refuses the login ${user}: the password is wrong, or there is no such user`,
            hint: SETTING_LOGIN,
          };
    case 'right': {
      const grant = /necessary to have (?:the )?grants? (.+?)(?:\. \(Missing permissions|\.?$)/s.exec(text)?.[1];
      if (grant === undefined) return undefined;
      // quern first asks which columns there are; a login that may SELECT from a table may see them, too.
      const needed = grant.replace(/^SHOW COLUMNS/, 'SELECT');
      const who = user === undefined ? 'the user of the access token' : `the login ${user}`;
      const order = user === undefined ? needed : `GRANT ${needed} TO ${quoteIdentifier(user)}`;
      return {
        message: `${who} ${where} lacks a right that the query needs: ${needed}`,
        hint: `ask the administrator of the server for it: ${order}`,
      };
    }
    case 'table': {
      const table =
        /^Unknown table expression identifier '(.+)'/s.exec(text)?.[1] ?? /^Table (.+?) does(?: not|n't) exist/s.exec(text)?.[1];
      if (table === undefined) return undefined;
      // On the embedded engine the databases are quern's own: people know the name without one.
      const named = place === undefined ? table.replace(/^(?:default|quern|quern_tables)\./, '').replaceAll('`', '') : table;
      return { message: `there is no table ${named} ${where}`, hint: 'list the sources with `quern sources`' };
    }
    case 'database': {
      const database = /^Database (.+?) does(?: not|n't) exist/s.exec(text)?.[1];
      if (database === undefined) return undefined;
      const set = place === undefined ? '' : ', and `database`, if it is set: `quern config list` shows it';
      return { message: `there is no database ${database} ${where}`, hint: `check the names of tables${set}` };
    }
    case 'busy': {
      const [, who, most] = /Too many simultaneous queries(?: for user (.+?))?\. (?:Current: \d+, )?[Mm]aximum: (\d+)/.exec(text) ?? [];
      const mostly = most === undefined ? '' : ` (${most}${who === undefined ? '' : ` of the login ${who}`})`;
      return { message: `${server} is running as many queries as it allows${mostly}`, hint: 'try again later' };
    }
    case 'network': {
      const [, table, server] = /There is no table (.+) on server: (\S+:\d+)/.exec(text) ?? [];
      if (table === undefined) return undefined;
      return {
        message: `there is no table ${table.replaceAll('`', '')} on the server ${server} of the cluster`,
        hint: 'create it there, as on the other servers',
      };
    }
    case 'stale':
      return {
        message: 'no replica of one of the shards can be read: each is down, or far behind the others',
        hint: 'check these servers; with skip_unavailable_shards = true, queries read only the shards that respond',
      };
    case 'cluster': {
      const cluster = /cluster '(.+?)' not found/.exec(text)?.[1];
      if (cluster === undefined) return undefined;
      return { message: `there is no cluster ${cluster} ${where}`, hint: 'check `cluster` of the source in quern.yaml' };
    }
    default:
      return undefined;
  }
}
