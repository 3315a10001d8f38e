-- The text is shown as it is.
SELECT id, timestamp, event_message, metadata AS metadata
FROM bench.edge_logs_text
WHERE project = {project:String} AND timestamp > {quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%
ORDER BY timestamp DESC
LIMIT 100
