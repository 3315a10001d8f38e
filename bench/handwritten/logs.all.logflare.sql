-- ORDER BY begins as the key of the table does, so that the newest rows are read first. The cast makes records of dotted keys, and
-- numbers of the two fields that are numbers.
SELECT id, timestamp, event_message, toJSONString(log_attributes::JSON(response.status_code Int64, response.origin_time Float64)) AS metadata
FROM bench.edge_logs_logflare
WHERE source_name = 'edge_logs' AND project = {project:String} AND timestamp > {quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%
ORDER BY toDateTime(timestamp) DESC, timestamp DESC
LIMIT 100
