// Requests that nobody should send, as bytes: the same for the same seed.
import { type Random, seeded } from '../../sql/fuzz/random.ts';

const METHODS = ['GET', 'GET', 'GET', 'POST', 'POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'BREW', 'get'];
const PATHS = [
  '/api/endpoints/ids',
  '/api/endpoints/ids',
  '/api/endpoints/open',
  '/api/endpoints/query/ids',
  '/api/endpoints/query/4c1f0000-0000-4000-8000-000000000001',
  '/api/endpoints/ids.csv',
  '/api/endpoints/ids.exe',
  '/api/endpoints/query/name/ids',
  '/endpoints/query/ids',
  '/openapi.json',
  '/health',
  '/ready',
  '/metrics',
  '/',
  '//',
  '/api/endpoints/',
  '/api/endpoints/../../etc/passwd',
  '/api/endpoints/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '/api/endpoints/ids%00',
  '/api/endpoints/%',
  '/api/endpoints/%ff%fe',
  '/api/endpoints/__proto__',
  '/api/endpoints/constructor.json',
  '/api/endpoints/ids;jsessionid=1',
  '/API/ENDPOINTS/IDS',
  'http://other.example/api/endpoints/ids',
  '*',
  'api/endpoints/ids',
];
const NAMES = [
  'area',
  'area',
  'most',
  'sql',
  'format',
  'unknown',
  '__proto__',
  'constructor',
  'area[]',
  'area[x]',
  'ARea',
  'are%61',
  '%',
  '',
  '%00',
  'ärea',
];
const VALUES = [
  'rest',
  'auth',
  'weekly',
  '',
  '1',
  '-1',
  '9223372036854775808',
  '1e400',
  'NaN',
  'null',
  '[]',
  '{}',
  '%',
  '%zz',
  '%00',
  '%ff',
  '%F0%9F%98%80',
  'a%0d%0aX-Evil:%201',
  "'%20or%201=1--",
  'select+count(*)+as+count+from+mine',
  'select+*+from+events',
  'select+1;drop+table+events',
  'select',
  '((((((((((',
  'csv',
  'xml',
];
const HEADERS = [
  ['Accept', ['*/*', 'text/csv', 'application/json;q=x', ';;;,,,', 'a/b;q=-1', 'text/html, */*;q=0']],
  ['Accept-Encoding', ['gzip', 'br', 'identity;q=0, *;q=0', 'zstd', ';q=', 'gzip;q=2']],
  ['Range', ['bytes=0-0', 'bytes=9-1', 'bytes=a-b', 'rows=1']],
  [
    'Content-Type',
    [
      'application/json',
      'application/json; charset=utf-16',
      'text/plain',
      'multipart/form-data',
      'application/jsonx',
      ';',
      'application/x-www-form-urlencoded',
    ],
  ],
  ['Expect', ['100-continue']],
  ['Host', ['localhost', '127.0.0.1:1', 'evil.example', '']],
  ['X-Request-Id', ['ok', 'a b', '☃', 'x'.repeat(500)]],
  ['X-API-KEY', ['', 'quern_x', 'x'.repeat(5000)]],
  ['Authorization', ['Bearer', 'Bearer x', 'Basic !!!', 'bearer  ']],
  ['Cache-Control', ['no-cache', 'max-age=0', 'max-age=x', 'only-if-cached']],
  ['LF-ENDPOINT-LABELS', ['a=b', '===', ',,,', 'a'.repeat(3000)]],
  ['LF-ENDPOINT-REDACT-PII', ['true', 'perhaps']],
  ['Origin', ['null', 'https://evil.example']],
  ['Upgrade', ['websocket', 'h2c']],
  ['Cookie', ['a=b; c']],
] as const;
const BODIES = [
  '',
  '{}',
  '{"area": "rest"}',
  '{"area": ["rest", "auth"]}',
  '{"area": {"a": 1}}',
  '{"most": 1.5, "area": "auth"}',
  '{"most": 99999999999999999999, "area": "auth"}',
  '{"__proto__": {"area": "rest"}}',
  '{"constructor": {"prototype": {"area": "rest"}}}',
  '[]',
  'null',
  '"rest"',
  '{"area":',
  '\u0000',
  '\ufeff{}',
  '{"area": "\\ud800"}',
  '{"sql": "select 1 as a", "area": "rest"}',
  '['.repeat(5000),
];

export interface NoisyRequest {
  readonly method: string;
  readonly bytes: Buffer;
}

export function requestOf(seed: number): NoisyRequest {
  const random = seeded(seed);
  const method = random.pick(METHODS);
  const body = method !== 'GET' || random.chance(0.05) ? random.pick(BODIES) : '';
  const lines = [
    `${method} ${random.pick(PATHS)}${queryString(random)} HTTP/1.1`,
    ...headerLines(random, body),
    'Connection: close',
    '',
    body,
  ];
  const bytes = Buffer.from(lines.join('\r\n'), body !== '' || random.chance(0.95) ? 'utf8' : 'latin1');
  // Not where the length of the body and the end of the connection are told: the test would wait for the server's patience to end.
  const damaged = Math.min(...['\r\nContent-Length', '\r\nConnection'].map((text) => bytes.indexOf(text)).filter((at) => at !== -1));
  if (random.chance(0.03)) bytes[random.below(damaged)] = random.below(256);
  return { method, bytes };
}

function queryString(random: Random): string {
  if (random.chance(0.1)) return '';
  const pairs = Array.from({ length: random.below(random.chance(0.02) ? 300 : 5) }, () => {
    const value = random.chance(0.01) ? random.pick(['x', '%41', 'é']).repeat(random.below(40_000)) : random.pick(VALUES);
    return random.chance(0.05) ? random.pick(NAMES) : `${random.pick(NAMES)}=${value}`;
  });
  if (random.chance(0.5)) pairs.push('area=rest');
  return `?${pairs.join(random.chance(0.95) ? '&' : ';')}`;
}

function headerLines(random: Random, body: string): readonly string[] {
  const chosen = Array.from({ length: random.below(5) }, () => random.pick(HEADERS));
  const lines = chosen.map(([name, values]) => `${name}: ${random.pick<string>(values)}`);
  if (!chosen.some(([name]) => name === 'Host') && random.chance(0.95)) lines.push('Host: localhost');
  const length = Buffer.byteLength(body);
  if (body !== '' && random.chance(0.5)) lines.push('Content-Type: application/json');
  if (length > 0 || random.chance(0.1)) lines.push(`Content-Length: ${length}`);
  return lines;
}
