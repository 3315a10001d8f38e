// Rows for a loop of a script.
import { QuernError } from '../base/errors.ts';
import type { Row } from '../base/result.ts';
import { openRowStream } from '../execution/export/row-stream.ts';
import { prepare } from '../execution/prepare.ts';
import type { QueryRequest } from '../execution/request.ts';
import type { Services } from '../services.ts';
import type { QuernRow, QuernStream } from './answers.ts';
import { rowObject } from './row-objects.ts';

/** Nothing runs before the loop begins; errors of `request` and `services` are thrown there. */
export function openStream(request: () => Promise<QueryRequest>, services: () => Services): QuernStream {
  let end: { readonly truncated: boolean; readonly missing?: readonly string[] | undefined } | undefined;
  let begun = false;
  return {
    get truncated() {
      return end?.truncated;
    },
    get missing() {
      return end?.missing;
    },
    async *[Symbol.asyncIterator](): AsyncIterator<QuernRow> {
      if (begun) throw new QuernError('usage', 'the rows of a stream can be read only once', { hint: 'open another stream' });
      begun = true;
      const asked = await request();
      // A run that finds its tables outdated begins again, and can as long as no row has been given.
      const { toObject, rows, first } = await services().running(async (current) => {
        const stream = await openRowStream(await prepare(asked, current), asked, current);
        const taken = stream
          .rows((known) => {
            end = known;
          })
          [Symbol.asyncIterator]();
        return { toObject: rowObject(stream.columns), rows: taken, first: await taken.next() };
      }, asked.files);
      try {
        for (let next: IteratorResult<Row> = first; next.done !== true; next = await rows.next()) yield toObject(next.value);
      } finally {
        await rows.return?.();
      }
    },
  };
}
