WITH
  multiIf(ifNull({project_tier:Nullable(String)} = 'FREE', false), subtractDays({quern_now:DateTime64(6, 'UTC')}, 1), ifNull({project_tier:Nullable(String)} = 'PRO', false), subtractDays({quern_now:DateTime64(6, 'UTC')}, 7), ifNull({project_tier:Nullable(String)} = 'PAYG', false), subtractDays({quern_now:DateTime64(6, 'UTC')}, 90), ifNull({project_tier:Nullable(String)} = 'ENTERPRISE', false), subtractDays({quern_now:DateTime64(6, 'UTC')}, 90), subtractDays({quern_now:DateTime64(6, 'UTC')}, 1)) AS cutoff,
  if(toUInt8(if(NOT match(if({iso_timestamp_start:Nullable(String)} = '', NULL, {iso_timestamp_start:Nullable(String)}), '^(19|2[0-2])\\d\\d-(0?[1-9]|1[0-2])-(0?[1-9]|[12]\\d|3[01])([ Tt](([01]?\\d|2[0-3]):[0-5]?\\d:([0-5]?\\d(\\.\\d{1,6})?|60)( UTC|[zZ]|[+-](\\d:[0-5]\\d|(0?\\d|1[0-3])|(0\\d|1[0-3]):?[0-5]\\d|14(:?00)?))?|[+-](\\d:[0-5]\\d|(0?\\d|1[0-3])|(0\\d|1[0-3]):?[0-5]\\d|14(:?00)?)))?$'), 'the text is not a TIMESTAMP', '0')) = 0, parseDateTime64BestEffort(upper(if({iso_timestamp_start:Nullable(String)} = '', NULL, {iso_timestamp_start:Nullable(String)})), 6, 'UTC'), NULL) AS after,
  if(toUInt8(if(NOT match(if({iso_timestamp_end:Nullable(String)} = '', NULL, {iso_timestamp_end:Nullable(String)}), '^(19|2[0-2])\\d\\d-(0?[1-9]|1[0-2])-(0?[1-9]|[12]\\d|3[01])([ Tt](([01]?\\d|2[0-3]):[0-5]?\\d:([0-5]?\\d(\\.\\d{1,6})?|60)( UTC|[zZ]|[+-](\\d:[0-5]\\d|(0?\\d|1[0-3])|(0\\d|1[0-3]):?[0-5]\\d|14(:?00)?))?|[+-](\\d:[0-5]\\d|(0?\\d|1[0-3])|(0\\d|1[0-3]):?[0-5]\\d|14(:?00)?)))?$'), 'the text is not a TIMESTAMP', '0')) = 0, parseDateTime64BestEffort(upper(if({iso_timestamp_end:Nullable(String)} = '', NULL, {iso_timestamp_end:Nullable(String)})), 6, 'UTC'), NULL) AS until
SELECT
  t.id AS id,
  t.`timestamp` AS `timestamp`,
  t.event_message AS event_message,
  if(t.metadata_text != '', t.metadata_text, toJSONString(t.metadata)) AS metadata
FROM quern.edge_logs AS t
WHERE t.project = {project:Nullable(String)} AND t.`timestamp` > cutoff AND (after IS NULL OR t.`timestamp` > after) AND (until IS NULL OR t.`timestamp` <= until)
ORDER BY t.`timestamp` DESC
LIMIT toInt64(100)
