-- # changed log settings
SELECT receiveTimestamp, timestamp AS eventTimestamp, protopayload_auditlog.requestMetadata.callerIp, protopayload_auditlog.authenticationInfo.principalEmail, protopayload_auditlog.methodName FROM `my-proj.audit.cloudaudit_googleapis_com_activity` WHERE protopayload_auditlog.serviceName = "logging.googleapis.com"
-- # service account keys
SELECT timestamp, protopayload_auditlog.authenticationInfo.principalEmail, protopayload_auditlog.resourceName, protopayload_auditlog.methodName FROM `my-proj.audit.cloudaudit_googleapis_com_activity` WHERE protopayload_auditlog.methodName LIKE '%CreateServiceAccountKey' AND resource.type = 'gce_instance'
-- # roles given
SELECT timestamp, delta.role, delta.member FROM `my-proj.audit.cloudaudit_googleapis_com_activity`, UNNEST(protopayload_auditlog.servicedata_v1_iam.policyDelta.bindingDeltas) AS delta WHERE delta.action = 'ADD' AND delta.role IN ('roles/owner', 'roles/editor')
-- # firewalls
SELECT timestamp, protopayload_auditlog.authenticationInfo.principalEmail, protopayload_auditlog.resourceName, protopayload_auditlog.methodName FROM `my-proj.audit.cloudaudit_googleapis_com_activity` WHERE protopayload_auditlog.methodName IN ("v1.compute.firewalls.insert", "v1.compute.firewalls.delete") AND timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 30 DAY)
-- # both logs
-- rows: [["activity",24],["data_access",12]]
SELECT _TABLE_SUFFIX AS log, COUNT(*) AS n FROM `my-proj.audit.cloudaudit_googleapis_com_*` GROUP BY log ORDER BY log
-- # one by its suffix
-- rows: [[12]]
SELECT COUNT(*) AS n FROM `my-proj.audit.cloudaudit_googleapis_com_*` WHERE _TABLE_SUFFIX = 'activity' AND REGEXP_CONTAINS(protopayload_auditlog.authenticationInfo.principalEmail, r"^[^@]+@x\.com$")
-- # logins in text
SELECT timestamp, JSON_VALUE(event, '$.eventName') AS event, JSON_VALUE(parameter, '$.value') AS login FROM `my-proj`.`audit`.`cloudaudit_googleapis_com_data_access`, UNNEST(JSON_QUERY_ARRAY(protopayload_auditlog.metadataJson, '$.event')) AS event, UNNEST(JSON_QUERY_ARRAY(event, '$.parameter')) AS parameter
-- # a struct of the request
-- rows: [[["google.logging.v2.ConfigServiceV2.DeleteSink","n"]],[["v1.compute.firewalls.insert","n"]],[["SetIamPolicy","n"]]]
SELECT STRUCT(protopayload_auditlog.methodName AS method, JSON_EXTRACT_SCALAR(protopayload_auditlog.requestJson, '$.name') AS name) AS what FROM `my-proj.audit.cloudaudit_googleapis_com_activity` LIMIT 3
-- # activity by the hour of the day
-- rows: [[0,1],[1,2],[2,1],[4,1],[5,1],[6,2],[7,1],[19,1],[20,2],[21,1],[22,1]]
SELECT EXTRACT(HOUR FROM timestamp AT TIME ZONE 'America/New_York') AS hour, COUNT(*) AS n FROM `my-proj.audit.cloudaudit_googleapis_com_activity` GROUP BY hour HAVING hour NOT BETWEEN 8 AND 18 ORDER BY hour
-- # new users
-- rows: [["eve@x.com"],["sa@y.iam.gserviceaccount.com"]]
WITH seen AS (SELECT protopayload_auditlog.authenticationInfo.principalEmail AS who, MIN(timestamp) AS first, MAX(timestamp) AS last FROM `my-proj.audit.cloudaudit_googleapis_com_activity` GROUP BY who) SELECT who FROM seen WHERE first >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 5 DAY) OR last < TIMESTAMP '2026-01-01'
-- # same address, many users
-- rows: [["8.8.8.8",2,"eve@x.com, sa@y.iam.gserviceaccount.com"]]
SELECT protopayload_auditlog.requestMetadata.callerIp AS ip, COUNT(DISTINCT protopayload_auditlog.authenticationInfo.principalEmail) AS users, STRING_AGG(DISTINCT protopayload_auditlog.authenticationInfo.principalEmail, ', ' ORDER BY protopayload_auditlog.authenticationInfo.principalEmail) AS who FROM `my-proj.audit.cloudaudit_googleapis_com_activity` GROUP BY ip HAVING users > 1
-- # permissions asked
-- rows: [["p",12,0]]
SELECT auth.permission, COUNTIF(auth.granted) AS granted, COUNTIF(NOT auth.granted) AS denied FROM `my-proj`.`audit`.`cloudaudit_googleapis_com_data_access` AS d CROSS JOIN UNNEST(d.protopayload_auditlog.authorizationInfo) AS auth GROUP BY 1
-- # declared: a week
DECLARE look_back INT64 DEFAULT 7;
DECLARE service STRING DEFAULT 'iam.googleapis.com';
SELECT timestamp, protopayload_auditlog.authenticationInfo.principalEmail, protopayload_auditlog.resourceName, protopayload_auditlog.methodName FROM `my-proj.audit.cloudaudit_googleapis_com_activity` WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL look_back DAY) AND protopayload_auditlog.serviceName = service ORDER BY timestamp DESC
-- # declared: a month
DECLARE look_back INT64 DEFAULT 30;
DECLARE service STRING DEFAULT 'iam.googleapis.com';
SELECT timestamp, protopayload_auditlog.authenticationInfo.principalEmail, protopayload_auditlog.resourceName, protopayload_auditlog.methodName FROM `my-proj.audit.cloudaudit_googleapis_com_activity` WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL look_back DAY) AND protopayload_auditlog.serviceName = service ORDER BY timestamp DESC
-- # declared: ninety days
DECLARE look_back INT64 DEFAULT 90;
DECLARE service STRING DEFAULT 'iam.googleapis.com';
SELECT timestamp, protopayload_auditlog.authenticationInfo.principalEmail, protopayload_auditlog.resourceName, protopayload_auditlog.methodName FROM `my-proj.audit.cloudaudit_googleapis_com_activity` WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL look_back DAY) AND protopayload_auditlog.serviceName = service ORDER BY timestamp DESC
-- # declared and set
DECLARE who STRING;
SET who = 'eve@x.com';
SELECT COUNT(*) AS n FROM `my-proj.audit.cloudaudit_googleapis_com_activity` WHERE protopayload_auditlog.authenticationInfo.principalEmail = who;
-- # temporary function
CREATE TEMP FUNCTION domain(mail STRING) AS (REGEXP_EXTRACT(mail, r'@(.*)$'));
SELECT domain(protopayload_auditlog.authenticationInfo.principalEmail) AS domain, COUNT(*) AS n FROM `my-proj.audit.cloudaudit_googleapis_com_activity` GROUP BY domain ORDER BY n DESC, domain
-- # rolling counts
-- rows: [["2026-03-05",2,2],["2026-03-06",5,7],["2026-03-07",5,12],["2026-03-08",5,15],["2026-03-09",4,14],["2026-03-10",3,12]]
SELECT day, n, SUM(n) OVER (ORDER BY UNIX_DATE(day) RANGE BETWEEN 2 PRECEDING AND CURRENT ROW) AS three_days FROM (SELECT DATE(timestamp) AS day, COUNT(*) AS n FROM `my-proj.audit.cloudaudit_googleapis_com_activity` GROUP BY day) ORDER BY day
-- # by the path of the resource
-- rows: [["my-proj","cloudresourcemanager.googleapis.com;compute.googleapis.com;iam.googleapis.com;logging.googleapis.com"]]
SELECT SPLIT(protopayload_auditlog.resourceName, '/')[SAFE_OFFSET(1)] AS project, ARRAY_TO_STRING(ARRAY_AGG(DISTINCT protopayload_auditlog.serviceName ORDER BY protopayload_auditlog.serviceName), ';') AS services FROM `my-proj.audit.cloudaudit_googleapis_com_activity` GROUP BY project
-- # only with a source of another log
-- rows: [["12"],["13"],["14"],["17"],["18"],["22"],["23"],["3"],["4"],["7"],["8"],["9"]]
SELECT a.insertId FROM `my-proj.audit.cloudaudit_googleapis_com_activity` AS a WHERE NOT EXISTS (SELECT 1 FROM `my-proj`.`audit`.`cloudaudit_googleapis_com_data_access` AS d WHERE d.insertId = a.insertId) ORDER BY a.insertId
-- # dashes without back quotes
-- rows: [[24]]
SELECT COUNT(*) AS n FROM my-proj.audit.cloudaudit_googleapis_com_activity
-- # tables of the dataset
-- rows: [["cloudaudit_googleapis_com_activity"],["cloudaudit_googleapis_com_data_access"]]
SELECT table_name FROM `my-proj.audit.INFORMATION_SCHEMA.TABLES` ORDER BY table_name
-- # what queries cost by day
-- rows: [["2026-03-10",0],["2026-03-09",25],["2026-03-08",25],["2026-03-07",81.25],["2026-03-06",56.25],["2026-03-05",62.5]]
SELECT DATE(creation_time) AS day, SUM(total_bytes_billed) / POW(2, 40) * 6.25 AS usd FROM `my-proj`.`region-us`.INFORMATION_SCHEMA.JOBS WHERE statement_type IN ('SELECT', 'INSERT') AND creation_time >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY) GROUP BY day ORDER BY day DESC
-- # why views are not used
-- rows: [["job_1",1000,"TIME_ZONE"],["job_10",10000,"COST"],["job_11",11000,"TIME_ZONE"]]
SELECT job_id, total_slot_ms, materialized_view_statistics.materialized_view[SAFE_OFFSET(0)].rejected_reason AS reason FROM `region-us.INFORMATION_SCHEMA.JOBS_BY_PROJECT` WHERE job_id LIKE '%\\_1%' ORDER BY job_id
-- # jobs of a team, by table
-- rows: [["shop.visits",6]]
SELECT CONCAT(t.dataset_id, '.', t.table_id) AS name, COUNT(DISTINCT job_id) AS jobs FROM `region-us`.INFORMATION_SCHEMA.JOBS_BY_PROJECT AS j, UNNEST(referenced_tables) AS t WHERE ('team', 'ads') IN (SELECT (key, value) FROM UNNEST(j.labels)) GROUP BY name
-- # a published query, with its placeholders
-- rows: [["SetIamPolicy",6],["google.iam.admin.v1.CreateServiceAccountKey",6]]
SELECT protopayload_auditlog.methodName AS method, COUNT(*) AS n FROM `<your-project>.audit.cloudaudit_googleapis_com_activity` GROUP BY method ORDER BY n DESC, method LIMIT 2
-- # placeholders, of all logs
-- rows: [["activity","2026-03-05T15:00:00Z"],["data_access","2026-03-06T01:00:00Z"]]
SELECT _TABLE_SUFFIX AS log, MIN(timestamp) AS first FROM `{{PROJECT_ID}}.audit.cloudaudit_googleapis_com_*` GROUP BY log ORDER BY log
-- # a dashboard that makes its data set
-- rows: [["eve@x.com",6],["sa@y.iam.gserviceaccount.com",6]]
BEGIN
  CREATE SCHEMA IF NOT EXISTS `reports` OPTIONS (location = 'US');
  CREATE OR REPLACE TABLE reports.by_user AS SELECT user_email, job_id FROM `my-proj`.`region-us`.INFORMATION_SCHEMA.JOBS;
  SELECT user_email, COUNT(*) AS jobs FROM reports.by_user GROUP BY user_email ORDER BY user_email;
END;
-- # share of each user that is not loaded, to one digit
-- rows: [["eve@x.com",33.3],["sa@y.iam.gserviceaccount.com",27.8]]
SELECT user_email, ROUND(100 * (SUM(total_slot_ms) - SUM(IF(statement_type = 'MERGE', total_slot_ms, 0))) / NULLIF(SUM(total_slot_ms) * 2 + COUNT(*), 0), 1) AS part FROM `my-proj`.`region-us`.INFORMATION_SCHEMA.JOBS GROUP BY user_email ORDER BY user_email
