/*---
id: c1a4e0b7-8f25-4d93-9e6b-05b7f3a2d818
description: The newest 100 edge requests of a project, with their metadata
max_rows: 1000
cache: disabled
sandbox: disabled
params:
  project:
    type: string
    required: true
    description: Project reference
    example: abcdefgh
  project_tier:
    type: string
    description: "Retention: FREE 1 day, PRO 7, PAYG and ENTERPRISE 90; any other value means FREE"
    suggest: [FREE, PRO, PAYG, ENTERPRISE]
    example: PRO
  iso_timestamp_start:
    type: string
    format: timestamp
    description: Only records later than this ISO 8601 timestamp; no limit if empty
  iso_timestamp_end:
    type: string
    format: timestamp
    description: Only records up to and including this ISO 8601 timestamp; no limit if empty
---*/
with retention as (
  select
    case @project_tier
      when 'FREE' then timestamp_sub(current_timestamp(), interval 1 day)
      when 'PRO' then timestamp_sub(current_timestamp(), interval 7 day)
      when 'PAYG' then timestamp_sub(current_timestamp(), interval 90 day)
      when 'ENTERPRISE' then timestamp_sub(current_timestamp(), interval 90 day)
      else timestamp_sub(current_timestamp(), interval 1 day)
    end as cutoff,
    timestamp(nullif(@iso_timestamp_start, '')) as after,
    timestamp(nullif(@iso_timestamp_end, '')) as until,
),
edge_logs as (
  select t.id, t.identifier, t.timestamp, t.event_message, t.metadata
  from edge_logs as t
  cross join retention
  where t.project = @project
    and t.timestamp > retention.cutoff
    and (retention.after is null or t.timestamp > retention.after)
    and (retention.until is null or t.timestamp <= retention.until)
  order by t.timestamp desc
),
postgres_logs as (
  select t.id, t.identifier, t.timestamp, t.event_message, t.metadata
  from postgres_logs as t
  cross join retention
  where t.project = @project
    and t.timestamp > retention.cutoff
    and (retention.after is null or t.timestamp > retention.after)
    and (retention.until is null or t.timestamp <= retention.until)
  order by t.timestamp desc
),
function_edge_logs as (
  select t.id, t.timestamp, t.event_message, t.metadata
  from function_edge_logs as t
  cross join retention
  where t.project = @project
    and t.timestamp > retention.cutoff
    and (retention.after is null or t.timestamp > retention.after)
    and (retention.until is null or t.timestamp <= retention.until)
  order by t.timestamp desc
),
function_logs as (
  select t.id, t.timestamp, t.event_message, t.metadata
  from function_logs as t
  cross join retention
  where t.project = @project
    and t.timestamp > retention.cutoff
    and (retention.after is null or t.timestamp > retention.after)
    and (retention.until is null or t.timestamp <= retention.until)
  order by t.timestamp desc
),
auth_logs as (
  select t.id, t.timestamp, t.event_message, t.metadata
  from auth_logs as t
  cross join retention
  where t.project = @project
    and t.timestamp > retention.cutoff
    and (retention.after is null or t.timestamp > retention.after)
    and (retention.until is null or t.timestamp <= retention.until)
  order by t.timestamp desc
),
realtime_logs as (
  select t.id, t.timestamp, t.event_message, t.metadata
  from realtime_logs as t
  cross join retention
  where t.project = @project
    and t.timestamp > retention.cutoff
    and (retention.after is null or t.timestamp > retention.after)
    and (retention.until is null or t.timestamp <= retention.until)
  order by t.timestamp desc
),
storage_logs as (
  select t.id, t.timestamp, t.event_message, t.metadata
  from storage_logs as t
  cross join retention
  where t.project = @project
    and t.timestamp > retention.cutoff
    and (retention.after is null or t.timestamp > retention.after)
    and (retention.until is null or t.timestamp <= retention.until)
  order by t.timestamp desc
),
postgrest_logs as (
  select t.id, t.identifier, t.timestamp, t.event_message, t.metadata
  from postgrest_logs as t
  cross join retention
  where t.project = @project
    and t.timestamp > retention.cutoff
    and (retention.after is null or t.timestamp > retention.after)
    and (retention.until is null or t.timestamp <= retention.until)
  order by t.timestamp desc
),
pgbouncer_logs as (
  select t.id, t.timestamp, t.event_message, t.metadata
  from pgbouncer_logs as t
  cross join retention
  where t.project = @project
    and t.timestamp > retention.cutoff
    and (retention.after is null or t.timestamp > retention.after)
    and (retention.until is null or t.timestamp <= retention.until)
  order by t.timestamp desc
),
supavisor_logs as (
  select t.id, t.timestamp, t.event_message, t.metadata
  from supavisor_logs as t
  cross join retention
  where t.project = @project
    and t.timestamp > retention.cutoff
    and (retention.after is null or t.timestamp > retention.after)
    and (retention.until is null or t.timestamp <= retention.until)
  order by t.timestamp desc
),
auth_audit_logs as (
  select t.id, t.timestamp, t.event_message, t.metadata
  from auth_audit_logs as t
  cross join retention
  where t.project = @project
    and t.timestamp > retention.cutoff
    and (retention.after is null or t.timestamp > retention.after)
    and (retention.until is null or t.timestamp <= retention.until)
  order by t.timestamp desc
),
etl_replication_logs as (
  select t.id, t.pipeline_id, t.timestamp, t.event_message, t.metadata
  from etl_replication_logs as t
  cross join retention
  where t.project = @project
    and t.timestamp > retention.cutoff
    and (retention.after is null or t.timestamp > retention.after)
    and (retention.until is null or t.timestamp <= retention.until)
  order by t.timestamp desc
),
pg_upgrade_logs as (
  select t.id, t.timestamp, t.event_message, t.metadata
  from pg_upgrade_logs as t
  cross join retention
  where t.project = @project
    and t.timestamp > retention.cutoff
    and (retention.after is null or t.timestamp > retention.after)
    and (retention.until is null or t.timestamp <= retention.until)
  order by t.timestamp desc
),
multigres_logs as (
  select t.id, t.timestamp, t.event_message, t.metadata
  from multigres_logs as t
  cross join retention
  where t.project = @project
    and t.timestamp > retention.cutoff
    and (retention.after is null or t.timestamp > retention.after)
    and (retention.until is null or t.timestamp <= retention.until)
  order by t.timestamp desc
),
workflow_run_logs as (
  select t.id, t.workflow_run, t.timestamp, t.event_message, t.metadata
  from workflow_run_logs as t
  cross join retention
  where t.project = @project
    and t.timestamp > retention.cutoff
    and (retention.after is null or t.timestamp > retention.after)
    and (retention.until is null or t.timestamp <= retention.until)
  order by t.timestamp desc
)
select id, timestamp, event_message, metadata
from edge_logs
limit 100
