-- A cast to JSON makes records of dotted keys, and numbers of the two fields that are numbers.
SELECT id, timestamp, event_message, toJSONString(metadata::JSON(response.status_code Int64, response.origin_time Float64)) AS metadata
FROM bench.edge_logs_map
WHERE project = {project:String} AND timestamp > {quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%
ORDER BY timestamp DESC
LIMIT 100
