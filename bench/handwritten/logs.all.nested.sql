-- As for typed paths.
SELECT id, timestamp, event_message, toJSONString(metadata) AS metadata
FROM bench.edge_logs_nested
WHERE project = {project:String} AND timestamp > {quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%
ORDER BY timestamp DESC
LIMIT 100
