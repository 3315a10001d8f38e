// Replies in formats that only the engine writes.
import { createHash } from 'node:crypto';
import { QuernError } from '../../base/errors.ts';
import type { EngineFormat } from '../../base/formats.ts';
import { formatSize } from '../../base/quantity.ts';
import { openExport } from '../../execution/export/export.ts';
import { chooseColumns } from '../../output/columns.ts';
import { ndjsonRows } from '../../output/json.ts';
import type { Answer, Call } from './answer.ts';
import type { Runs, RunWaiter } from './runs.ts';
import { createWaiters } from './tenant.ts';

/** Larger documents are for `quern run --output`. */
const MOST_BYTES = 512 * 1024 ** 2;

/** Returns the answer of a run, which nothing keeps. Rejects as Answers.answer does, and with `usage` where addresses of people are to be hidden. */
export async function exportedAnswer(runs: Runs, call: Call, format: EngineFormat, waiter: RunWaiter): Promise<Omit<Answer, 'storedAtMs'>> {
  if (call.redact)
    throw new QuernError('usage', `addresses are hidden in these rows, which ${format} cannot do`, { hint: 'ask for json, ndjson or csv' });
  const { maxRows = Number.POSITIVE_INFINITY } = call;
  const { body, rows, end } = await runs.turn(call, createWaiters(call.tenant), waiter, async (prepared, request, current) => {
    const sink = {
      format,
      choose: (columns: Parameters<typeof chooseColumns>[0]) => chooseColumns(columns, undefined),
      printer: ndjsonRows,
    };
    const bounded = { ...prepared, maxRows: Math.min(prepared.maxRows, maxRows) };
    const out = await openExport(bounded, request, sink, current);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of out.chunks()) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES)
        throw new QuernError('limit', `the reply is larger than ${formatSize(MOST_BYTES)}`, { hint: 'ask for fewer rows or columns' });
      chunks.push(chunk);
    }
    const ended = await out.end();
    return { body: Buffer.concat(chunks), rows: ended.rows ?? 0, end: ended, rowsRead: 0 };
  });
  const { truncated, missing, elapsedMs } = end;
  return {
    state: 'off',
    ageSeconds: 0,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
    contentType: call.render.contentType,
    rows,
    truncated,
    ...(missing === undefined ? {} : { missing }),
    engineMs: elapsedMs,
    bytes: body.length,
    // The documents are compressed within.
    body: () => body,
  };
}
