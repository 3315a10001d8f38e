// Functions as other databases name them, and what GoogleSQL writes: people come from there, and a similar name is rarely what they mean.

const WRITTEN: Readonly<Record<string, string>> = {
  'IFNULL(value, otherwise)': 'NVL ISNULL',
  'IF(condition, value, otherwise)': 'IIF',
  'IF(value IS NOT NULL, present, absent)': 'NVL2',
  'CASE value WHEN … THEN … END': 'DECODE',
  'CURRENT_TIMESTAMP()': 'NOW GETDATE SYSDATE UTC_TIMESTAMP',
  'CURRENT_DATE()': 'TODAY CURDATE',
  'LENGTH(text)': 'LEN',
  'STRPOS(text, part)': 'CHARINDEX POSITION LOCATE',
  'STARTS_WITH(text, part)': 'STARTSWITH',
  'ENDS_WITH(text, part)': 'ENDSWITH',
  'SPLIT(text, separator)': 'STRING_TO_ARRAY SPLITBYCHAR SPLITBYSTRING STRTOK_TO_ARRAY',
  'SPLIT(text, separator)[SAFE_OFFSET(0)]': 'SPLIT_PART SUBSTRING_INDEX STRTOK',
  "STRING_AGG(value, ',')": 'GROUP_CONCAT LISTAGG GROUPCONCAT',
  'ARRAY_AGG(value)': 'COLLECT_LIST GROUPARRAY',
  'ARRAY_AGG(DISTINCT value)': 'COLLECT_SET GROUPUNIQARRAY',
  'COUNT(DISTINCT value), or APPROX_COUNT_DISTINCT(value)': 'UNIQ UNIQEXACT NDV',
  'APPROX_QUANTILES(value, 100)[OFFSET(50)]': 'MEDIAN QUANTILE PERCENTILE APPROX_PERCENTILE PERCENTILE_APPROX QUANTILEEXACT',
  'value IN UNNEST(array)': 'ARRAY_CONTAINS HAS',
  'FROM table, UNNEST(array) AS element': 'EXPLODE ARRAYJOIN',
  'ARRAY_LENGTH(array)': 'CARDINALITY ARRAY_SIZE ARRAYLENGTH',
  'ARRAY_LENGTH(JSON_QUERY_ARRAY(json))': 'JSON_ARRAY_LENGTH JSONLENGTH',
  'JSON_VALUE(json, "$.field")': 'GET_JSON_OBJECT JSON_EXTRACT_PATH_TEXT JSONEXTRACTSTRING',
  'REGEXP_CONTAINS(text, pattern)': 'REGEXP_LIKE REGEXP_MATCHES RLIKE',
  "FORMAT_TIMESTAMP('%Y-%m-%d', timestamp)": 'TO_CHAR STRFTIME DATE_FORMAT FORMATDATETIME',
  "PARSE_TIMESTAMP('%Y-%m-%d', text)": 'TO_TIMESTAMP STRPTIME STR_TO_DATE PARSEDATETIME',
  "PARSE_DATE('%Y-%m-%d', text), or DATE(timestamp)": 'TO_DATE TODATE',
  'EXTRACT(YEAR FROM date)': 'YEAR TOYEAR',
  'EXTRACT(MONTH FROM date)': 'MONTH TOMONTH',
  'EXTRACT(DAY FROM date)': 'DAY DAYOFMONTH TODAYOFMONTH',
  'EXTRACT(HOUR FROM timestamp)': 'HOUR TOHOUR',
  'EXTRACT(part FROM value)': 'DATE_PART DATEPART',
  'DATE_ADD(date, INTERVAL 1 DAY)': 'DATEADD ADD_MONTHS',
  'UNIX_SECONDS(timestamp)': 'UNIX_TIMESTAMP TOUNIXTIMESTAMP',
  'TIMESTAMP_SECONDS(seconds)': 'FROM_UNIXTIME FROMUNIXTIMESTAMP',
  'TIMESTAMP_TRUNC(timestamp, HOUR)': 'TOSTARTOFHOUR TOSTARTOFINTERVAL',
  'TIMESTAMP_TRUNC(timestamp, DAY)': 'TOSTARTOFDAY',
  'CAST(value AS STRING)': 'TOSTRING STR TO_VARCHAR',
  'CAST(value AS INT64)': 'TOINT64 TOINT32 TO_NUMBER INT',
  'CAST(value AS FLOAT64)': 'TOFLOAT64 TO_DOUBLE',
  'SAFE_CAST(value AS INT64)': 'TRY_CAST TOINT64ORNULL',
  'GENERATE_ARRAY(first, last), in FROM: UNNEST(GENERATE_ARRAY(first, last))': 'GENERATE_SERIES SEQUENCE NUMBERS',
  'GENERATE_UUID()': 'UUID NEWID GEN_RANDOM_UUID GENERATEUUIDV4',
  'TO_HEX(MD5(text))': 'MD5_HEX',
  'MAX_BY(value, key)': 'ARGMAX',
  'MIN_BY(value, key)': 'ARGMIN',
  'ANY_VALUE(value)': 'ANYLAST',
};

let byName: ReadonlyMap<string, string> | undefined;

/** Returns how GoogleSQL writes a function of another dialect, given by its name in capitals. */
export function writtenElsewhere(name: string): string | undefined {
  byName ??= new Map(
    Object.entries(WRITTEN).flatMap(([written, names]) => names.split(' ').map((one): [string, string] => [one, written])),
  );
  return byName.get(name);
}
