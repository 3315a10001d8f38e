// The table of statuses in docs/serve.md, beside what the server answers.
import { expect, test } from 'vitest';
import { type ErrorCode, QuernError } from '../../src/base/errors.ts';
import { exitCodes } from '../../src/cli/main.ts';
import { CALLERS_TEXT, failureOf, type RefusalCode } from '../../src/server/http/failure.ts';
import { pageText } from './pages.ts';

/** By status, of the rows between one status and one or more codes. */
const written = new Map(
  [...pageText('docs/serve.md').matchAll(/^\| ([\d, ]+) \| (`.*?) \|/gm)].map(([, statuses = '', codes = '']) => [
    statuses,
    [...codes.matchAll(/`([a-z-]+)`/g)].map(([, code = '']) => code),
  ]),
);

/** In the SQL of a caller. */
const statusOf = (code: ErrorCode): number =>
  failureOf(new QuernError(code, 'of a test', { span: { start: 0, end: 1 }, source: { name: CALLERS_TEXT, text: 'x' } })).status;

test('every code of an error stands beside its status', () => {
  const codes = Object.keys(exitCodes) as readonly ErrorCode[]; // a table with exactly these keys
  const missing = codes.filter((code) => written.get(String(statusOf(code)))?.includes(code) !== true);
  expect(missing).toEqual([]);
});

test('every code stands in the table, and no other', () => {
  // What the server itself refuses; the compiler knows the list.
  const refusals: Readonly<Record<RefusalCode, true>> = {
    unauthorized: true,
    forbidden: true,
    'not-found': true,
    method: true,
    body: true,
    rate: true,
    'too-large': true,
    unreachable: true,
    request: true,
  };
  const known = [...new Set([...Object.keys(exitCodes), ...Object.keys(refusals)])];
  expect([...new Set([...written.values()].flat())].sort()).toEqual(known.sort());
});
