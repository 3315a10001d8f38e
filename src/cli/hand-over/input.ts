// Standard input that can be read again from its beginning: a command may have read its SQL from it before it turns out that another process does the command.
import { Readable } from 'node:stream';
import type { Io } from '../../base/io.ts';

export type RepeatableInput = ReturnType<typeof repeatableInput>;

/** `source` is asked for when something is first read. */
export function repeatableInput(source: () => Io['stdin']) {
  let kept: Buffer[] | undefined = [];
  let begun = false;
  let chunks: AsyncIterator<Buffer | string> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  /** One reader waits for the other, so that no chunk gets lost between them. */
  const next = (): Promise<Buffer | undefined> => {
    const taken = last.then(async () => {
      begun = true;
      chunks ??= source()[Symbol.asyncIterator]();
      const { value, done } = await chunks.next();
      if (done === true) return undefined;
      const chunk = Buffer.from(value);
      kept?.push(chunk);
      return chunk;
    });
    last = taken.catch(() => undefined);
    return taken;
  };
  async function* rest(): AsyncGenerator<Buffer> {
    for (let chunk = await next(); chunk !== undefined; chunk = await next()) yield chunk;
  }
  async function* whole(): AsyncGenerator<Buffer> {
    for (let at = 0; ; at++) {
      await last; // of the command's own reading
      const chunk = kept?.[at] ?? (await next());
      if (chunk === undefined) return;
      yield chunk;
    }
  }
  let stdin: Io['stdin'] | undefined;
  return {
    /** For the command. It reads nothing before it is read itself. */
    get stdin() {
      stdin ??= Object.assign(Readable.from(rest(), { objectMode: false }), { isTTY: source().isTTY === true });
      return stdin;
    },
    /** True if the command has read some of it. */
    isBegun: () => begun,
    /** All of it from the beginning, also what the command has read. */
    again: () => Readable.from(whole(), { objectMode: false }),
    /** From now on what has been read is not kept. */
    forget: () => {
      kept = undefined;
    },
  };
}
