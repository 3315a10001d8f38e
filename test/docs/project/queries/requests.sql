/*---
id: 7a0e9c52-1f0b-4e53-8a67-3f5d3f0b9c12
description: Requests of one project, for queries of your own
sandbox: enabled
max_rows: 1000
cache: disabled
params:
  project: { type: string, required: true, description: project of the events }
---*/
with requests as (
  select timestamp, event_message, metadata from edge_logs where project = @project
)
select *
from requests
order by timestamp desc
