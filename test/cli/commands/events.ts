// A few log events with known answers, and a saved query over them.

const event = (timestamp: string, method: string, path: string, status: number | null, project = 'demo') => ({
  id: `${timestamp}-${path}`,
  timestamp,
  project,
  event_message: `${method} ${path}`,
  metadata: {
    request: { method, path, url: `https://${project}.example.net${path}` },
    ...(status === null ? {} : { response: { status_code: status } }),
  },
});

export const events = [
  event('2026-01-15T10:00:00Z', 'GET', '/rest/v1/a', 200),
  event('2026-01-15T10:30:00Z', 'GET', '/rest/v1/b', 404),
  event('2026-01-15T11:15:00Z', 'POST', '/auth/v1/token', null),
  event('2026-01-15T11:45:00Z', 'GET', '/storage/v1/x', 200, 'other'),
];

export const ndjson = events.map((one) => `${JSON.stringify(one)}\n`).join('');

export const byMethod = `/*---
id: 4c01dc9a-90f3-4c81-99e0-1e85e62aab10
description: Requests by method
max_rows: 2
cache: 900s
params:
  project: { type: string, required: true, description: project ref }
  least: { type: integer, default: 0 }
---*/
select
  request.method,
  count(*) as n,
  cast(null as string) as nothing,
from edge_logs as t
cross join unnest(t.metadata) as m
cross join unnest(m.request) as request
where t.project = @project
group by 1
having count(*) >= @least
order by 1
`;
