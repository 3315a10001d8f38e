SELECT id, timestamp, event_message, toJSONString(metadata)
FROM quern.edge_logs
WHERE project = {project:String} AND timestamp > {quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%
ORDER BY timestamp DESC
LIMIT 100
