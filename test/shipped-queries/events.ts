// Events for the reference tests: made by hand around every edge, and seeded ones in between.
import { seededRandom } from '../../src/cli/demo/random.ts';
import { COUNT_INTERVALS, firstBucket, isoText, type LogEvent, micros, retentionCutoff } from './reference.ts';

/** Not on the edge of any bucket. */
export const NOW_TEXT = '2026-03-10T15:42:37.500Z';
export const NOW = micros(NOW_TEXT);

/** Instants to run as of: in the middle of things, on the edge of an hour, and of a day. */
export const INSTANTS = [NOW_TEXT, '2026-03-10T15:00:00Z', '2026-03-10T00:00:00Z'] as const;

/** Names that would do harm in SQL, in JSON paths or in regular expressions. */
export const ODD_PROJECT = `o'b"r\`i\\en.*$(x)[1]`;

const MILLISECOND = 1000;
const DAY = 86_400_000 * MILLISECOND;

const at = (instant: number): string => `${isoText(instant)}Z`;
/** On the edge, and a millisecond to either side. */
const around = (instant: number): readonly number[] => [instant - MILLISECOND, instant, instant + MILLISECOND];
const numbered = (prefix: string, events: readonly Omit<LogEvent, 'id'>[]): readonly LogEvent[] =>
  events.map((event, i) => ({ id: `${prefix}-${i}`, ...event }));

// ---- function_edge_logs -------------------------------------------------------------------------------------------------------------

const call = (instant: number, metadata: unknown, rest: Partial<LogEvent> = {}): Omit<LogEvent, 'id'> => ({
  timestamp: at(instant),
  ...rest,
  metadata,
});

const INTERVALS = ['5min', '15min', '1hr', '1day', '7day'];

const edgeCalls = INTERVALS.flatMap((interval) => INSTANTS.flatMap((now) => around(firstBucket(interval, micros(now))))).map((instant, i) =>
  call(instant, [
    { project_ref: 'alpha', function_id: 'f1', execution_time_ms: 10.5 + i, response: [{ status_code: 200 + 100 * (i % 4) }] },
  ]),
);

/** Up to a bucket past the last one: the series ends with the bucket of now. */
const lateCalls = [...around(NOW), NOW - (NOW % 1_000_000) + 1_000_000 - MILLISECOND, NOW + 3 * 1_000_000, NOW + DAY].map((instant) =>
  call(instant, { project_ref: 'alpha', function_id: 'f1', execution_time_ms: 3, response: { status_code: 404 } }),
);

/** Each within the last minute, so that every interval sees it. */
const oddCalls = [
  { function_id: 'f1' },
  { function_id: 'f1', execution_time_ms: null, response: null },
  { function_id: 'f1', execution_time_ms: 7, response: [] },
  { function_id: 'f1', execution_time_ms: 8, response: {} },
  { function_id: 'f1', execution_time_ms: 9, response: [{ status_code: null }] },
  { function_id: null, execution_time_ms: 11, response: [{ status_code: 399 }] },
  { execution_time_ms: 12, response: [{ status_code: 400 }] },
  { function_id: '', execution_time_ms: 13, response: [{ status_code: 599 }] },
  { function_id: "f'2", execution_time_ms: 14, response: { status_code: 100, headers: { content_type: 'text/plain' } } },
].map((fields, i) => call(NOW - (10 + i) * 1_000_000, [{ project_ref: 'alpha', ...fields }]));

const otherProjects = [
  call(NOW - 5_000_000, { project_ref: ODD_PROJECT, execution_time_ms: 21, response: { status_code: 500 } }),
  call(NOW - 6_000_000, { project_ref: 'alphabet', execution_time_ms: 22 }),
  call(NOW - 7_000_000, { project_ref: null, execution_time_ms: 23 }),
  call(NOW - 8_000_000, null),
  call(NOW - 9_000_000, []),
  // The record's own reference decides, whatever the event says.
  call(NOW - 4_000_000, { project_ref: 'alpha', function_id: 'f3', execution_time_ms: 24 }, { project: 'beta' }),
  call(NOW - 3_000_000, { project_ref: 'beta', function_id: 'f3', execution_time_ms: 25 }, { project: 'alpha' }),
];

function seededCalls(): readonly Omit<LogEvent, 'id'>[] {
  const random = seededRandom(7);
  return Array.from({ length: 600 }, () => {
    // More of them lately; quarters of a millisecond add up exactly in any order.
    const instant = NOW - Math.round(random.unit() ** 4 * 8 * DAY);
    const time = Math.round(random.around(120, 1) * 4) / 4;
    const response = { status_code: random.pick([200, 200, 201, 304, 404, 500]) };
    const metadata = {
      project_ref: random.pick(['alpha', 'alpha', 'beta']),
      function_id: random.pick(['f1', 'f2', 'f3']),
      execution_time_ms: time,
      ...(random.chance(0.9) ? { response: random.chance(0.5) ? response : [response] } : {}),
    };
    return call(instant, random.chance(0.5) ? metadata : [metadata]);
  });
}

export const FUNCTION_EVENTS = numbered('call', [...edgeCalls, ...lateCalls, ...oddCalls, ...otherProjects, ...seededCalls()]);

/** One row per combination of elements. */
export const SEVERAL_FUNCTION_EVENTS: readonly LogEvent[] = [
  ...FUNCTION_EVENTS,
  ...numbered('several', [
    call(NOW - 20_000_000, [
      {
        project_ref: 'alpha',
        function_id: 'f1',
        execution_time_ms: 31,
        response: [{ status_code: 200 }, { status_code: 502 }, { status_code: null }],
      },
      { project_ref: 'alpha', function_id: 'f2', execution_time_ms: 32 },
      { project_ref: 'beta', function_id: 'f1', execution_time_ms: 33, response: { status_code: 401 } },
    ]),
    call(NOW - 21_000_000, { project_ref: 'alpha', function_id: 'f1', execution_time_ms: 34, response: [{ status_code: 400 }, {}] }),
    call(NOW - 22_000_000, [{ project_ref: 'beta' }, {}]),
  ]),
];

// ---- edge_logs ----------------------------------------------------------------------------------------------------------------------

const request = (instant: number, url: string, path: string, project = 'alpha'): Omit<LogEvent, 'id'> => ({
  timestamp: at(instant),
  project,
  event_message: `GET | 200 | ${path}`,
  metadata: [{ request: [{ method: 'GET', url, path }], response: [{ status_code: 200 }] }],
});

const PATHS = ['/rest/v1/users', '/storage/v1/object', '/auth/v1/token', '/realtime/v1/socket', '/functions/v1/x', '/', '/rest/auth'];
const host = (project: string): string => `https://${project}.example.co`;

/** The edges of all windows and retentions, each once: records of one time have no order. */
const edges = new Set(
  INSTANTS.map(micros).flatMap((now) => [
    ...around(now),
    ...Object.values(COUNT_INTERVALS).flatMap(({ lookBack }) => around(now - lookBack)),
    ...['FREE', 'PRO', 'ENTERPRISE'].flatMap((tier) => around(retentionCutoff(tier, now))),
  ]),
);
const edgeRequests = [...edges].map((instant, i) =>
  request(instant, `${host('alpha')}${PATHS[i % PATHS.length]}/edge`, PATHS[i % PATHS.length] ?? '/'),
);

/** What requests may lack. */
const oddRequests = [
  null,
  [],
  {},
  { request: null },
  { request: [] },
  { request: {} },
  { request: [{ url: null, path: '/rest/v1/x' }] },
  { request: [{ url: `${host('alpha')}/rest`, path: null }] },
  { request: [{ url: `${host('alpha')}/rest` }], response: null },
  [{ request: { url: `${host('alpha')}/rest/v1/plain`, path: '/rest/v1/plain' } }],
  { request: { url: `${host('alpha')}/auth?q=/rest`, path: '/auth', headers: { user_agent: `it's "quoted"\\` } }, note: ['a', 'b'] },
  { response: [{ status_code: 503 }], custom: { nested: [{ deep: 'yes' }], count: 3, ratio: 0.5, flag: true } },
].map((metadata, i) => ({ timestamp: at(NOW - (40 + i) * 1_000_000), project: 'alpha', event_message: `odd ${i}`, metadata }));

const oddProjects = [ODD_PROJECT, 'a.b', 'aXb', 'alphabet', "it's"].map((project, i) =>
  request(NOW - (60 + i) * 1_000_000, `${host(project)}/rest/v1/${project}`, `/rest/v1/${i}`, project),
);

function seededRequests(): readonly Omit<LogEvent, 'id'>[] {
  const random = seededRandom(11);
  return Array.from({ length: 700 }, (_, i) => {
    const path = random.pick(PATHS);
    const project = random.pick(['alpha', 'alpha', 'beta']);
    // Different by their numbers, so that the newest 100 are the same 100 however ties are broken.
    const instant = NOW - MILLISECOND - Math.floor(random.unit() ** 3 * 10 * 86_400) * 1_000_000 - 3 * (i + 1);
    return request(instant, `${host(project)}${path}`, path, project);
  });
}

export const EDGE_EVENTS = numbered('edge', [...edgeRequests, ...oddRequests, ...oddProjects, ...seededRequests()]);

/** One row per request; an event is one row of logs.all all the same. */
export const SEVERAL_EDGE_EVENTS: readonly LogEvent[] = [
  ...EDGE_EVENTS,
  ...numbered('several', [
    {
      timestamp: at(NOW - 30_000_000),
      project: 'alpha',
      event_message: 'two requests',
      metadata: [
        {
          request: [
            { url: `${host('alpha')}/rest/v1/one`, path: '/rest/v1/one' },
            { url: `${host('alpha')}/auth/v1/two`, path: '/auth/v1/two' },
            { url: null, path: '/storage' },
          ],
        },
      ],
    },
    {
      timestamp: at(NOW - 31_000_000),
      project: 'alpha',
      event_message: 'two records',
      metadata: [
        { request: { url: `${host('alpha')}/rest/v1/three`, path: '/rest/v1/three' } },
        { request: [{ url: `${host('beta')}/rest/v1/four`, path: '/rest/v1/four' }], response: [{ status_code: 200 }] },
        { response: { status_code: 500 } },
      ],
    },
  ]),
];
