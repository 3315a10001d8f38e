// The sample's service logs: functions, database, authentication, realtime, storage, REST API, connection pooler.
import type { Random } from './random.ts';
import { address, anyProject, functions, type SampleEvent } from './requests.ts';
import { storageIsDown } from './traffic.ts';

type Maker = (time: number, random: Random) => SampleEvent;

function event([time, random]: Parameters<Maker>, project: string, message: string, metadata: SampleEvent['metadata']): SampleEvent {
  return { id: random.uuid(), timestamp: new Date(time).toISOString(), project, event_message: message, metadata };
}

export const functionEvent: Maker = (time, random) => {
  const project = anyProject(random);
  const called = random.pick(functions);
  const common = { project_ref: project, function_id: called.id, execution_id: random.uuid(), version: '4', region: 'eu-central-1' };
  if (random.chance(0.1))
    return event([time, random], project, 'booted', { ...common, event_type: 'Boot', level: 'log', boot_time: 20 + random.below(60) });
  const failed = random.chance(0.03);
  const message = failed
    ? `${called.name}: upstream answered 502`
    : `${called.name}: handled in ${Math.round(random.around(called.medianMs, 0.4))} ms`;
  return event([time, random], project, message, { ...common, event_type: 'Log', level: failed ? 'error' : 'info' });
};

const statements: readonly (readonly [readonly [severity: string, message: string, state: string], weight: number])[] = [
  [['LOG', 'checkpoint complete: wrote 312 buffers', '00000'], 40],
  [['LOG', 'connection authorized: user=authenticator database=postgres', '00000'], 50],
  [['ERROR', 'duplicate key value violates unique constraint "orders_pkey"', '23505'], 5],
  [['ERROR', 'canceling statement due to statement timeout', '57014'], 3],
  [['WARNING', 'there is no transaction in progress', '25P01'], 2],
];

export const databaseLine: Maker = (time, random) => {
  const project = anyProject(random);
  const [severity, message, state] = random.weighted(statements);
  const parsed = {
    error_severity: severity,
    sql_state_code: state,
    user_name: severity === 'LOG' ? 'postgres' : 'authenticator',
    database_name: 'postgres',
    process_id: 1000 + random.below(30_000),
    ...(severity === 'ERROR' ? { query: 'insert into orders (id, total) values ($1, $2)' } : {}),
  };
  return { ...event([time, random], project, message, { host: `db-${project}`, parsed }), identifier: project };
};

export const authenticationLine: Maker = (time, random) => {
  const project = anyProject(random);
  const path = random.pick(['/token', '/user', '/signup', '/logout']);
  const refused = random.chance(0.06);
  const status = refused ? random.pick([400, 401, 422]) : 200;
  const msg = refused ? 'request refused' : 'request completed';
  return event([time, random], project, `${status}: ${msg}`, {
    project,
    component: 'api',
    level: refused ? 'warning' : 'info',
    method: path === '/user' ? 'GET' : 'POST',
    path,
    status,
    msg,
    duration: Math.round(random.around(12, 0.6) * 1e6),
    remote_addr: address(random),
    ...(refused ? { error: `${status}: Invalid login credentials` } : {}),
  });
};

export const realtimeLine: Maker = (time, random) => {
  const project = anyProject(random);
  const warned = random.chance(0.04);
  const message = warned ? 'ClientPresenceRateLimitReached: too many presence messages' : `Connected ${random.below(400)} clients`;
  return event([time, random], project, message, { project, external_id: project, level: warned ? 'warning' : 'info' });
};

export const storageLine: Maker = (time, random) => {
  const project = anyProject(random);
  const usual = () => (random.chance(0.03) ? 404 : 200);
  const statusCode = storageIsDown(time) && random.chance(0.6) ? 503 : usual();
  const url = `/object/public/photos/${random.hex(8)}.jpg`;
  return event([time, random], project, `GET | ${statusCode} | ${url}`, {
    project,
    tenantId: project,
    level: statusCode >= 500 ? 'error' : 'info',
    req: { method: 'GET', url, hostname: `${project}.example.net`, traceId: random.hex(16) },
    res: { statusCode },
    responseTime: Math.round(random.around(22, 0.8) * 100) / 100,
    isError: statusCode >= 500,
  });
};

export const restLine: Maker = (time, random) => {
  const project = anyProject(random);
  const message = random.chance(0.02)
    ? 'Failed to query the database: connection pool timed out'
    : 'Schema cache loaded 41 relations, 23 functions';
  const metadata = {
    project,
    host: `rest-${project}`,
    level: message.startsWith('Failed') ? 'error' : 'info',
  };
  return { ...event([time, random], project, message, metadata), identifier: project };
};

export const poolerLine: Maker = (time, random) => {
  const project = anyProject(random);
  const message = random.chance(0.03) ? 'closing because: query timeout' : 'login attempt: db=postgres user=authenticator tls=yes';
  return event([time, random], project, message, {
    project,
    host: `pool-${project}`,
    level: 'info',
    db_name: 'postgres',
    user_name: 'authenticator',
  });
};
