// How much more than hand-written SQL a query over shards may cost.

/** Times the bytes that leave the shards, and times the processor time of all servers. */
const BOUNDS = { sent: 1.1, cpu: 1.1 };

/** The first that fits a case holds for it. */
const EXCEPTIONS = [
  { case: / a join/, sent: 1.15, cpu: 1.4, why: 'names of columns; nanoseconds are joined as the microseconds of BigQuery' },
  { case: / logs\.all/, sent: 1.1, cpu: 1.7, why: 'the settings and limits of quern, where a query takes 10 ms of each server' },
  {
    case: /^(map|logflare) usage\.api-counts/,
    sent: 1.3,
    cpu: 1.6,
    why: 'a key of the map that is absent is NULL, which each of five patterns tests; buckets are DateTime64, which is twice as long as the DateTime of hand-written SQL',
  },
  {
    case: / usage\.api-counts/,
    sent: 1.15,
    cpu: 1.6,
    why: 'the same buckets; the limits of quern, where a query takes 10 ms of each server',
  },
  {
    case: / functions\.invocation-stats/,
    sent: 1.35,
    cpu: 2,
    why: 'NaN and NULL as in BigQuery: two more aggregates; few groups, with longer names; a query takes 10 ms of each server',
  },
];

/** Returns which of the bounds the case misses: none, or a text for each. */
export function missed(layout, name, ratio) {
  const bounds = EXCEPTIONS.find((one) => one.case.test(`${layout} ${name}`)) ?? BOUNDS;
  return Object.keys(BOUNDS)
    .filter((of) => ratio[of] > bounds[of])
    .map((of) => `${of} above ${bounds[of]}`);
}
