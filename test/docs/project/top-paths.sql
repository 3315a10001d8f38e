/*---
id: 0d6b0d6e-27b5-4b0c-9a0e-6f7f2e7f1a10
description: The paths asked for most
params:
  project: { type: string, default: demo, description: project of the events }
---*/
select request.path, count(*) as requests
from edge_logs as t
cross join unnest(t.metadata) as m
cross join unnest(m.request) as request
where t.project = @project
group by path
order by requests desc, path
limit 5
