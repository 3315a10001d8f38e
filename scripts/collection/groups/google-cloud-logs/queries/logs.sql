-- # newest entries
SELECT timestamp, severity, resource.type, log_name, text_payload, proto_payload, json_payload FROM `my-proj.global._Default._AllLogs` ORDER BY timestamp DESC LIMIT 100
-- # severities
-- rows: [["WARNING",10],["ERROR",10],["DEFAULT",10],["INFO",10]]
SELECT severity, COUNT(*) AS n FROM `my-proj.global._Default._AllLogs` WHERE severity IS NOT NULL GROUP BY severity ORDER BY n DESC
-- # errors per hour
-- rows: [["2026-03-09T13:00:00Z",1],["2026-03-09T20:00:00Z",1],["2026-03-10T02:00:00Z",1],["2026-03-10T09:00:00Z",1]]
SELECT TIMESTAMP_TRUNC(timestamp, HOUR) AS hour, COUNT(*) AS errors FROM `my-proj.global._Default._AllLogs` WHERE severity = "ERROR" AND timestamp > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY) GROUP BY hour ORDER BY hour
-- # a resource's labels
-- rows: [["c1",40]]
SELECT JSON_VALUE(resource.labels.cluster_name) AS cluster, COUNT(*) AS n FROM `my-proj.global._Default._AllLogs` WHERE resource.type = 'k8s_container' GROUP BY cluster
-- # a label with a slash
-- rows: [["web",40]]
SELECT JSON_VALUE(labels, '$."k8s-pod/app"') AS app, COUNT(*) FROM `my-proj.global._Default._AllLogs` GROUP BY app
-- # http latencies
SELECT hour, MIN(took) AS min, MAX(took) AS max, AVG(took) AS avg FROM (SELECT TIMESTAMP_TRUNC(timestamp, HOUR) AS hour, CAST(http_request.latency.seconds AS FLOAT64) + http_request.latency.nanos / 1000000000 AS took FROM `my-proj.global._Default._AllLogs` WHERE http_request IS NOT NULL AND http_request.request_method IN ('GET')) GROUP BY 1 ORDER BY 1
-- # http statuses by class
-- rows: [[200,14],[400,13],[500,13]]
SELECT CAST(FLOOR(http_request.status / 100) AS INT64) * 100 AS class, COUNT(*) AS n FROM `my-proj.global._Default._AllLogs` WHERE http_request.status IS NOT NULL GROUP BY class ORDER BY class
-- # urls with errors
-- rows: [["https://x/2",13,13,1],["https://x/1",0,13,0],["https://x/0",0,14,0]]
SELECT http_request.request_url AS url, COUNTIF(http_request.status >= 500) AS errors, COUNT(*) AS total, SAFE_DIVIDE(COUNTIF(http_request.status >= 500), COUNT(*)) AS ratio FROM `my-proj.global._Default._AllLogs` GROUP BY url HAVING total > 1 ORDER BY ratio DESC
-- # bytes per address
-- rows: [["1.2.3.4",4780]]
SELECT http_request.remote_ip, SUM(http_request.response_size) AS bytes FROM `my-proj.us-central1.app-bucket._AllLogs` GROUP BY 1 ORDER BY bytes DESC LIMIT 10
-- # cache hits
-- rows: [[1]]
SELECT COUNTIF(http_request.cache_hit) / COUNT(*) AS hit_ratio FROM `my-proj.global._Default._AllLogs` WHERE log_id = "requests"
-- # a json payload, by subscripts
-- rows: [["10.0.0.1",443,40]]
SELECT JSON_VALUE(json_payload.connection.src_ip) AS src, LAX_INT64(json_payload.connection.dest_port) AS port, COUNT(*) AS n FROM (SELECT * FROM `my-proj.global._Default._AllLogs`) WHERE JSON_VALUE(json_payload.rule_details.action) = 'DENY' GROUP BY 1, 2
-- # a json payload, by paths
-- rows: [["network:a",120],["network:a",120],["network:a",120],["network:a",120],["network:a",120]]
SELECT JSON_VALUE(json_payload, '$.rule_details.reference') AS rule, CAST(JSON_VALUE(json_payload.bytes_sent) AS INT64) AS bytes FROM `my-proj.global._Default._AllLogs` LIMIT 5
-- # numbers of a json payload
-- rows: [[443,40]]
SELECT INT64(json_payload.connection.dest_port) AS port, COUNT(*) FROM `my-proj.global._Default._AllLogs` GROUP BY port
-- # text search
-- rows: [["2026-03-07T19:57:00Z","error: out of memory"],["2026-03-08T02:25:00Z","error: out of memory"],["2026-03-08T08:53:00Z","error: out of memory"],["2026-03-08T15:21:00Z","error: out of memory"],["2026-03-08T21:49:00Z","error: out of memory"],["2026-03-09T04:17:00Z","error: out of memory"],["2026-03-09T10:45:00Z","error: out of memory"],["2026-03-09T17:13:00Z","error: out of memory"],["2026-03-09T23:41:00Z","error: out of memory"],["2026-03-10T06:09:00Z","error: out of memory"]]
SELECT timestamp, text_payload FROM `my-proj.global._Default._AllLogs` WHERE text_payload LIKE '%memory%' OR REGEXP_CONTAINS(text_payload, r'(?i)ERROR') ORDER BY timestamp
-- # SEARCH
SELECT timestamp, text_payload FROM `my-proj.global._Default._AllLogs` AS t WHERE SEARCH(t.text_payload, 'memory') ORDER BY timestamp
-- # audit: who did what
SELECT timestamp, proto_payload.audit_log.authentication_info.principal_email, proto_payload.audit_log.method_name, proto_payload.audit_log.resource_name FROM `my-proj.global._Default._AllLogs` WHERE log_id = "cloudaudit.googleapis.com/activity" ORDER BY timestamp DESC
-- # audit: denied
-- rows: [[7,"denied",8]]
SELECT proto_payload.audit_log.status.code, proto_payload.audit_log.status.message, COUNT(*) AS n FROM `my-proj.global._Default._AllLogs` WHERE proto_payload.audit_log.status.code IS NOT NULL GROUP BY 1, 2
-- # audit: large scans
SELECT timestamp, proto_payload.audit_log.authentication_info.principal_email AS who, CAST(JSON_VALUE(proto_payload.audit_log.metadata, "$.jobChange.job.jobStats.queryStats.totalBilledBytes") AS INT64) AS billed, JSON_VALUE(proto_payload.audit_log.metadata, "$.jobChange.job.jobConfig.queryConfig.query") AS query FROM `my-proj.global._Default._AllLogs` WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 30 DAY) AND log_id = "cloudaudit.googleapis.com/data_access" AND operation.last = TRUE AND JSON_VALUE(proto_payload.audit_log.metadata, "$.jobChange.job.jobConfig.type") = "QUERY" AND CAST(JSON_VALUE(proto_payload.audit_log.metadata, "$.jobChange.job.jobStats.queryStats.totalBilledBytes") AS INT64) > 1073741824 ORDER BY timestamp DESC
-- # audit: permissions of reads
SELECT timestamp, auth.permission, auth.granted, JSON_VALUE(data_access.resource.labels.project_id) AS project, SPLIT(proto_payload.audit_log.resource_name, '/')[SAFE_OFFSET(3)] AS dataset, JSON_VALUE_ARRAY(proto_payload.audit_log.metadata.tableDataRead.fields) AS fields, ARRAY_LENGTH(JSON_VALUE_ARRAY(proto_payload.audit_log.metadata.tableDataRead.fields)) AS n, FROM `my-proj.global._Default._AllLogs` AS data_access, UNNEST(proto_payload.audit_log.authorization_info) AS auth WHERE log_id = "cloudaudit.googleapis.com/data_access" AND JSON_VALUE(proto_payload.audit_log.metadata.tableDataRead.reason) = "JOB"
-- # audit: policy changes
SELECT timestamp, JSON_VALUE(bindings.role) AS role, JSON_VALUE_ARRAY(bindings.members) AS members FROM `my-proj.global._Default._AllLogs`, UNNEST(JSON_QUERY_ARRAY(proto_payload.audit_log.request.policy.bindings)) AS bindings WHERE proto_payload.audit_log.method_name = "SetIamPolicy"
-- # audit: added members
-- rows: [["user:b","roles/editor",40]]
SELECT JSON_VALUE(delta.member) AS member, JSON_VALUE(delta.role) AS role, COUNT(*) AS n FROM `my-proj.global._Default._AllLogs`, UNNEST(JSON_QUERY_ARRAY(proto_payload.audit_log.service_data.policyDelta.bindingDeltas)) AS delta WHERE JSON_VALUE(delta.action) = 'ADD' GROUP BY 1, 2
-- # audit: service accounts
-- rows: [["svc@my-proj.iam.gserviceaccount.com"]]
SELECT DISTINCT proto_payload.audit_log.authentication_info.principal_email AS who FROM `my-proj.global._Default._AllLogs` WHERE proto_payload.audit_log.authentication_info.principal_email LIKE '%.gserviceaccount.com'
-- # audit: actions per day and user
SELECT EXTRACT(DATE FROM timestamp) AS day, proto_payload.audit_log.authentication_info.principal_email AS who, ARRAY_AGG(DISTINCT proto_payload.audit_log.method_name IGNORE NULLS) AS actions, COUNT(*) AS n FROM `my-proj.global._Default._AllLogs` WHERE proto_payload IS NOT NULL GROUP BY day, who ORDER BY n DESC, who, day
-- # audit: unusual days
-- rows: [["2026-03-07","a@x.com",1,null,null],["2026-03-08","a@x.com",8,1,4.949747468305833],["2026-03-07","svc@my-proj.iam.gserviceaccount.com",2,null,null],["2026-03-08","svc@my-proj.iam.gserviceaccount.com",7,2,3.5355339059327378],["2026-03-09","svc@my-proj.iam.gserviceaccount.com",8,4.5,3.214550253664318]]
WITH daily AS (SELECT DATE(timestamp) AS day, proto_payload.audit_log.authentication_info.principal_email AS who, COUNT(*) AS n FROM `my-proj.global._Default._AllLogs` WHERE timestamp > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 60 DAY) GROUP BY day, who) SELECT *, AVG(n) OVER (PARTITION BY who ORDER BY UNIX_SECONDS(TIMESTAMP(day)) ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS mean, STDDEV(n) OVER (PARTITION BY who ORDER BY day) AS dev FROM daily QUALIFY n >= COALESCE(mean, 0) + COALESCE(dev, 0)
-- # delay of ingestion
SELECT MAX(TIMESTAMP_DIFF(receive_timestamp, timestamp, MILLISECOND)) AS worst, APPROX_QUANTILES(TIMESTAMP_DIFF(receive_timestamp, timestamp, SECOND), 100)[OFFSET(50)] AS median FROM `my-proj.global._Default._AllLogs`
-- # wide pivot of severities
-- rows: [["2026-03-07",0,1],["2026-03-08",4,3],["2026-03-09",4,4],["2026-03-10",2,2]]
SELECT * FROM (SELECT DATE(timestamp) AS day, severity FROM `my-proj.global._Default._AllLogs`) PIVOT(COUNT(*) AS n FOR severity IN ('INFO', 'ERROR')) ORDER BY day
-- # with a declared window
DECLARE since TIMESTAMP DEFAULT TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY);
SELECT log_id, COUNT(*) AS n FROM `my-proj.global._Default._AllLogs` WHERE timestamp >= since GROUP BY log_id ORDER BY n DESC;
-- # what is where
SELECT column_name, data_type FROM `my-proj.global._Default`.INFORMATION_SCHEMA.COLUMNS WHERE table_name = '_AllLogs' ORDER BY ordinal_position
-- # a bucket of minutes
-- rows: [["2026-03-07T19:55:00Z",1],["2026-03-07T21:30:00Z",1],["2026-03-07T23:10:00Z",1],["2026-03-08T00:45:00Z",1],["2026-03-08T02:25:00Z",1]]
SELECT TIMESTAMP_SECONDS(DIV(UNIX_SECONDS(timestamp), 300) * 300) AS bucket, COUNT(*) AS n FROM `my-proj.global._Default._AllLogs` GROUP BY bucket ORDER BY bucket LIMIT 5
-- # a whole payload as text
-- rows: [["{\"bytes_sent\":\"120\",\"connection\":{\"dest_port\":443,\"src_ip\":\"10.0.0.1\"},\"message\":\"hello\",\"rule_details\":{\"action\":\"DENY\",\"reference\":\"network:a\"}}","string"],["{\"bytes_sent\":\"120\",\"connection\":{\"dest_port\":443,\"src_ip\":\"10.0.0.1\"},\"message\":\"hello\",\"rule_details\":{\"action\":\"DENY\",\"reference\":\"network:a\"}}","string"]]
SELECT TO_JSON_STRING(json_payload) AS payload, JSON_TYPE(json_payload.bytes_sent) AS kind FROM `my-proj.global._Default._AllLogs` LIMIT 2
-- # nested conditions
-- rows: [[20]]
SELECT COUNT(*) AS n FROM `my-proj.global._Default._AllLogs` WHERE (resource.type = 'k8s_container' AND JSON_VALUE(resource.labels.service_name) = 'svc') AND (severity IN ('ERROR', 'CRITICAL') OR http_request.status >= 500)
-- # percentiles of latency
SELECT APPROX_QUANTILES(http_request.latency.nanos / 1e6, 100)[SAFE_OFFSET(95)] AS p95, http_request.request_url FROM `my-proj.global._Default._AllLogs` GROUP BY 2 ORDER BY 2
