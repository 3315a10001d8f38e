// The sample's HTTP traffic: requests at the edge of the API, and requests to functions.
import type { Random } from './random.ts';
import { functionsAreSlow, storageIsDown } from './traffic.ts';

export interface SampleEvent {
  readonly id: string;
  readonly timestamp: string;
  readonly project: string;
  readonly event_message: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly identifier?: string;
}

const projects = [
  ['demo', 6],
  ['shop', 3],
  ['blog', 1],
] as const;
export const anyProject = (random: Random): string => random.weighted(projects);

const agents = [
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
  'okhttp/4.12.0',
  'node',
  'curl/8.11.0',
] as const;

const countries = [
  ['US', 5],
  ['DE', 3],
  ['IN', 3],
  ['BR', 2],
  ['JP', 1],
] as const;

type Area = 'rest' | 'auth' | 'storage' | 'realtime' | 'functions';
const areas = [
  ['rest', 55],
  ['auth', 18],
  ['storage', 14],
  ['realtime', 8],
  ['functions', 5],
] as const;

const targets: Readonly<Record<Area, readonly [string, ...string[]]>> = {
  rest: ['GET /rest/v1/orders', 'GET /rest/v1/products', 'POST /rest/v1/orders', 'PATCH /rest/v1/profiles', 'GET /rest/v1/rpc/search'],
  auth: ['POST /auth/v1/token', 'GET /auth/v1/user', 'POST /auth/v1/signup', 'POST /auth/v1/logout'],
  storage: [
    'GET /storage/v1/object/public/photos/cover.jpg',
    'GET /storage/v1/object/sign/invoices/2026-01.pdf',
    'POST /storage/v1/object/photos/new.png',
  ],
  realtime: ['GET /realtime/v1/websocket'],
  functions: ['POST /functions/v1/send-email', 'POST /functions/v1/resize-image', 'GET /functions/v1/prices'],
};

const searches: Readonly<Record<Area, string>> = {
  rest: '?select=*&limit=50',
  auth: '',
  storage: '',
  realtime: '?vsn=1.0.0',
  functions: '',
};

export const address = (random: Random): string => `203.0.113.${1 + random.below(254)}`;

function status(area: Area, method: string, time: number, random: Random): number {
  if (area === 'storage' && storageIsDown(time) && random.chance(0.6)) return 503;
  if (area === 'realtime') return random.chance(0.98) ? 101 : 403;
  if (random.chance(0.004)) return random.pick([500, 502, 504]);
  if (random.chance(0.025)) return area === 'auth' ? random.pick([400, 401, 422]) : random.pick([400, 404, 406, 409]);
  if (method === 'POST') return 201;
  return random.chance(0.05) ? 206 : 200;
}

/** A request at the edge of the API. */
export function edgeRequest(time: number, random: Random): SampleEvent {
  const project = anyProject(random);
  const area = random.weighted(areas);
  const [method = 'GET', path = '/'] = random.pick(targets[area]).split(' ');
  const host = `${project}.example.net`;
  const search = method === 'GET' ? searches[area] : '';
  const code = status(area, method, time, random);
  const ip = address(random);
  const agent = random.pick(agents);
  const url = `https://${host}${path}${search}`;
  return {
    id: random.uuid(),
    timestamp: new Date(time).toISOString(),
    project,
    identifier: project,
    event_message: `${method} | ${code} | ${ip} | ${url} | ${agent}`,
    metadata: {
      request: {
        method,
        url,
        path,
        host,
        protocol: 'https:',
        ...(search === '' ? {} : { search }),
        headers: { user_agent: agent, x_real_ip: ip, cf_connecting_ip: ip },
        cf: { country: random.weighted(countries) },
      },
      response: {
        status_code: code,
        origin_time: Math.round(random.around(area === 'rest' ? 18 : 45, 0.7)),
        headers: { cf_cache_status: area === 'storage' && random.chance(0.5) ? 'HIT' : 'DYNAMIC' },
      },
    },
  };
}

/** The functions of every project: name, id, usual milliseconds. */
export const functions = [
  { name: 'send-email', id: '6b0a7c1e-52f4-4c0b-9d5e-0c6a1f6f2a01', medianMs: 180 },
  { name: 'resize-image', id: '0f6d4c52-8a3e-4f7b-b1de-5d9a6f3c7b02', medianMs: 420 },
  { name: 'prices', id: 'c4e1b9a8-7d26-4e58-8f30-2b7e9d1a4c03', medianMs: 35 },
] as const;

/** A request to a function, with its execution time. */
export function functionRequest(time: number, random: Random): SampleEvent {
  const project = anyProject(random);
  const called = random.pick(functions);
  const method = called.name === 'prices' ? 'GET' : 'POST';
  const slow = functionsAreSlow(time) && called.name === 'send-email';
  const duration = random.around(called.medianMs * (slow ? 6 : 1), 0.45);
  const usual = () => (random.chance(0.015) ? random.pick([400, 401, 500]) : 200);
  const code = slow && random.chance(0.15) ? 504 : usual();
  const pathname = `/${called.name}`;
  return {
    id: random.uuid(),
    timestamp: new Date(time).toISOString(),
    project,
    event_message: `${method} | ${code} | https://${project}.functions.example.net${pathname}`,
    metadata: {
      project_ref: project,
      function_id: called.id,
      execution_id: random.uuid(),
      execution_time_ms: Math.round(duration * 100) / 100,
      deployment_id: `${project}_${called.id}_4`,
      version: '4',
      request: { method, pathname, url: `https://${project}.functions.example.net${pathname}`, host: `${project}.functions.example.net` },
      response: { status_code: code },
    },
  };
}
