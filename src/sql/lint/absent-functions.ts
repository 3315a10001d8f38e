// BigQuery's functions that are not translated, by the reason, for the documentation.

interface AbsentFunctions {
  readonly reason: string;
  /** A name ending in * stands for all that begin so. */
  readonly names: readonly string[];
}

export const ABSENT_FUNCTIONS: readonly AbsentFunctions[] = [
  { reason: 'ClickHouse’s geometry is planar and has other types', names: ['ST_*', 'S2_*'] },
  {
    reason: 'models, remote services and search indexes live in BigQuery only',
    names: [
      'ML.*',
      'AI.*',
      'VECTOR_SEARCH',
      'SEARCH',
      'EXTERNAL_QUERY',
      'EXTERNAL_OBJECT_TRANSFORM',
      'APPENDS',
      'CHANGES',
      'GAP_FILL',
      'OBJ.*',
      'TEXT_ANALYZE',
      'BAG_OF_WORDS',
      'TF_IDF',
    ],
  },
  {
    reason: 'keys are kept by Google’s key management',
    names: ['AEAD.*', 'KEYS.*', 'DETERMINISTIC_ENCRYPT', 'DETERMINISTIC_DECRYPT_BYTES', 'DETERMINISTIC_DECRYPT_STRING', 'DLP_*'],
  },
  { reason: 'RANGE is no type of quern', names: ['RANGE', 'RANGE_*', 'GENERATE_RANGE_ARRAY'] },
  { reason: 'there is no BigQuery session', names: ['SESSION_USER', 'SESSION_ID', 'CATALOG'] },
  { reason: 'collations of the two engines differ', names: ['COLLATE'] },
  { reason: 'needs a list of public suffixes', names: ['NET.PUBLIC_SUFFIX', 'NET.REG_DOMAIN'] },
  { reason: 'differential privacy is a service of BigQuery', names: ['SUM WITH DIFFERENTIAL_PRIVACY', 'AVG WITH DIFFERENTIAL_PRIVACY'] },
  {
    reason: 'not written yet',
    names: [
      'JSON_FLATTEN',
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
