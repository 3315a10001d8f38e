-- Nothing stands between the order of the key and the limit; metadata is read for the 100 rows.
SELECT id, timestamp, event_message, toJSONString(metadata) AS metadata
FROM quern.edge_logs
WHERE project = {project:String} AND timestamp > {quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%
ORDER BY timestamp DESC
LIMIT 100
