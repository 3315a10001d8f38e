-- The CTE of the query as it is written, its one-row CTE joined.
WITH
retention AS (
  SELECT
    CASE {project_tier:String}
      WHEN 'FREE' THEN {quern_now:DateTime64(6, 'UTC')} - INTERVAL 1 DAY
      WHEN 'PRO' THEN {quern_now:DateTime64(6, 'UTC')} - INTERVAL 7 DAY
      WHEN 'PAYG' THEN {quern_now:DateTime64(6, 'UTC')} - INTERVAL 90 DAY
      WHEN 'ENTERPRISE' THEN {quern_now:DateTime64(6, 'UTC')} - INTERVAL 90 DAY
      ELSE {quern_now:DateTime64(6, 'UTC')} - INTERVAL 1 DAY
    END AS cutoff,
    parseDateTime64BestEffortOrNull(nullIf({iso_timestamp_start:Nullable(String)}, ''), 6, 'UTC') AS after,
    parseDateTime64BestEffortOrNull(nullIf({iso_timestamp_end:Nullable(String)}, ''), 6, 'UTC') AS until
),
edge_logs AS (
  SELECT t.id AS id, t.timestamp AS timestamp, t.event_message AS event_message, t.log_attributes AS log_attributes
  FROM bench.edge_logs_logflare AS t
  CROSS JOIN retention
  WHERE t.source_name = 'edge_logs'
    AND t.project = {project:String}
    AND t.timestamp > retention.cutoff
    AND (retention.after IS NULL OR t.timestamp > retention.after)
    AND (retention.until IS NULL OR t.timestamp <= retention.until)
  ORDER BY t.timestamp DESC
)
SELECT id, timestamp, event_message, toJSONString(log_attributes::JSON(response.status_code Int64, response.origin_time Float64)) AS metadata
FROM edge_logs
LIMIT 100
