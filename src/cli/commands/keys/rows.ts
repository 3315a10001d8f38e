// Keys as rows of a table.

import { formatDuration } from '../../../base/quantity.ts';
import type { ResultColumn, Row } from '../../../base/result.ts';
import { plainJson } from '../../../output/value.ts';
import type { Key } from '../../../server/keys/key.ts';

export const keyColumns: readonly ResultColumn[] = [
  { name: 'prefix', type: { kind: 'STRING' } },
  { name: 'name', type: { kind: 'STRING' } },
  { name: 'scopes', type: { kind: 'ARRAY', element: { kind: 'STRING' } } },
  { name: 'pins', type: { kind: 'JSON' } },
  { name: 'max_rows', type: { kind: 'INT64' } },
  { name: 'rate', type: { kind: 'STRING' } },
  { name: 'max_concurrent', type: { kind: 'INT64' } },
  { name: 'may_refresh', type: { kind: 'BOOL' } },
  { name: 'created', type: { kind: 'TIMESTAMP' } },
  { name: 'expires', type: { kind: 'TIMESTAMP' } },
  { name: 'expired', type: { kind: 'BOOL' } },
  { name: 'max_scan_per_hour', type: { kind: 'INT64' } },
  { name: 'max_time_per_hour', type: { kind: 'STRING' } },
  { name: 'role', type: { kind: 'STRING' } },
];

export function keyRow(key: Key, nowMs: number): Row {
  const {
    prefix,
    name,
    scopes,
    pins,
    maxRows,
    rate,
    maxConcurrent,
    maxScanPerHour,
    maxTimePerHour,
    role,
    mayRefresh,
    createdAt,
    expiresAt,
  } = key;
  return [
    prefix,
    name,
    scopes,
    plainJson(pins),
    maxRows ?? null,
    rate === undefined ? null : `${rate.count}/${formatDuration(rate.perSeconds)}`,
    maxConcurrent ?? null,
    mayRefresh,
    createdAt,
    expiresAt ?? null,
    expiresAt !== undefined && Date.parse(expiresAt) <= nowMs,
    maxScanPerHour ?? null,
    maxTimePerHour === undefined ? null : formatDuration(maxTimePerHour),
    role ?? 'all',
  ];
}
