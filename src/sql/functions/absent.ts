// BigQuery's functions that are not translated: why, and what to write instead.

interface AbsentFunctions {
  readonly reason: string;
  /** A function or expression that does nearly the same, if there is one. */
  readonly instead?: string;
  /** A name ending in * stands for all that begin so. */
  readonly names: readonly string[];
}

const PLANAR = 'ClickHouse has other geometry types';
const inClickhouse = (written: string): string => `in a saved query with \`dialect: clickhouse\`, write ${written}`;

/** The first that has a name counts. */
export const ABSENT_FUNCTIONS: readonly AbsentFunctions[] = [
  { reason: PLANAR, instead: inClickhouse('geohashEncode(lon, lat, length)'), names: ['ST_GEOHASH'] },
  {
    reason: PLANAR,
    instead: 'keep longitude and latitude in two columns, and write ST_GEOGPOINT(longitude, latitude) and ST_ASTEXT(point)',
    names: ['ST_GEOGFROMGEOJSON', 'ST_ASGEOJSON'],
  },
  { reason: PLANAR, instead: inClickhouse('geoToS2(lon, lat)'), names: ['S2_CELLIDFROMPOINT'] },
  { reason: PLANAR, names: ['ST_*', 'S2_*'] },
  { reason: 'models exist only in BigQuery', names: ['ML.*', 'AI.*'] },
  {
    reason: 'quern has no vector indexes',
    instead: 'order by COSINE_DISTANCE(a, b) or EUCLIDEAN_DISTANCE(a, b), with LIMIT',
    names: ['VECTOR_SEARCH'],
  },
  {
    reason: 'it calls another Google service',
    instead: 'if the table is in ClickHouse, map it in quern.yaml',
    names: ['EXTERNAL_QUERY', 'EXTERNAL_OBJECT_TRANSFORM', 'OBJ.*'],
  },
  { reason: 'ClickHouse tables keep no history of changes', instead: 'filter by a time column', names: ['APPENDS', 'CHANGES'] },
  {
    reason: 'text analysis for models exists only in BigQuery',
    instead: 'split texts with REGEXP_EXTRACT_ALL(LOWER(text), r"\\w+")',
    names: ['TEXT_ANALYZE', 'BAG_OF_WORDS', 'TF_IDF'],
  },
  {
    reason: 'windows of continuous queries exist only in BigQuery',
    instead:
      'group by TIMESTAMP_BUCKET(timestamp, INTERVAL 5 MINUTE); sessions are sums of gaps: SUM(IF(gap, 1, 0)) OVER (PARTITION BY … ORDER BY …)',
    names: ['TUMBLE', 'HOP', 'SESSION'],
  },
  {
    reason: 'it returns rows, not a value',
    instead: "read it in FROM: SELECT * FROM GAP_FILL(TABLE t, ts_column => 'time', bucket_width => INTERVAL 1 MINUTE)",
    names: ['GAP_FILL'],
  },
  {
    reason: 'its keys are held by Google’s key management service',
    names: ['AEAD.*', 'KEYS.*', 'DETERMINISTIC_ENCRYPT', 'DETERMINISTIC_DECRYPT_BYTES', 'DETERMINISTIC_DECRYPT_STRING', 'DLP_*'],
  },
  {
    reason: 'quern has no RANGE type',
    instead: 'use two columns: a start and an end',
    names: ['RANGE', 'RANGE_*', 'GENERATE_RANGE_ARRAY'],
  },
  { reason: 'there is no BigQuery session', names: ['SESSION_USER', 'SESSION_ID', 'CATALOG'] },
  { reason: 'the two engines have different collations', instead: 'to ignore case, compare LOWER(text)', names: ['COLLATE'] },
  { reason: 'it needs a list of public suffixes', instead: 'NET.HOST(url) gives the host', names: ['NET.PUBLIC_SUFFIX', 'NET.REG_DOMAIN'] },
  { reason: 'differential privacy is a service of BigQuery', names: ['SUM WITH DIFFERENTIAL_PRIVACY', 'AVG WITH DIFFERENTIAL_PRIVACY'] },
  {
    reason: 'not written yet',
    names: [
      'NET.IP_IN_NET',
      'NET.MAKE_NET',
      'REGEXP_EXTRACT_GROUPS',
      'SPLIT_SUBSTR',
      'TIMESTAMP_FROM_UNIX_MICROS',
      'TIMESTAMP_FROM_UNIX_MILLIS',
      'TIMESTAMP_FROM_UNIX_SECONDS',
      'TO_UUID',
    ],
  },
];

/** Why a function of BigQuery's, by its name in capitals, is not translated; undefined for a name that is none of them. */
export const absentFunction = (name: string): AbsentFunctions | undefined =>
  ABSENT_FUNCTIONS.find(({ names }) => names.some((n) => (n.endsWith('*') ? name.startsWith(n.slice(0, -1)) : n === name)));
