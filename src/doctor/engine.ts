// The engine: whether it answers, its version, what the login may do, and whether its clock agrees.
import type { Connection } from '../connection/connection.ts';
import { type Finding, fail, failure, note, ok } from './finding.ts';

type Ask = (sql: string) => Promise<readonly (readonly unknown[])[]>;

interface EngineReport {
  readonly findings: readonly Finding[];
  /** False when nothing can be asked of it. */
  readonly usable: boolean;
  readonly rows: Ask;
}

/** The oldest release whose JSON type, correlated subqueries and parameters the translated SQL relies on. */
const OLDEST_VERSION = [25, 8] as const;
/** Queries ask for times relative to this machine's clock. */
const SKEW_NOTE_MS = 2_000;
const SKEW_FAIL_MS = 60_000;

export async function checkEngine(connection: Connection, now: () => number): Promise<EngineReport> {
  const none: Ask = async () => [];
  let ask: Ask;
  try {
    const engine = await (await connection.snapshot()).engine();
    ask = (sql) => engine.rows(sql);
    const [row = []] = await ask('SELECT version(), currentUser(), currentDatabase()');
    const [version, user, database] = row.map(String);
    const findings = [ok('connection', `${connection.place}: ClickHouse ${version}, user ${user}, database ${database}`)];
    if (older(version ?? '')) {
      const wanted = OLDEST_VERSION.join('.');
      findings.push(fail('version', `ClickHouse ${version} is older than ${wanted}`, `update the server to ${wanted} or newer`));
    }
    findings.push(...(connection.remote ? [...(await checkRights(ask)), await checkClock(ask, now)] : []));
    return { findings, usable: true, rows: ask };
  } catch (error) {
    return { findings: [failure('connection', error)], usable: false, rows: none };
  }
}

function older(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor < OLDEST_VERSION[1]);
}

/** quern asks for read-only access in each query; a login that cannot write at all is safer still. */
async function checkRights(ask: Ask): Promise<readonly Finding[]> {
  const grants = (await ask('SHOW GRANTS').catch(() => [])).map(([text]) => String(text));
  if (grants.length === 0)
    return [note('rights', 'the login is not allowed to list its grants', 'make sure that it can only read the tables of the sources')];
  const writes = grants.filter((grant) => privileges(grant).some((privilege) => !READING.test(privilege)));
  return [
    writes.length === 0
      ? ok('rights', 'the login can only read')
      : note('rights', `the login can do more than read: ${shorten(writes[0] ?? '')}`, 'give quern its own login that can only SELECT'),
  ];
}

const READING = /^(?:SELECT|SHOW.*|dictGet|USAGE)$/i;

/** `SELECT`, `INSERT` of `GRANT SELECT(id, path), INSERT ON logs.* TO quern`. */
function privileges(grant: string): readonly string[] {
  const list = /^GRANT (.*?) ON /i.exec(grant.replace(/\([^()]*\)/g, ''))?.[1] ?? '';
  return list
    .split(',')
    .map((privilege) => privilege.trim())
    .filter((privilege) => privilege !== '');
}

async function checkClock(ask: Ask, now: () => number): Promise<Finding> {
  const before = now();
  const [row = []] = await ask("SELECT toUnixTimestamp64Milli(now64(3, 'UTC'))");
  const skewMs = Math.round(Number(row[0]) - (before + now()) / 2);
  const detail = `the server's clock is ${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (Math.abs(skewMs) < SKEW_NOTE_MS) return ok('clock', detail);
  const advice = 'synchronize both clocks with NTP: queries for recent minutes use the clock of this machine';
  return Math.abs(skewMs) < SKEW_FAIL_MS ? note('clock', detail, advice) : fail('clock', detail, advice);
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
