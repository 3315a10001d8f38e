/*---
id: 2f6f7d0e-8a35-4a1e-9d55-1c4b1f0a7e01
description: Requests that failed, by path
max_rows: 100
cache: disabled
params:
  project: { type: string, default: demo, description: project of the events }
---*/
select
  request.path,
  count(*) as errors,
  approx_quantiles(response.origin_time, 100)[offset(95)] as p95
from edge_logs as t
cross join unnest(t.metadata) as m
cross join unnest(m.request) as request
cross join unnest(m.response) as response
where t.project = @project and response.status_code >= 500
group by path
order by errors desc, path
